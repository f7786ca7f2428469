import type { Account } from "../cloud/account.js";
import type { DataSource } from "../provider/provider.js";
import type { BlockSchema } from "../schema/schema.js";
import { managedDataSource } from "../tables/managed-resource.js";
import { resourceTypes } from "./resource-types.js";

/** The data source of a type that the local Azure serves. */
export function dataSource(type: string, schema: BlockSchema): DataSource<Account> {
  if (type === "azurerm_client_config") return clientConfig;
  const table = resourceTypes[type];
  if (table === undefined) throw new Error(`this stand-in has no data source "${type}"`);
  return managedDataSource(schema, table);
}

/** The identity that the provider is signed in as. Needs no request. */
const clientConfig: DataSource<Account> = {
  read: async (_config, { clientId, objectId, subscriptionId, tenantId }) => ({
    id: Buffer.from(
      `clientConfigs/clientId=${clientId};objectId=${objectId};subscriptionId=${subscriptionId};tenantId=${tenantId}`,
    ).toString("base64"),
    client_id: clientId,
    object_id: objectId,
    subscription_id: subscriptionId,
    tenant_id: tenantId,
  }),
};
