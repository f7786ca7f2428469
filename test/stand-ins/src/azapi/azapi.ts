import type { Environment } from "../cloud/account.js";
import type { Provider } from "../provider/provider.js";
import { readProviderSchema } from "../schema/schema.js";
import { standInNotice } from "../stand-in-notice.js";
import { type AzapiAccount, signIn } from "./account.js";
import { azapiResource, azapiResourceData } from "./resource.js";

/** The release whose schema is served. */
const RELEASE = "2.12.0";

/**
 * A stand-in for the provider `Azure/azapi`, with its resource and data source `azapi_resource`. The
 * real one speaks version 6 of the plugin protocol, which differs only in schemas with nested types.
 */
export function azapi(environment: Environment): Provider<AzapiAccount> {
  return {
    source: "azure/azapi",
    schema: readProviderSchema("azapi", RELEASE),
    async configure(config, signal) {
      const account = await signIn(config, environment, signal);
      return { account, notices: [standInNotice(`Azure/azapi ${RELEASE}`, environment)] };
    },
    resource(type) {
      if (type === "azapi_resource") return azapiResource;
      throw new Error(`this stand-in has no ${type}`);
    },
    dataSource(type) {
      if (type === "azapi_resource") return azapiResourceData;
      throw new Error(`this stand-in has no data source ${type}`);
    },
  };
}
