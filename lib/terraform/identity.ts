import { createHash } from "node:crypto";
import { DefaultTokenResolver, StringConcat, TerraformStack, Token, Tokenization } from "cdktf";
import type { IConstruct } from "constructs";

/** Namespace of the UUIDs made here: an arbitrary constant that must never change. */
const NAMESPACE = "2f9a4f8c-5c0e-4a44-9d0b-6c1f6b0a7a51";

const resolver = new DefaultTokenResolver(new StringConcat());

/** A UUID (version 5) that depends on `name` only. */
export function uuidOf(name: string): string {
  const bytes = createHash("sha1")
    .update(Buffer.from(NAMESPACE.replaceAll("-", ""), "hex"))
    .update(name)
    .digest()
    .subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Eight hexadecimal digits that depend on the parts only. */
export function shortHash(...parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 8);
}

/** Text that is the same for the same value, also where the value is known only at apply. */
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
 * The same of a value that is the same in any case, such as a UUID and a resource ID. What stands
 * for one is an address, in which case counts.
 */
export function identityInAnyCase(construct: IConstruct, value: string): string {
  return Token.isUnresolved(value) ? identityOf(construct, value) : String(value).toLowerCase();
}

/** Whether both are the same value in any case, as far as synthesis can tell. */
export function sameIdentity(construct: IConstruct, one: string, other: string): boolean {
  return identityInAnyCase(construct, one) === identityInAnyCase(construct, other);
}

/** The stack of the resource that tells a value; undefined for what comes from no resource. */
export function originOf(value: string): TerraformStack | undefined {
  for (const token of Tokenization.reverseString(value).tokens) {
    const origin: unknown = "originStack" in token ? token.originStack : undefined;
    if (TerraformStack.isStack(origin)) return origin;
  }
  return undefined;
}

/**
 * Whether a value can decide at plan how many resources there are: a literal can, and a variable or
 * something looked up; what a resource of the same stack tells is unknown at the first plan.
 */
export function knownAtPlan(construct: IConstruct, value: string): boolean {
  const text = identityOf(construct, value);
  return text === value || /^\$\{(var|local|data)\.[\w.-]+\}$/.test(text);
}

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
