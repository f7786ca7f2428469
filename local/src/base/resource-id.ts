import { inspect } from "node:util";
import { serviceError } from "./service-error.js";
import { sameText } from "./text.js";

/**
 * Writes a resource ID or scope as Resource Manager does: one leading slash, none at the end.
 *
 * @throws ServiceError 400 when an untyped caller passes something other than a string
 */
export function normalizeScope(scope: string): string {
  if (typeof scope !== "string") {
    const message = `A resource ID or scope must be a string, not ${inspect(scope, { depth: 0 })}.`;
    throw serviceError.InvalidResourceId(message);
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
  const [, collection, id] = normalizeScope(scope).split("/");
  return sameText(collection, "subscriptions") ? id : undefined;
}

/** Whether a scope is a whole subscription. */
export function isSubscription(scope: string): boolean {
  return sameScope(scope, `/subscriptions/${subscriptionOf(scope)}`);
}

/** The name at the end of a resource ID. */
export function nameIn(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1);
}

/** The ID of the resource that contains a resource. */
export function parentOf(id: string): string {
  return id.split("/").slice(0, -2).join("/");
}

/** The ID of the outermost resource that contains a resource, such as a namespace; its own if none does. */
export function outermostOf(id: string): string {
  return id.split("/", 9).join("/");
}

/** The scope of what is attached to one, such as a role assignment. */
export function attachedTo(id: string): string {
  return id.slice(0, id.toLowerCase().lastIndexOf("/providers/"));
}

/** The ID of the resource group that contains a resource. */
export function groupOf(id: string): string | undefined {
  const group = id.split("/", 5).join("/");
  return isScope(group) && !isSubscription(group) ? group : undefined;
}

/** The name of the resource group that contains a resource. */
export function groupNameOf(id: string): string | undefined {
  const group = groupOf(id);
  return group && nameIn(group);
}

/** Whether resources of a type are part of others: `Microsoft.Network/virtualNetworks/subnets`. */
export function isChildType(type: string): boolean {
  return type.split("/").length > 2;
}

/** The words before the subscription, the resource group and the namespace in a resource ID. */
const COLLECTIONS = ["subscriptions", "resourceGroups", "providers"];

/** Whether event subscriptions can exist at this ID. */
export function isScope(text: string): boolean {
  const [, ...segments] = normalizeScope(text).split("/");
  const collections = segments.filter((_, index) => index % 2 === 0);
  const isPaired = segments.length === collections.length * 2;
  const isNamespace = collections.length === COLLECTIONS.length;
  return (
    isPaired &&
    !isNamespace &&
    COLLECTIONS.every((word, index) => sameText(collections[index] ?? word, word))
  );
}

/** The types of resources whose IDs are read here. */
export type TypeName =
  | `Microsoft.EventGrid/${"topics" | "domains" | "domains/topics" | "partnerTopics"}`
  | `Microsoft.EventGrid/${"systemTopics" | "systemTopics/eventSubscriptions"}`
  | `Microsoft.EventGrid/namespaces${"" | "/topics" | "/topics/eventSubscriptions"}`
  | `Microsoft.ServiceBus/namespaces/${"queues" | "topics"}`
  | "Microsoft.EventHub/namespaces/eventhubs"
  | `Microsoft.Storage/storageAccounts${"" | "/queueServices/queues"}`
  | "Microsoft.Insights/actionGroups"
  | "Microsoft.KeyVault/vaults"
  | "Microsoft.Maps/accounts"
  | "Microsoft.Network/virtualNetworks/subnets";

/** Namespace and type in the ID of a resource or of a collection, in the case of the ID. */
export function typeOf(id: string): string {
  return providerSegments(id)
    .filter((_, index) => index === 0 || index % 2 === 1)
    .join("/");
}

/** Whether an ID is that of a resource, or of a collection, of one of these types. */
export function isOfType(id: string, ...types: readonly TypeName[]): boolean {
  return types.some((type) => sameText(typeOf(id), type));
}

/** The names in the ID of a resource, from the outside in; none for the ID of another type. */
export function namesIn(id: string, type: TypeName): string[] {
  const names = providerSegments(id).filter((_, index) => index > 0 && index % 2 === 0);
  const isWhole = names.length === type.split("/").length - 1 && !names.includes("");
  return isWhole && isOfType(id, type) ? names : [];
}

function providerSegments(id: string): string[] {
  return id.toLowerCase().includes("/providers/")
    ? id.replace(/.*\/providers\//i, "").split("/")
    : [];
}

/** The scope in the ID of an event subscription, or of a list of them; another ID as it is. */
export function scopeOfSubscription(id: string): string {
  return id.replace(/(\/providers\/Microsoft\.EventGrid)?\/eventSubscriptions(\/[^/]*)?$/i, "");
}

/** Whether an ID begins as those of resources and of a provider's objects do. */
export function isQualified(id: string): boolean {
  const [start, collection, name = ""] = id.split("/");
  const isKnown = sameText(collection, "subscriptions") || sameText(collection, "providers");
  return start === "" && isKnown && name !== "";
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
    throw serviceError.InvalidResourceId(scopeProblem(scope));
  }
  const ownSubscription = String(subscriptionOf(normalized));
  if (!subscriptionIds.includes(ownSubscription.toLowerCase())) {
    throw serviceError.SubscriptionNotFound(
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
