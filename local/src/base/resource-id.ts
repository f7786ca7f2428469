import { inspect } from "node:util";
import { ServiceError } from "./errors.js";

/**
 * Writes a resource ID or scope as Resource Manager does: one leading slash, none at the end.
 *
 * @throws ServiceError 400 when an untyped caller passes something other than a string
 */
export function normalizeScope(scope: string): string {
  if (typeof scope !== "string") {
    const message = `A resource ID or scope must be a string, not ${inspect(scope, { depth: 0 })}.`;
    throw new ServiceError(400, "InvalidResourceId", message);
  }
  return `/${scope.split("/").filter(Boolean).join("/")}`;
}

/** A key for maps: resource IDs compare case-insensitively. */
export function scopeKey(scope: string): string {
  return normalizeScope(scope).toLowerCase();
}

/** Whether two resource IDs name the same resource. */
export function sameScope(one: string, other: string): boolean {
  return scopeKey(one) === scopeKey(other);
}

/** Whether a resource has this name or resource ID, in any case. */
export function isNamed(
  { id, name }: { readonly id: string; readonly name: string },
  nameOrId: string,
): boolean {
  return [id.toLowerCase(), name.toLowerCase()].includes(nameOrId.toLowerCase());
}

/** Whether `scope` equals `above` or lies below it. */
export function isWithin(scope: string, above: string): boolean {
  const upper = scopeKey(above);
  const lower = scopeKey(scope);
  return upper === "/" || lower === upper || lower.startsWith(`${upper}/`);
}

/** The subscription ID in a resource ID. */
export function subscriptionOf(scope: string): string | undefined {
  return /^\/subscriptions\/([^/]+)/i.exec(normalizeScope(scope))?.[1];
}

/** The ID of the resource that contains a resource. */
export function parentOf(id: string): string {
  return id.split("/").slice(0, -2).join("/");
}

/** The ID of the resource group that contains a resource. */
export function groupOf(id: string): string | undefined {
  return /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+/i.exec(id)?.[0];
}

const SHAPE =
  /^\/subscriptions\/[^/]+(\/resourceGroups\/[^/]+(\/providers\/[^/]+(\/[^/]+\/[^/]+)+)?)?$/i;

/** Whether event subscriptions can exist at this ID. */
export function isScope(text: string): boolean {
  return SHAPE.test(normalizeScope(text));
}

/** What is wrong with a scope that is none. */
export function scopeProblem(scope: string): string {
  return `'${scope}' cannot be the scope of an event subscription. It must be /subscriptions/{id}, /subscriptions/{id}/resourceGroups/{name} or the ID of a resource.`;
}

/**
 * The normalised scope of an event subscription: a subscription, a resource group or a resource.
 *
 * @throws ServiceError 400 for any other ID, 404 for another subscription
 */
export function checkScope(scope: string, subscriptionIds: readonly string[]): string {
  const normalized = normalizeScope(scope);
  if (!isScope(normalized)) {
    throw new ServiceError(400, "InvalidResourceId", scopeProblem(scope));
  }
  const ownSubscription = String(normalized.split("/")[2]);
  if (!subscriptionIds.includes(ownSubscription.toLowerCase())) {
    throw new ServiceError(
      404,
      "SubscriptionNotFound",
      `The subscription '${ownSubscription}' could not be found. This cloud has ${subscriptionIds.map((id) => `'${id}'`).join(", ")}.`,
    );
  }
  return normalized;
}

/**
 * Keys of the scopes whose event subscriptions get the events of a source: a resource group's
 * events also go to those of the Azure subscription, a resource's only to its own.
 *
 * @see https://learn.microsoft.com/azure/event-grid/event-schema-resource-groups
 */
export function scopesOfSource(source: string): string[] {
  const key = scopeKey(source);
  const segments = key.split("/");
  return segments.length === 5 ? [segments.slice(0, 3).join("/"), key] : [key];
}

/** Resources by their IDs, which compare case-insensitively. */
export class ResourceStore<T extends { readonly id: string }> {
  readonly #all = new Map<string, T>();

  /** Adds the resource, or replaces the one with its ID. */
  put(resource: T): void {
    this.#all.set(scopeKey(resource.id), resource);
  }

  get(id: string): T | undefined {
    return this.#all.get(scopeKey(id));
  }

  list(): T[] {
    return [...this.#all.values()];
  }

  /** The resource with an ID, and those below it. */
  in(id: string): T[] {
    return this.list().filter((each) => isWithin(each.id, id));
  }

  /** `false` if the resource does not exist. */
  delete(id: string): boolean {
    return this.#all.delete(scopeKey(id));
  }

  /** Plain JSON, if the resources are. */
  snapshot(): readonly T[] {
    return this.list();
  }

  /** Replaces all resources. */
  restore(resources: readonly T[]): void {
    this.#all.clear();
    for (const resource of resources) this.put(resource);
  }
}
