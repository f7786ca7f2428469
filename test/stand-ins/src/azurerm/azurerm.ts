import { azurermChecks } from "../checks/azurerm.js";
import { type Environment, signIn } from "../cloud/account.js";
import { genericResource, type Shelf } from "../generic/generic-resource.js";
import { clientConfig, known, type Provider } from "../provider/provider.js";
import { readProviderSchema } from "../values/schema.js";
import { objects } from "../values/value.js";
import { managedDataSource, managedResource } from "./managed-resource.js";
import { registerProviders } from "./registration.js";
import { type AzurermRelease, behaviours } from "./releases.js";
import { resourceTypes } from "./resource-types.js";

/** A stand-in for a release of the provider `hashicorp/azurerm`. */
export function azurerm(environment: Environment, release: AzurermRelease): Provider {
  const schema = readProviderSchema(`azurerm-${release}`);
  const behaviour = behaviours[release];
  const shelf: Shelf = new Map();
  return {
    source: "hashicorp/azurerm",
    release,
    schema,
    checks: { resources: azurermChecks, dataSources: {} },
    async configure(config, signal) {
      const { removedVariable = "" } = behaviour;
      if (environment[removedVariable] !== undefined) {
        throw new Error(
          `the environment variable \`${removedVariable}\` has been removed in v5.0 of the AzureRM Provider`,
        );
      }
      // Its schema does not limit the blocks, but the provider does.
      const { length } = objects(config, "features");
      if (length !== 1) {
        throw new Error(`Attribute features list must contain exactly 1 element, got: ${length}`);
      }
      const account = await signIn(config, environment, signal);
      await registerProviders(config, account, environment, behaviour);
      return account;
    },
    resource(type) {
      const table = resourceTypes[type];
      if (table !== undefined) return managedResource(type, table, behaviour);
      return genericResource(type, schema.resource_schemas[type]?.block ?? {}, shelf);
    },
    dataSource(type) {
      if (type === "azurerm_client_config") return clientConfig;
      return managedDataSource(known(resourceTypes, type));
    },
  };
}
