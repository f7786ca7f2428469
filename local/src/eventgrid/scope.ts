import { inspect } from "node:util";
import { ServiceError } from "../errors.js";

/**
 * A scope with one leading slash and none at its end, as Resource Manager writes it.
 *
 * @throws ServiceError where callers without types give something else than a text
 */
export function normalizeScope(scope: string): string {
  if (typeof scope !== "string") {
    const message = `A resource ID or scope is a text, not ${inspect(scope, { depth: 0 })}.`;
    throw new ServiceError(400, "InvalidResourceId", message);
  }
  return `/${scope.split("/").filter(Boolean).join("/")}`;
}

/** What two spellings of the same scope have in common: resource IDs compare without case. */
export function scopeKey(scope: string): string {
  return normalizeScope(scope).toLowerCase();
}

const SHAPE =
  /^\/subscriptions\/[^/]+(\/resourceGroups\/[^/]+(\/providers\/[^/]+(\/[^/]+\/[^/]+)+)?)?$/i;

/** Whether a text is the ID of something that can have event subscriptions. */
export function isScope(text: string): boolean {
  return SHAPE.test(normalizeScope(text));
}

/**
 * The normalised scope of an event subscription: a subscription, a resource group or a resource.
 *
 * @throws ServiceError
 */
export function checkScope(scope: string, subscriptionId: string): string {
  const normalized = normalizeScope(scope);
  if (!isScope(normalized)) {
    throw new ServiceError(
      400,
      "InvalidResourceId",
      `'${scope}' is no scope of an event subscription. It must be /subscriptions/{id}, /subscriptions/{id}/resourceGroups/{name} or the ID of a resource.`,
    );
  }
  const ownSubscription = normalized.split("/")[2] ?? "";
  if (ownSubscription.toLowerCase() !== subscriptionId.toLowerCase()) {
    throw new ServiceError(
      404,
      "SubscriptionNotFound",
      `The subscription '${ownSubscription}' could not be found. This cloud has '${subscriptionId}'.`,
    );
  }
  return normalized;
}

/** The scope itself and every one above it, the widest first, as keys. */
export function scopeAndAbove(scope: string): string[] {
  const parts = scopeKey(scope).split("/");
  const ends = [3, 5];
  for (let end = 9; end <= parts.length; end += 2) ends.push(end);
  return ends.filter((end) => end <= parts.length).map((end) => parts.slice(0, end).join("/"));
}
