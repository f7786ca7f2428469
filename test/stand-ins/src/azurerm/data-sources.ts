import type { Account } from "../cloud/account.js";
import { at, stringAt } from "../cloud/json-client.js";
import { doing } from "../cloud/refusal.js";
import type { Shelf } from "../generic/generic-resource.js";
import { resourceId } from "../generic/resource-id.js";
import { type DataSource, text } from "../provider/provider.js";
import type { BlockSchema } from "../schema/schema.js";
import type { Attributes } from "../values/value.js";
import { findResourceGroup } from "./resource-group.js";
import { fromTags } from "./tags.js";
import { findTopic } from "./topic.js";
import { API_VERSION, versioned } from "./versions.js";

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

const subscription: DataSource<Account> = {
  async read(config, account) {
    const subscriptionId = text(config, "subscription_id") || account.subscriptionId;
    const id = `/subscriptions/${subscriptionId}`;
    const found = await doing(`retrieving Subscription (Subscription: "${subscriptionId}")`, () =>
      account.resourceManager.get(versioned(id, API_VERSION.subscriptions)),
    );
    const policy = (name: string) => stringAt(found, "subscriptionPolicies", name);
    return {
      id,
      subscription_id: stringAt(found, "subscriptionId"),
      display_name: stringAt(found, "displayName"),
      state: stringAt(found, "state"),
      tenant_id: stringAt(found, "tenantId"),
      location_placement_id: policy("locationPlacementId"),
      quota_id: policy("quotaId"),
      spending_limit: policy("spendingLimit"),
      tags: fromTags(at(found, "tags")),
    };
  },
};

/** The azurerm data sources that read from the local Azure. */
export const dataSources: Readonly<Record<string, DataSource<Account>>> = {
  azurerm_client_config: clientConfig,
  azurerm_subscription: subscription,
  azurerm_resource_group: { read: findResourceGroup },
  azurerm_eventgrid_topic: { read: findTopic },
};

/**
 * Looks up a resource that a stand-in keeps in memory because the local Azure does not know its
 * type.
 */
export function shelvedDataSource(
  type: string,
  schema: BlockSchema,
  shelf: Shelf,
): DataSource<Account> {
  return {
    async read(config, account): Promise<Attributes> {
      const id = resourceId(type, config, account);
      const found = shelf.get(id);
      if (found === undefined) throw new Error(`${id} was not found`);
      const known = Object.entries(found).filter(([name]) => name in (schema.attributes ?? {}));
      return { ...config, ...Object.fromEntries(known) };
    },
  };
}
