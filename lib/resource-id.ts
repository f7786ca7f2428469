import { Fn, Token } from "cdktf";

/** One segment of a resource ID: 2 is its subscription, 4 its resource group, 8 its name. */
export function resourceIdSegment(resourceId: string, index: number): string {
  if (Token.isUnresolved(resourceId)) {
    return Token.asString(Fn.element(Fn.split("/", resourceId), index));
  }
  return resourceId.split("/")[index] ?? "";
}
