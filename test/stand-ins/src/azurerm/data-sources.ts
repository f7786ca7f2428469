import type { Account } from "../cloud/account.js";
import type { Shelf } from "../generic/generic-resource.js";
import { resourceId } from "../generic/resource-id.js";
import type { DataSource } from "../provider/provider.js";
import type { BlockSchema } from "../schema/schema.js";
import { managedDataSource } from "../tables/managed-resource.js";
import { resourceTypes } from "./resource-types.js";

/** The data source of that type. A type that the local Azure does not serve is on the `shelf`. */
export function dataSource(type: string, schema: BlockSchema, shelf: Shelf): DataSource<Account> {
  if (type === "azurerm_client_config") return clientConfig;
  const table = resourceTypes[type];
  return table === undefined ? shelved(type, schema, shelf) : managedDataSource(schema, table);
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

function shelved(type: string, schema: BlockSchema, shelf: Shelf): DataSource<Account> {
  return {
    async read(config, account) {
      const id = resourceId(type, config, account);
      const found = shelf.get(id);
      if (found === undefined) throw new Error(`${id} was not found`);
      const known = Object.entries(found).filter(([name]) => name in (schema.attributes ?? {}));
      return { ...config, ...Object.fromEntries(known) };
    },
  };
}
