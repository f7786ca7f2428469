import { withoutSlashes } from "cloud-eventgrid-binding-runtime/internal";

/** A resource ID with the slash at its beginning, which some shells rewrite, and none at its end. */
export function trimmedId(text: string): string {
  return `/${withoutSlashes(text)}`;
}

/** Reports whether two IDs are the same; Azure compares them without regard to case. */
export function sameId(a: string | undefined, b: string): boolean {
  return a?.toLowerCase() === b.toLowerCase();
}

/** The Azure subscription that a resource is in: `/subscriptions/ID`. */
export function subscriptionOf(id: string): string | undefined {
  const [start, collection, name] = id.split("/");
  return start === "" && sameId(collection, "subscriptions") && name
    ? `/${collection}/${name}`
    : undefined;
}

/** The ID of what a resource is in. */
export function parentOf(id: string): string {
  return id.split("/").slice(0, -2).join("/");
}

/** The types of resources that their IDs tell apart. */
export type TypeName =
  | `Microsoft.EventGrid/${"topics" | "systemTopics" | "partnerTopics" | "eventSubscriptions"}`
  | `Microsoft.EventGrid/domains${"" | "/topics"}`
  | `Microsoft.EventGrid/namespaces${"" | "/topics" | "/topics/eventSubscriptions"}`
  | "Microsoft.Storage/storageAccounts";

/** The names in the ID of a resource, from the outside in; none for one of another type. */
export function namesIn(id: string, type: TypeName): readonly string[] {
  const names = segmentsOf(id).filter((_, index) => index > 0 && index % 2 === 0);
  const isWhole = names.length === type.split("/").length - 1 && !names.includes("");
  return isWhole && sameId(typeIn(id), type) ? names : [];
}

/** Namespace and type in the ID of a resource, in the case of the ID. */
export function typeIn(id: string): string {
  return segmentsOf(id)
    .filter((_, index) => index === 0 || index % 2 === 1)
    .join("/");
}

/** The namespace of the innermost resource, and its types and names. */
function segmentsOf(id: string): string[] {
  return id.replace(/.*\/providers\//i, "").split("/");
}

/** Reports whether an ID is that of a resource of one of these types. */
export function isOfType(id: string, ...types: readonly TypeName[]): boolean {
  return types.some((type) => namesIn(id, type).length > 0);
}

/** The ID of the Azure subscription that a resource is in. */
export function subscriptionIdOf(id: string | undefined): string | undefined {
  return id === undefined ? undefined : subscriptionOf(id)?.split("/")[2];
}

export function isTopic(id: string): boolean {
  return isOfType(id, "Microsoft.EventGrid/topics");
}

export function isDomain(id: string): boolean {
  return isOfType(id, "Microsoft.EventGrid/domains");
}
