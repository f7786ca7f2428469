import { normalizeScope, scopeKey } from "../eventgrid/scope.js";

export { normalizeScope };

/** Whether two resource IDs name the same thing; they compare without regard to case. */
export function sameScope(one: string, other: string): boolean {
  return scopeKey(one) === scopeKey(other);
}

/** Whether `scope` is `above` or lies below it. */
export function isWithin(scope: string, above: string): boolean {
  const upper = scopeKey(above);
  const lower = scopeKey(scope);
  return upper === "/" || lower === upper || lower.startsWith(`${upper}/`);
}

/** The subscription ID in a resource ID. */
export function subscriptionOf(scope: string): string | undefined {
  return /^\/subscriptions\/([^/]+)/i.exec(normalizeScope(scope))?.[1];
}
