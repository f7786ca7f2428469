import { matching, notEmpty, resourceId } from "../checks/checks.js";
import { type Environment, signIn } from "../cloud/account.js";
import { known, type Provider } from "../provider/provider.js";
import { readProviderSchema } from "../values/schema.js";
import { azapiResource, azapiResourceData } from "./resource.js";

/** What azapi needs of the environment: it ignores `ARM_METADATA_HOSTNAME`. */
const needed = [
  "ARM_ACTIVE_DIRECTORY_AUTHORITY_HOST",
  "ARM_RESOURCE_MANAGER_ENDPOINT",
  "ARM_RESOURCE_MANAGER_AUDIENCE",
  // Otherwise it looks up the authority at login.microsoftonline.com.
  "ARM_DISABLE_INSTANCE_DISCOVERY",
];

const checks = {
  type: matching(/^[^@/]+(\/[^@/]+)+@\d{4}-\d\d-\d\d(-\w+)?$/, "to be <type>@<api-version>"),
  name: notEmpty,
  parent_id: resourceId,
};

/**
 * A stand-in for the provider `Azure/azapi`, with its resource and data source `azapi_resource`. The
 * real one speaks version 6 of the plugin protocol, which differs only in schemas with nested types.
 */
export function azapi(environment: Environment): Provider {
  return {
    source: "azure/azapi",
    release: "2.12.0",
    schema: readProviderSchema("azapi-2.12.0"),
    checks: { resources: { azapi_resource: checks }, dataSources: {} },
    async configure(config, signal) {
      const missing = needed.filter((variable) => !environment[variable]);
      if (missing.length > 0) throw new Error(`azapi needs ${missing.join(", ")}`);
      return signIn(config, environment, signal);
    },
    resource: (type) => known({ azapi_resource: azapiResource }, type),
    dataSource: (type) => known({ azapi_resource: azapiResourceData }, type),
  };
}
