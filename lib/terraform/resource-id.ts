import { Fn, Token } from "cdktf";
import { InvalidScopeError, parseScope, type Scope } from "cloud-eventgrid-binding-runtime/binding";

/** One segment of a resource ID: 2 is its subscription, 4 its resource group, 8 its name. */
export function resourceIdSegment(resourceId: string, index: number): string {
  if (Token.isUnresolved(resourceId)) {
    return Token.asString(Fn.element(Fn.split("/", resourceId), index));
  }
  return resourceId.split("/")[index] ?? "";
}

/** The scope that a literal resource ID names; undefined if it is not a scope of Event Grid. */
export function scopeNamedBy(resourceId: string): Scope | undefined {
  try {
    return parseScope(resourceId);
  } catch (error) {
    if (error instanceof InvalidScopeError) return undefined;
    throw error;
  }
}

/** A resource ID without slashes at its ends, which do not matter. */
export function trimmedId(resourceId: string): string {
  return String(resourceId).replace(/^\/+|\/+$/g, "");
}
