import { groupsOf } from "./text.js";

/** A resource ID with the slash at its beginning, which some shells rewrite, and none at its end. */
export function trimmedId(text: string): string {
  return `/${text.replace(/^\/+|\/+$/g, "")}`;
}

/** Reports whether two IDs are the same; Azure compares them without regard to case. */
export function sameId(a: string | undefined, b: string): boolean {
  return a?.toLowerCase() === b.toLowerCase();
}

/** The Azure subscription that a resource is in: `/subscriptions/ID`. */
export function subscriptionOf(id: string): string | undefined {
  return /^\/subscriptions\/[^/]+/i.exec(id)?.[0];
}

/** The ID of the Azure subscription that a resource is in. */
export function subscriptionIdOf(id: string | undefined): string | undefined {
  return groupsOf(/^\/subscriptions\/([^/]+)/i, id)[0] || undefined;
}

export function isTopic(id: string): boolean {
  return /\/providers\/Microsoft\.EventGrid\/topics\/[^/]+$/i.test(id);
}

export function isDomain(id: string): boolean {
  return /\/providers\/Microsoft\.EventGrid\/domains\/[^/]+$/i.test(id);
}
