import {
  formatScope,
  type ResourceGroupScope,
  type ResourceScope,
  type SubscriptionScope,
  type TopicScope,
} from "cloud-eventgrid-binding-runtime/binding";

type Names<Scope> = Omit<Scope, "kind">;

/** Scope of a whole subscription. */
export function subscription(names: Names<SubscriptionScope>): string {
  return formatScope({ kind: "subscription", ...names });
}

/** Scope of a resource group. */
export function resourceGroup(names: Names<ResourceGroupScope>): string {
  return formatScope({ kind: "resourceGroup", ...names });
}

/**
 * Scope of a top-level resource.
 *
 * @example
 * ```ts
 * scopes.resource({
 *   subscriptionId,
 *   resourceGroupName: "shop",
 *   resourceProviderNamespace: "Microsoft.KeyVault",
 *   resourceType: "vaults",
 *   resourceName: "shop-keys",
 * });
 * ```
 */
export function resource(names: Names<ResourceScope>): string {
  return formatScope({ kind: "resource", ...names });
}

/** Scope of a custom topic of Event Grid. */
export function topic(names: Names<TopicScope>): string {
  return formatScope({ kind: "topic", ...names });
}
