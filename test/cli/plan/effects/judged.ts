import { Judgements } from "../../../../cli/src/plan/effects/index.js";
import { alikeSubscriptions } from "../../../../cli/src/plan/graph/index.js";
import { readPlan } from "../../../../cli/src/plan/index.js";
import { type Sets, same, setsPlan, subscriptionsOf } from "../graph/changed-world.js";
import type { Attributes } from "../world.js";

export const ARM = "/subscriptions/s/resourceGroups/g/providers";
export const TOPIC = `${ARM}/Microsoft.EventGrid/topics/shop`;
export const ACCOUNT = `${ARM}/Microsoft.Storage/storageAccounts/a`;
export const QUEUE = `${ACCOUNT}/queueServices/default/queues/q`;
export const [SYSTEM, CLIENT, OTHER] = ["system", "client", "other"];

export const topic = {
  ...{ id: TOPIC, name: "shop" },
  identity: [{ type: "SystemAssigned", principal_id: SYSTEM }],
};
export const account = { id: ACCOUNT, account_kind: "StorageV2" };
export const toQueue = {
  storage_queue_endpoint: [{ storage_account_id: ACCOUNT, queue_name: "q" }],
};
export const dead = {
  storage_blob_dead_letter_destination: [
    { storage_account_id: ACCOUNT, storage_blob_container_name: "dead" },
  ],
};
export const byIdentity = { delivery_identity: [{ type: "SystemAssigned" }] };
export const webhook = (application?: string) => ({
  webhook_endpoint: [{ url: "https://a.example/", active_directory_app_id_or_uri: application }],
});
export const subscription = (settings: Attributes, name = "s") => ({
  ...{ id: `${TOPIC}/${name}`, name, scope: TOPIC },
  ...settings,
});
export const role = (role_definition_name: string, principal_id: string, scope = TOPIC) => ({
  ...{ id: `${scope}/r/${principal_id}`, scope, role_definition_name, principal_id },
});
export const SENDS = "EventGrid Data Sender";
export const WRITES = "Storage Queue Data Message Sender";

export const T = "azurerm_eventgrid_topic.t";
export const A = "azurerm_storage_account.a";
export const S = "azurerm_eventgrid_event_subscription.s";
export const R = "azurerm_role_assignment.r";
export const N = "azurerm_role_assignment.n";

/** The findings of a plan with a topic and an account, as `label check address: message`. */
export async function judged(sets: Sets): Promise<string[]> {
  const { changes } = readPlan(setsPlan({ [T]: same(topic), [A]: same(account), ...sets }));
  const subscriptions = subscriptionsOf(changes);
  const judgements = await Judgements.of(
    ...([changes, subscriptions, alikeSubscriptions(subscriptions)] as const),
  );
  return changes.flatMap((change) =>
    judgements
      .findings(change)
      .map(({ label, check, message }) => `${label} ${check} ${change.address}: ${message}`),
  );
}
export const stays = (settings: Attributes): Sets => ({ [S]: same(subscription(settings)) });
export const turns = (address: string, before: Attributes, change: Attributes): Sets => ({
  [address]: [before, { ...before, ...change }],
});
export const closed = { network_rules: [{ default_action: "Deny", bypass: ["None"] }] };
export const keysOff = { shared_access_key_enabled: false };
