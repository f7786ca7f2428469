import { azureadChecks, azureadDataChecks } from "../checks/azuread.js";
import { type Environment, signIn } from "../cloud/account.js";
import {
  clientConfig,
  type DataSource,
  known,
  type Provider,
  type ResourceType,
} from "../provider/provider.js";
import { readProviderSchema } from "../values/schema.js";
import { directoryObject, objectDataSource } from "./directory-object.js";
import { application, servicePrincipal } from "./objects.js";
import { applicationAppRole, applicationPassword, appRoleAssignment } from "./parts.js";

const resources: Readonly<Record<string, ResourceType>> = {
  azuread_app_role_assignment: appRoleAssignment,
  azuread_application_app_role: applicationAppRole,
  azuread_application_password: applicationPassword,
  azuread_application_registration: directoryObject(application),
  azuread_service_principal: directoryObject(servicePrincipal),
};

const dataSources: Readonly<Record<string, DataSource>> = {
  azuread_application: objectDataSource(application),
  azuread_client_config: clientConfig,
  azuread_service_principal: objectDataSource(servicePrincipal),
};

/** A stand-in for the provider `hashicorp/azuread`. */
export function azuread(environment: Environment): Provider {
  return {
    source: "hashicorp/azuread",
    release: "3.7.0",
    schema: readProviderSchema("azuread-3.7.0"),
    checks: { resources: azureadChecks, dataSources: azureadDataChecks },
    configure: (config, signal) => signIn(config, environment, signal),
    resource: (type) => known(resources, type),
    dataSource: (type) => known(dataSources, type),
  };
}
