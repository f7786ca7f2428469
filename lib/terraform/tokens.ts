import { Fn, Token, Tokenization } from "cdktf";

/**
 * Replaces untyped tokens by string tokens: `variable.value` and a remote state's `get` have the type
 * `any`, so that the compiler accepts them in every prop.
 */
export function withTextTokens<Value>(value: Value): Value;
export function withTextTokens(value: unknown): unknown {
  if (Tokenization.isResolvable(value)) return Token.asString(value);
  if (Array.isArray(value)) return Token.isUnresolved(value) ? value : value.map(withTextTokens);
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withTextTokens(member)]),
  );
}

/** Whether a value is a plain object: props, but no construct and no catalogue. */
export function isPlain(value: unknown): value is object {
  return (
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}

/**
 * A string as an argument of a Terraform function. A mixture of literals and references is joined by
 * Terraform, because cdktf prints a warning about such strings.
 */
export function functionArgument(text: string): string {
  const parts = partsOf(text);
  return parts.length < 2 ? text : Fn.join("", parts);
}

/** A string with a placeholder for each value that is known only later. */
export function withPlaceholders(text: string, placeholder: string): string {
  return partsOf(text)
    .map((part) => (Token.isUnresolved(part) ? placeholder : part))
    .join("");
}

/** The literals and the references of a string. */
function partsOf(text: string): string[] {
  const fragments = Tokenization.reverseString(text);
  if (fragments.length < 2) return [text];
  const parts: unknown = fragments.join({ join: (left, right) => [left, right].flat() });
  return Array.isArray(parts) ? parts : [text];
}
