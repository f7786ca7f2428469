import { CloudEventGridError } from "../errors.js";
import { shownValue } from "./shown-value.js";
import { isUuid } from "./uuid.js";

/** A whole subscription. */
export interface SubscriptionScope {
  readonly kind: "subscription";
  readonly subscriptionId: string;
}

/** A resource group. */
export interface ResourceGroupScope {
  readonly kind: "resourceGroup";
  readonly subscriptionId: string;
  readonly resourceGroupName: string;
}

/** A top-level resource of a resource-provider namespace, such as a storage account. */
export interface ResourceScope {
  readonly kind: "resource";
  readonly subscriptionId: string;
  readonly resourceGroupName: string;
  readonly resourceProviderNamespace: string;
  readonly resourceType: string;
  readonly resourceName: string;
}

/** A custom topic of Event Grid. */
export interface TopicScope {
  readonly kind: "topic";
  readonly subscriptionId: string;
  readonly resourceGroupName: string;
  readonly topicName: string;
}

/** The resource on which an event subscription is made: one of four shapes. */
export type Scope = SubscriptionScope | ResourceGroupScope | ResourceScope | TopicScope;

/** Thrown by {@link parseScope} for an identifier that has none of the four shapes. */
export class InvalidScopeError extends CloudEventGridError {
  readonly code = "ERR_INVALID_SCOPE";
}

/** The four shapes, as a message names them. */
export const SCOPE_SHAPES =
  "/subscriptions/{id}, /subscriptions/{id}/resourceGroups/{name}, or " +
  "/subscriptions/{id}/resourceGroups/{name}/providers/{namespace}/{type}/{name}";

const TOPIC_NAMESPACE = "Microsoft.EventGrid";
const TOPIC_TYPE = "topics";

/**
 * Parses a resource identifier.
 *
 * Slashes at either end may be there or not, and the fixed words may be in any case, because
 * resource identifiers are compared without regard to it.
 *
 * @throws {InvalidScopeError} when it has none of the four shapes
 */
export function parseScope(text: string): Scope {
  const scope = readScope(text);
  if (typeof scope === "string") {
    throw new InvalidScopeError(
      `A scope must be ${SCOPE_SHAPES}, but ${shownValue(text)} ${scope}`,
    );
  }
  return scope;
}

/**
 * Writes a scope with one leading slash, none at the end and the fixed words in their usual case.
 * A trailing slash would make Terraform replace role assignments at every plan, and its destroy hang.
 */
export function formatScope(scope: Scope): string {
  const subscription = `/subscriptions/${scope.subscriptionId}`;
  if (scope.kind === "subscription") return subscription;
  const group = `${subscription}/resourceGroups/${scope.resourceGroupName}`;
  switch (scope.kind) {
    case "resourceGroup":
      return group;
    case "topic":
      return `${group}/providers/${TOPIC_NAMESPACE}/${TOPIC_TYPE}/${scope.topicName}`;
    case "resource":
      return `${group}/providers/${scope.resourceProviderNamespace}/${scope.resourceType}/${scope.resourceName}`;
  }
}

/** As {@link parseScope}, but tells in words what is wrong instead of throwing. */
export function readScope(text: string): Scope | string {
  const segments = text.replace(/^\/+|\/+$/g, "").split("/");
  if (segments.includes("")) return "has an empty segment";
  const odd = segments.find((segment) => !isName(segment));
  if (odd !== undefined) return `has the segment ${shownValue(odd)}, which is no name`;

  const [subscriptions, subscriptionId = "", groups, resourceGroupName, providers, ...resource] =
    segments;
  if (!same(subscriptions, "subscriptions")) return "does not begin with /subscriptions/";
  if (!isUuid(subscriptionId)) return "has no subscription ID (a UUID) after /subscriptions/";
  if (groups === undefined) return { kind: "subscription", subscriptionId };
  if (!same(groups, "resourceGroups")) return `has "${groups}" where /resourceGroups/ belongs`;
  if (resourceGroupName === undefined) return "has no name after /resourceGroups/";
  if (providers === undefined) {
    return { kind: "resourceGroup", subscriptionId, resourceGroupName };
  }
  if (!same(providers, "providers")) return `has "${providers}" where /providers/ belongs`;

  const [resourceProviderNamespace, resourceType, resourceName, ...nested] = resource;
  if (!resourceProviderNamespace || !resourceType || !resourceName) {
    return "does not name a resource as /providers/{namespace}/{type}/{name}";
  }
  if (nested.length > 0) {
    return "goes on after the resource's name: only a top-level resource can be a scope";
  }
  if (same(resourceProviderNamespace, TOPIC_NAMESPACE) && same(resourceType, TOPIC_TYPE)) {
    return { kind: "topic", subscriptionId, resourceGroupName, topicName: resourceName };
  }
  return {
    kind: "resource",
    subscriptionId,
    resourceGroupName,
    resourceProviderNamespace,
    resourceType,
    resourceName,
  };
}

function same(segment: string | undefined, word: string): boolean {
  return segment?.toLowerCase() === word.toLowerCase();
}

/** What Resource Manager takes in no name; braces are what an unfilled template leaves behind. */
function isName(segment: string): boolean {
  return !/[<>%&\\?#{}\s]|\p{Cc}/u.test(segment);
}
