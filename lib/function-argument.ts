import { Fn, Tokenization } from "cdktf";

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
