import {
  Fn,
  type IResolvable,
  type IResolveContext,
  type TerraformResourceLifecycle,
  Token,
  Tokenization,
} from "cdktf";
import {
  ConfigurationError,
  isObject,
  parseScope,
  type Scope,
  withoutSlashes,
} from "cloud-eventgrid-binding-runtime/internal";

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

/** Reports whether a value is a plain object: props, but no construct and no catalogue. */
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

/** The literals and the references of a string. */
function partsOf(text: string): string[] {
  const fragments = Tokenization.reverseString(text);
  if (fragments.length < 2) return [text];
  const parts: unknown = fragments.join({ join: (left, right) => [left, right].flat() });
  return Array.isArray(parts) ? parts : [text];
}

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

/** Reports whether an expression is a reference or a number. */
function isSimple(text: string): boolean {
  return /^[\w.-]+(\[[\w"]+\][\w.-]*)*$/.test(text);
}

/** One segment of a resource ID: 2 is its subscription, 4 its resource group, 8 its name. */
export function resourceIdSegment(resourceId: string, index: number): string {
  if (Token.isUnresolved(resourceId)) {
    return Token.asString(Fn.element(Fn.split("/", functionArgument(resourceId)), index));
  }
  return resourceId.split("/")[index] ?? "";
}

/** The scope that a literal resource ID names; undefined if it is not a scope of Event Grid. */
export function scopeNamedBy(resourceId: string): Scope | undefined {
  try {
    return parseScope(resourceId);
  } catch (error) {
    if (error instanceof ConfigurationError) return undefined;
    throw error;
  }
}

/** A resource ID without slashes at its ends, which do not matter. */
export function trimmedId(resourceId: string): string {
  return withoutSlashes(String(resourceId));
}

/**
 * The properties whose value is not undefined: the types of cdktf's resources tell a property that is
 * left out from one that is `undefined`.
 */
export function defined<Properties extends object>(
  properties: Properties,
): { [Name in keyof Properties]?: Exclude<Properties[Name], undefined> } {
  const set = Object.entries(properties).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as ReturnType<typeof defined<Properties>>;
}

/** Tags as resources take them. A map that is known only later may be one token. */
export function tagged(tags: Readonly<Record<string, string>> | undefined): {
  readonly tags?: Record<string, string>;
} {
  if (tags === undefined) return {};
  return { tags: isObject(tags) ? { ...tags } : tags };
}

/** The lifecycle of a resource that Terraform may refuse to destroy. */
export function protection(protect: boolean | undefined): {
  readonly lifecycle?: TerraformResourceLifecycle;
} {
  return protect ? { lifecycle: { preventDestroy: true } } : {};
}
