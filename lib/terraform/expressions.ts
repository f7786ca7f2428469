import { type IResolvable, type IResolveContext, Token, Tokenization } from "cdktf";

/**
 * A value as an operand of a Terraform operator or condition. cdktf writes conditionals, and what users
 * write as text, without parentheses: `a ? b : c` would become `a ? b : c != d`.
 */
export function operand(value: unknown): unknown {
  if (!Token.isUnresolved(value) || isMixture(value)) return value;
  return Token.asString(new Parenthesized(value));
}

/** Literals and references together, which cdktf puts in quotes. */
function isMixture(value: unknown): boolean {
  return typeof value === "string" && Tokenization.reverseString(value).length > 1;
}

class Parenthesized implements IResolvable {
  readonly creationStack: string[] = [];

  constructor(private readonly value: unknown) {}

  resolve(context: IResolveContext): unknown {
    const isPart = context.suppressBraces;
    context.suppressBraces = true;
    const text: unknown = context.resolve(this.value);
    if (typeof text !== "string") return text;
    const expression = isSimple(text) ? text : `(${text})`;
    return isPart ? expression : `\${${expression}}`;
  }

  toString(): string {
    return Token.asString(this);
  }
}

/** Whether an expression is a reference or a number. */
function isSimple(text: string): boolean {
  return /^[\w.-]+(\[[\w"]+\][\w.-]*)*$/.test(text);
}
