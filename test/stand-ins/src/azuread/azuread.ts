import { type Account, credentials, type Environment, signIn } from "../cloud/account.js";
import { genericResource, type Shelf } from "../generic/generic-resource.js";
import type { Provider, ResourceType } from "../provider/provider.js";
import { type BlockSchema, readProviderSchema } from "../schema/schema.js";
import { standInNotice } from "../stand-in-notice.js";
import { directoryObject } from "../tables/directory-object.js";
import { appRoleAssignment } from "./app-role-assignment.js";
import { applicationAppRole, applicationPassword } from "./application-parts.js";
import { applicationRegistration } from "./applications.js";
import { clientConfig, objectDataSource } from "./data-sources.js";
import { servicePrincipal } from "./service-principal.js";

/** The release whose schema is served. */
const RELEASE = "3.7.0";

/** The resource types that the local Azure serves. */
const inTheCloud: Readonly<Record<string, (schema: BlockSchema) => ResourceType<Account>>> = {
  azuread_app_role_assignment: appRoleAssignment,
  azuread_application_app_role: applicationAppRole,
  azuread_application_password: applicationPassword,
  azuread_application_registration: (schema) => directoryObject(schema, applicationRegistration),
  azuread_service_principal: (schema) => directoryObject(schema, servicePrincipal),
};

/** A stand-in for the provider `hashicorp/azuread`. */
export function azuread(environment: Environment): Provider<Account> {
  const schema = readProviderSchema("azuread", RELEASE);
  const shelf: Shelf = new Map();
  return {
    source: "hashicorp/azuread",
    schema,
    async configure(config, signal) {
      const given = credentials(config, environment, { subscription: false });
      const account = await signIn(given, environment, signal);
      return { account, notices: [standInNotice(`hashicorp/azuread ${RELEASE}`, environment)] };
    },
    resource(type) {
      const block = schema.resource_schemas[type]?.block ?? {};
      return inTheCloud[type]?.(block) ?? genericResource(type, block, shelf);
    },
    dataSource(type) {
      if (type === "azuread_client_config") return clientConfig;
      const source = objectDataSource(type, schema.data_source_schemas[type]?.block ?? {});
      if (source === undefined) throw new Error(`this stand-in has no data source "${type}"`);
      return source;
    },
  };
}
