import { isOfType } from "../resource-id.js";
/** Version of Event Grid's resource provider. */
export const EVENT_GRID_API = "2022-06-15";

/** The only stable version of it with namespaces. */
export const NAMESPACE_API = "2025-02-15";

/** The path of a scope's event subscriptions; those of system topics and the like are its children. */
export function subscriptionsPath(scope: string): string {
  const isParent = isOfType(
    scope,
    "Microsoft.EventGrid/systemTopics",
    "Microsoft.EventGrid/partnerTopics",
    "Microsoft.EventGrid/namespaces/topics",
  );
  return `${scope}${isParent ? "" : "/providers/Microsoft.EventGrid"}/eventSubscriptions`;
}
