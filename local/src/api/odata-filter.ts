import { asText, field } from "../base/index.js";

/** The ways in which a filter may use a property: a kind of comparison, or a function. */
export type FilterUse = "equality" | "order" | "in" | "any" | FilterFunction;

type FilterFunction = keyof typeof functions;

/** The part of OData that a service's filters may use. */
export interface FilterDialect<T> {
  /**
   * The value of an item's property; `undefined` if filters may not use it in this way. May throw an
   * error that says more than `refused`.
   */
  readonly property: (name: string, use: FilterUse) => ((item: T) => unknown) | undefined;
  /** The service's own conditions without a property, such as `atScope()`, by lower-case names. */
  readonly conditions?: ReadonlyMap<string, (item: T) => boolean>;
  /** Whether values such as `true` need no quotes. */
  readonly takesBareValues?: boolean;
  /** The error for a filter that contains something else. */
  readonly refused: (filter: string) => Error;
}

const functions = {
  contains: (value: string, text: string) => value.includes(text),
  endswith: (value: string, text: string) => value.endsWith(text),
  startswith: (value: string, text: string) => value.startsWith(text),
  /** Of OData 3, with its arguments the other way round. */
  substringof: (value: string, text: string) => value.includes(text),
};

function isFunction(name: string): name is FilterFunction {
  return Object.hasOwn(functions, name);
}

/** Values in order are times, which compare as texts. */
const operators: ReadonlyMap<string, (value: string, wanted: string) => boolean> = new Map([
  ["eq", (value, wanted) => value === wanted],
  ["ne", (value, wanted) => value !== wanted],
  ["gt", (value, wanted) => value > wanted],
  ["ge", (value, wanted) => value >= wanted],
  ["lt", (value, wanted) => value < wanted],
  ["le", (value, wanted) => value <= wanted],
]);

/** Limits the recursion of the parser. */
const MAX_DEPTH = 100;

/**
 * Compiles an OData filter. Texts compare without regard to case.
 *
 * @throws what the dialect refuses with, so that no client gets more than it asked for
 */
export function compileFilter<T>(filter: string, dialect: FilterDialect<T>): (item: T) => boolean {
  if (filter.trim() === "") return () => true;
  return new FilterParser(filter, dialect).parse();
}

type Condition<T> = (item: T) => boolean;

/** Parses comparisons and functions, combined with `and`, `or`, `not` and parentheses. */
class FilterParser<T> {
  #position = 0;
  #depth = 0;

  constructor(
    private readonly text: string,
    private readonly dialect: FilterDialect<T>,
  ) {}

  parse(): Condition<T> {
    const condition = this.#alternatives();
    this.#take(/\s*/y);
    if (this.#position < this.text.length) throw this.#error();
    return condition;
  }

  #alternatives(): Condition<T> {
    const any = [this.#conjunction()];
    while (this.#take(/\s+or\s+/iy) !== undefined) any.push(this.#conjunction());
    return (item) => any.some((condition) => condition(item));
  }

  #conjunction(): Condition<T> {
    const all = [this.#factor()];
    while (this.#take(/\s+and\s+/iy) !== undefined) all.push(this.#factor());
    return (item) => all.every((condition) => condition(item));
  }

  #factor(): Condition<T> {
    this.#depth++;
    if (this.#depth > MAX_DEPTH) throw this.#error();
    const condition = this.#negated() ?? this.#comparison();
    this.#depth--;
    return condition;
  }

  #negated(): Condition<T> | undefined {
    if (this.#take(/\s*not\b/iy) === undefined) return undefined;
    const negated = this.#factor();
    return (item) => !negated(item);
  }

  #comparison(): Condition<T> {
    const call = this.#take(/\s*\w*\s*\(/y)
      ?.replace(/\W/g, "")
      .toLowerCase();
    if (call === "") return this.#group();
    if (call !== undefined) return this.#call(call);
    const name = this.#need(/\s*[a-z]\w*(\/(?!any\()\w+)*/iy).trim();
    if (this.#take(/\/any\(/y) !== undefined) return this.#anyEquals(name);
    if (this.#take(/\s+in\s*\(/iy) !== undefined) return this.#isIn(name);
    const { use, holds } = this.#operator();
    const value = this.#property(name, use);
    const wanted = this.#literal();
    return (item) => holds(folded(value(item)), wanted);
  }

  #group(): Condition<T> {
    const inner = this.#alternatives();
    this.#need(/\s*\)/y);
    return inner;
  }

  #operator() {
    const name = this.#need(/\s+\w+\s+/y)
      .trim()
      .toLowerCase();
    const use: FilterUse = name === "eq" || name === "ne" ? "equality" : "order";
    const holds = operators.get(name);
    if (!holds) throw this.#error();
    return { use, holds };
  }

  #isIn(name: string): Condition<T> {
    const value = this.#property(name, "in");
    const wanted = [this.#literal()];
    while (this.#take(/\s*,/y) !== undefined) wanted.push(this.#literal());
    this.#need(/\s*\)/y);
    return (item) => wanted.includes(folded(value(item)));
  }

  #call(name: string): Condition<T> {
    const own = this.dialect.conditions?.get(name);
    if (own && this.#take(/\s*\)/y) !== undefined) return own;
    if (!isFunction(name)) throw this.#error();
    const isTextFirst = name === "substringof";
    const first = isTextFirst ? this.#quoted() : this.#need(/\s*[a-z][\w/]*/iy).trim();
    this.#need(/\s*,/y);
    const second = isTextFirst ? this.#need(/\s*[a-z][\w/]*/iy).trim() : this.#quoted();
    this.#need(/\s*\)/y);
    const [property, text] = isTextFirst ? [second, first] : [first, second];
    const value = this.#property(property, name);
    return (item) => functions[name](folded(value(item) ?? ""), text);
  }

  /** `identifierUris/any(uri:uri eq 'api://orders')`, and `appRoles/any(role:role/value eq 'send')` */
  #anyEquals(name: string): Condition<T> {
    const value = this.#property(name, "any");
    const variable = this.#need(/\s*\w+\s*:/y)
      .replace(":", "")
      .trim();
    const [start, ...path] = this.#need(/\s*\w+(\/\w+)*/y)
      .trim()
      .split("/");
    if (start !== variable) throw this.#error();
    const { holds } = this.#operator();
    const wanted = this.#literal();
    this.#need(/\s*\)/y);
    return (item) => {
      const values = value(item);
      return (
        Array.isArray(values) && values.some((each) => holds(folded(field(each, ...path)), wanted))
      );
    };
  }

  #property(name: string, use: FilterUse): (item: T) => unknown {
    const value = this.dialect.property(name, use);
    if (value) return value;
    throw this.#error();
  }

  #literal(): string {
    const bare = this.dialect.takesBareValues ? this.#take(/\s*[\w.:-]+/y) : undefined;
    return bare === undefined ? this.#quoted() : bare.trim().toLowerCase();
  }

  #quoted(): string {
    const quoted = this.#need(/\s*'(?:[^']|'')*'/y).trim();
    return quoted.slice(1, -1).replaceAll("''", "'").toLowerCase();
  }

  #need(pattern: RegExp): string {
    const taken = this.#take(pattern);
    if (taken === undefined) throw this.#error();
    return taken;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position;
    const match = pattern.exec(this.text)?.[0];
    if (match !== undefined) this.#position += match.length;
    return match;
  }

  #error(): Error {
    return this.dialect.refused(this.text);
  }
}

/** A value as a text in lower case; `null` for a missing one. */
function folded(value: unknown): string {
  return asText(value ?? null).toLowerCase();
}
