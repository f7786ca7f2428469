import { Token } from "cdktf";
import type { IConstruct } from "constructs";
import { knownAtPlan } from "./deterministic-id.js";

/**
 * How many assignments to make for a principal that could turn out to be one of the `holders`, who
 * have the assignment: one, or none. Undefined where it certainly is another, or where the answer
 * would come too late, because the number of resources has to be known when Terraform plans.
 */
export function noneOf(
  construct: IConstruct,
  holders: readonly string[],
  objectId: string,
): number | undefined {
  if (!knownAtPlan(construct, objectId)) return undefined;
  const others = holders
    .filter((holder) => Token.isUnresolved(holder) || Token.isUnresolved(objectId))
    .filter((holder) => knownAtPlan(construct, holder))
    .map(lowerCased);
  if (others.length === 0) return undefined;
  // As Terraform reads it: made of Fn it is four tokens, and a twentieth of all that a binding takes.
  return Token.asNumber(`\${contains([${others.join(", ")}], ${lowerCased(objectId)}) ? 0 : 1}`);
}

/** A value that is known at plan, which is a literal or one reference, within an expression. */
function lowerCased(value: string): string {
  return `lower(${Token.isUnresolved(value) ? value : JSON.stringify(value)})`;
}
