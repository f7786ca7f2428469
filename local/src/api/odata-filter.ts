import { asText } from "../base/index.js";

/** The ways in which a filter may use a property. */
export type FilterUse = "comparison" | "any" | FilterFunction;

type FilterFunction = keyof typeof functions;

/** What the filters of a service may contain. */
export interface FilterDialect<T> {
  /** The value of an item's property; `undefined` if filters may not use it in this way. */
  readonly property: (name: string, use: FilterUse) => ((item: T) => unknown) | undefined;
  /** Whether values such as `true` need no quotes. */
  readonly takesBareValues?: boolean;
  /** The error for a filter that contains something else. */
  readonly refused: (filter: string) => Error;
}

const functions = {
  contains: (value: string, text: string) => value.includes(text),
  startswith: (value: string, text: string) => value.startsWith(text),
};

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
    const condition = this.#negated() ?? this.#grouped() ?? this.#comparison();
    this.#depth--;
    return condition;
  }

  #negated(): Condition<T> | undefined {
    if (this.#take(/\s*not\b/iy) === undefined) return undefined;
    const negated = this.#factor();
    return (item) => !negated(item);
  }

  #grouped(): Condition<T> | undefined {
    if (this.#take(/\s*\(/y) === undefined) return undefined;
    const inner = this.#alternatives();
    this.#need(/\s*\)/y);
    return inner;
  }

  #comparison(): Condition<T> {
    const call = this.#take(/\s*\w+\s*\(/y)
      ?.trim()
      .replace(/\s*\($/, "")
      .toLowerCase();
    if (call !== undefined) return this.#call(call);
    const name = this.#need(/\s*[a-z]\w*(\/(?!any\()\w+)*/iy).trim();
    if (this.#take(/\/any\(/y) !== undefined) return this.#anyEquals(name);
    const operator = this.#need(/\s+(eq|ne)\s+/iy)
      .trim()
      .toLowerCase();
    const value = this.#property(name, "comparison");
    const wanted = this.#literal();
    return (item) => same(value(item), wanted) === (operator === "eq");
  }

  #call(name: string): Condition<T> {
    if (name !== "contains" && name !== "startswith") throw this.#error();
    const value = this.#property(this.#need(/\s*[a-z][\w/]*/iy).trim(), name);
    this.#need(/\s*,/y);
    const text = this.#quoted();
    this.#need(/\s*\)/y);
    return (item) => functions[name](asText(value(item) ?? "").toLowerCase(), text);
  }

  /** `identifierUris/any(uri:uri eq 'api://orders')` */
  #anyEquals(name: string): Condition<T> {
    const value = this.#property(name, "any");
    const variable = this.#need(/\s*\w+\s*:/y)
      .replace(":", "")
      .trim();
    if (this.#need(/\s*\w+/y).trim() !== variable) throw this.#error();
    this.#need(/\s+eq\s+/iy);
    const wanted = this.#quoted();
    this.#need(/\s*\)/y);
    return (item) => {
      const values = value(item);
      return Array.isArray(values) && values.some((each) => same(each, wanted));
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

/** @param wanted in lower case */
function same(value: unknown, wanted: string): boolean {
  return asText(value).toLowerCase() === wanted;
}
