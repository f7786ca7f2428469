import { Fn, Token } from "cdktf";
import { InvalidScopeError, parseScope, type Scope } from "cloud-eventgrid-binding-runtime/binding";

/** One segment of a resource ID: 2 is its subscription, 4 its resource group, 8 its name. */
export function resourceIdSegment(resourceId: string, index: number): string {
  if (Token.isUnresolved(resourceId)) {
    return Token.asString(Fn.element(Fn.split("/", resourceId), index));
  }
  return resourceId.split("/")[index] ?? "";
}

/** What a literal resource ID names; undefined for what is no scope of Event Grid. */
export function scopeNamedBy(resourceId: string): Scope | undefined {
  try {
    return parseScope(resourceId);
  } catch (error) {
    if (error instanceof InvalidScopeError) return undefined;
    throw error;
  }
}

/** Without the slashes at its ends, which count for nothing. */
export function trimmedId(resourceId: string): string {
  return String(resourceId).replace(/^\/+|\/+$/g, "");
}
