import { createHash } from "node:crypto";
import {
  DefaultTokenResolver,
  StringConcat,
  TerraformResource,
  TerraformStack,
  Token,
  Tokenization,
} from "cdktf";
import type { IConstruct } from "constructs";

/** Namespace of the UUIDs: an arbitrary constant that must never change. */
const NAMESPACE = "2f9a4f8c-5c0e-4a44-9d0b-6c1f6b0a7a51";

const resolver = new DefaultTokenResolver(new StringConcat());

/** A UUID (version 5) that depends only on `name`. */
export function uuidOf(name: string): string {
  const bytes = createHash("sha1")
    .update(Buffer.from(NAMESPACE.replaceAll("-", ""), "hex"))
    .update(name)
    .digest()
    .subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Eight hexadecimal digits that depend only on the parts. */
export function shortHash(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 8);
}

/** A string that is the same for equal values, also for tokens. */
export function identityOf(construct: IConstruct, value: string): string {
  if (!Token.isUnresolved(value)) return value;
  return String(
    Tokenization.resolve(value, {
      scope: TerraformStack.of(construct),
      resolver,
      preparing: false,
    }),
  );
}

/**
 * The same for a value whose case does not matter, such as a UUID or a resource ID. The case of a
 * token matters, because it is an address.
 */
export function identityInAnyCase(construct: IConstruct, value: string): string {
  return Token.isUnresolved(value) ? identityOf(construct, value) : String(value).toLowerCase();
}

/** Reports whether two values are equal regardless of case. Different tokens count as different. */
export function sameIdentity(construct: IConstruct, value: string, other: string): boolean {
  return identityInAnyCase(construct, value) === identityInAnyCase(construct, other);
}

/** The address of a resource in Terraform. It may change until synthesis. */
export function addressOf({
  terraformResourceType,
  friendlyUniqueId,
}: Pick<TerraformResource, "terraformResourceType" | "friendlyUniqueId">): string {
  return `${terraformResourceType}.${friendlyUniqueId}`;
}

/** The resource of the stack one of whose attributes a value is: `id`; undefined for other values. */
export function resourceWith(
  construct: IConstruct,
  value: unknown,
  attribute: string,
): TerraformResource | undefined {
  if (typeof value !== "string" || !Token.isUnresolved(value)) return undefined;
  const reference = identityOf(construct, value);
  return TerraformStack.of(construct)
    .node.findAll()
    .filter(TerraformResource.isTerraformResource)
    .find((resource) => reference === `\${${addressOf(resource)}.${attribute}}`);
}

/** The stack of the resource that a token refers to; undefined for other values. */
export function originOf(value: string): TerraformStack | undefined {
  for (const token of Tokenization.reverseString(value).tokens) {
    const origin: unknown = "originStack" in token ? token.originStack : undefined;
    if (TerraformStack.isStack(origin)) return origin;
  }
  return undefined;
}

/**
 * Reports whether a value is known at the first plan, so that the number of resources may depend on it:
 * literals, variables and data sources are, attributes of the stack's own resources are not.
 */
export function knownAtPlan(construct: IConstruct, value: string): boolean {
  const text = identityOf(construct, value);
  return text === value || /^\$\{(var|local|data)\.[\w.-]+\}$/.test(text);
}

/**
 * The number of assignments to create for a principal that may turn out to be one of `holders`, which
 * have the assignment already: one or none. Undefined if it certainly is another principal, or if the
 * number would be unknown when Terraform plans.
 */
export function countUnlessAmong(
  construct: IConstruct,
  holders: readonly string[],
  objectId: string,
): number | undefined {
  if (!knownAtPlan(construct, objectId)) return undefined;
  const others = holders
    .filter((holder) => Token.isUnresolved(holder) || Token.isUnresolved(objectId))
    .filter((holder) => knownAtPlan(construct, holder))
    .map(lowerExpression);
  if (others.length === 0) return undefined;
  // Written as Terraform source: as four tokens it took 5 % of the time to synthesize a binding.
  return Token.asNumber(
    `\${contains([${others.join(", ")}], ${lowerExpression(objectId)}) ? 0 : 1}`,
  );
}

/** A literal or a reference within an expression. */
function lowerExpression(value: string): string {
  return `lower(${Token.isUnresolved(value) ? value : JSON.stringify(value)})`;
}
