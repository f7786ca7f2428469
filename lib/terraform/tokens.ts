import { Fn, Token, Tokenization } from "cdktf";

/**
 * Values that cdktf gives without a type, such as `variable.value` and what a remote state's `get`
 * gives, as texts that stand for them: the compiler takes them for anything.
 *
 * @returns the same, where there is none
 */
export function withTextTokens<Value>(given: Value): Value;
export function withTextTokens(given: unknown): unknown {
  if (Tokenization.isResolvable(given)) return Token.asString(given);
  if (Array.isArray(given)) return Token.isUnresolved(given) ? given : given.map(withTextTokens);
  if (!isPlain(given)) return given;
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [key, withTextTokens(value)]),
  );
}

/** Constructs and catalogues are left as they are. */
function isPlain(value: unknown): value is object {
  return (
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}

/**
 * A text as an argument of one of Terraform's functions. Where it is made of literals and references,
 * it is joined by Terraform: cdktf warns of such texts, whatever comes of them.
 */
export function functionArgument(text: string): string {
  const fragments = Tokenization.reverseString(text);
  if (fragments.length < 2) return text;
  const parts: unknown = fragments.join({ join: (left, right) => [left, right].flat() });
  return Array.isArray(parts) ? Fn.join("", parts) : text;
}
