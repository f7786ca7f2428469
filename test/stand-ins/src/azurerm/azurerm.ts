import type { Environment } from "../cloud/account.js";
import { genericResource, type Shelf } from "../generic/generic-resource.js";
import type { Provider } from "../provider/provider.js";
import { readProviderSchema } from "../schema/schema.js";
import { standInNotice } from "../stand-in-notice.js";
import { managedResource } from "../tables/managed-resource.js";
import { configure } from "./configure.js";
import { dataSource } from "./data-sources.js";
import { storage } from "./generic-exceptions.js";
import { type AzurermAccount, providerRegistration } from "./provider-registration.js";
import { resourceTypes } from "./resource-types.js";

/** The release whose schema is served. */
const RELEASE = "4.55.0";

/** A stand-in for the provider `hashicorp/azurerm`. */
export function azurerm(environment: Environment): Provider<AzurermAccount> {
  const schema = readProviderSchema("azurerm", RELEASE);
  const shelf: Shelf = new Map();
  return {
    source: "hashicorp/azurerm",
    schema,
    async configure(config, signal) {
      const account = await configure(config, environment, signal);
      return { account, notices: [standInNotice(`hashicorp/azurerm ${RELEASE}`, environment)] };
    },
    resource(type) {
      if (type === "azurerm_resource_provider_registration") return providerRegistration;
      const block = schema.resource_schemas[type]?.block ?? {};
      const table = resourceTypes[type];
      if (table !== undefined) return managedResource(type, block, table);
      const generic = genericResource(type, block, shelf);
      if (/^azurerm_storage_(account|container)$/.test(type)) return storage(generic);
      return generic;
    },
    dataSource: (type) => dataSource(type, schema.data_source_schemas[type]?.block ?? {}),
  };
}
