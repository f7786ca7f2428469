import { ConfigurationError, statedProblem } from "../errors.js";
import { showValue } from "../validation/index.js";
import { anchored, SCOPE } from "./patterns.js";

/** The parts of a scope in a resource group. */
interface InResourceGroup {
  readonly subscriptionId: string;
  readonly resourceGroupName: string;
}

/**
 * The resource of an event subscription: a whole subscription, a resource group, a custom topic of Event
 * Grid, or another top-level resource such as a storage account.
 */
export type Scope =
  | { readonly kind: "subscription"; readonly subscriptionId: string }
  | ({ readonly kind: "resourceGroup" } & InResourceGroup)
  | ({ readonly kind: "topic"; readonly topicName: string } & InResourceGroup)
  | ({
      readonly kind: "resource";
      readonly resourceProviderNamespace: string;
      readonly resourceType: string;
      readonly resourceName: string;
    } & InResourceGroup);

/** The four forms, as a message names them. */
export const SCOPE_SHAPES =
  "/subscriptions/{id}, /subscriptions/{id}/resourceGroups/{name}, or " +
  "/subscriptions/{id}/resourceGroups/{name}/providers/{namespace}/{type}/{name}";

const TOPIC_NAMESPACE = "Microsoft.EventGrid";
const TOPIC_TYPE = "topics";

const shape = new RegExp(anchored(SCOPE));

/**
 * Parses a resource identifier.
 *
 * Slashes at either end do not matter, and the fixed words may be in any case, because Azure
 * compares resource identifiers without regard to case.
 *
 * @throws {ConfigurationError} when it has none of the four forms
 */
export function parseScope(text: string): Scope {
  if (!shape.test(text)) {
    const shown = showValue(text);
    const reason = explainScope(text, shown) ?? `is ${shown}`;
    throw new ConfigurationError("The scope is invalid", [
      statedProblem("scope", { scope: `it must be ${SCOPE_SHAPES}, but ${reason}` }),
    ]);
  }
  const [, subscription, , resourceGroupName, , namespace, type, name] = segmentsOf(text);
  const subscriptionId = String(subscription);
  if (resourceGroupName === undefined) return { kind: "subscription", subscriptionId };
  const group = { subscriptionId, resourceGroupName };
  if (namespace === undefined || type === undefined || name === undefined) {
    return { kind: "resourceGroup", ...group };
  }
  if (same(namespace, TOPIC_NAMESPACE) && same(type, TOPIC_TYPE)) {
    return { kind: "topic", ...group, topicName: name };
  }
  return {
    kind: "resource",
    ...group,
    resourceProviderNamespace: namespace,
    resourceType: type,
    resourceName: name,
  };
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

/** Explains why a value has none of the four forms, see {@link Rule.explain}. */
export function explainScope(value: unknown, shown: string): string | undefined {
  if (typeof value === "object" && value !== null) return `is ${shown}: use the resource's id`;
  const text = String(value);
  if (/^https?:[/][/]/i.test(text)) {
    return (
      `${shown} is a URL, not a resource ID: pass the id of the resource's construct, or the ` +
      "resource ID that the portal shows among the properties of the resource"
    );
  }
  return segmentsOf(text).length > 8
    ? `${shown} continues after the resource's name: only a top-level resource can be a scope`
    : undefined;
}

function segmentsOf(text: string): string[] {
  return withoutSlashes(text).split("/");
}

/** A resource ID without the slashes at its ends, which do not matter. */
export function withoutSlashes(id: string): string {
  return withoutSlashesAtEnd(id).replace(/^\/+/, "");
}

/** A URL or a resource ID without the slashes at its end. */
export function withoutSlashesAtEnd(text: string): string {
  return text.replace(/\/+$/, "");
}

function same(segment: string | undefined, word: string): boolean {
  return segment?.toLowerCase() === word.toLowerCase();
}
