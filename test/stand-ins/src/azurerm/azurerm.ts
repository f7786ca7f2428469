import { type Environment, signIn } from "../cloud/account.js";
import { genericResource, type Shelf } from "../generic/generic-resource.js";
import { clientConfig, known, type Provider } from "../provider/provider.js";
import { readProviderSchema } from "../values/schema.js";
import { managedDataSource, managedResource } from "./managed-resource.js";
import { registerProviders } from "./registration.js";
import { resourceTypes } from "./resource-types.js";

/** A stand-in for the provider `hashicorp/azurerm`. */
export function azurerm(environment: Environment): Provider {
  const schema = readProviderSchema("azurerm-4.55.0");
  const shelf: Shelf = new Map();
  return {
    source: "hashicorp/azurerm",
    release: "4.55.0",
    schema,
    async configure(config, signal) {
      const account = await signIn(config, environment, signal);
      await registerProviders(config, account, environment);
      return account;
    },
    resource(type) {
      const table = resourceTypes[type];
      if (table !== undefined) return managedResource(type, table);
      return genericResource(type, schema.resource_schemas[type]?.block ?? {}, shelf);
    },
    dataSource(type) {
      if (type === "azurerm_client_config") return clientConfig;
      return managedDataSource(known(resourceTypes, type));
    },
  };
}
