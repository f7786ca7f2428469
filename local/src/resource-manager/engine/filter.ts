import { invalidRequest, ServiceError } from "../../base/index.js";

/** What the `$filter` of a list may use. Names are compared case-insensitively. */
export interface FilterRules {
  /** Properties for `eq` and `ne`. */
  readonly compared: readonly string[];
  /** Properties that each function searches. */
  readonly functions?: Readonly<Partial<Record<FilterFunction, readonly string[]>>>;
}

type FilterFunction = (typeof functionNames)[number];

/** The properties of an item by their lower-case names. */
export type FilterValues = Readonly<Record<string, string | undefined>>;

export type Condition = (values: FilterValues) => boolean;

const functionNames = ["contains", "startswith", "substringof"] as const;

const functions: Readonly<Record<FilterFunction, (value: string, text: string) => boolean>> = {
  contains: (value, text) => value.includes(text),
  startswith: (value, text) => value.startsWith(text),
  // The older form of `contains`, with the text in front.
  substringof: (value, text) => value.includes(text),
};

/**
 * Compiles an OData filter.
 *
 * @param rules `undefined` where no filter is supported
 * @throws ServiceError 400 for what the rules do not contain, so that no client gets more than it
 * asked for
 */
export function compileFilter(filter: string, rules: FilterRules | undefined): Condition {
  if (filter.trim() === "") return () => true;
  if (filter.length > MAX_LENGTH)
    throw invalidRequest(`The $filter is longer than ${MAX_LENGTH} characters.`);
  return new FilterParser(filter, rules).parse();
}

/** Limits the recursion of the parser. */
const MAX_LENGTH = 2_000;

/** Parses comparisons and functions, combined with `and`, `or`, `not` and parentheses. */
class FilterParser {
  #position = 0;

  constructor(
    private readonly text: string,
    private readonly rules: FilterRules = { compared: [] },
  ) {}

  parse(): Condition {
    const condition = this.#alternatives();
    this.#take(/\s*/y);
    if (this.#position < this.text.length) throw this.#error();
    return condition;
  }

  #alternatives(): Condition {
    const first = this.#conjunction();
    if (this.#take(/\s+or\s+/iy) === undefined) return first;
    const rest = this.#alternatives();
    return (values) => first(values) || rest(values);
  }

  #conjunction(): Condition {
    const first = this.#factor();
    if (this.#take(/\s+and\s+/iy) === undefined) return first;
    const rest = this.#conjunction();
    return (values) => first(values) && rest(values);
  }

  #factor(): Condition {
    this.#take(/\s+/y);
    if (this.#take(/not\b/iy) !== undefined) {
      const negated = this.#factor();
      return (values) => !negated(values);
    }
    if (this.#take(/\(/y) === undefined) return this.#comparison();
    const inner = this.#alternatives();
    if (this.#take(/\s*\)/y) === undefined) throw this.#error();
    return inner;
  }

  #comparison(): Condition {
    const name = functionNames.find((each) => this.#take(new RegExp(`${each}\\s*\\(`, "iy")));
    if (name !== undefined) return this.#call(name);
    const property = this.#property(this.rules.compared);
    const operator = this.#take(/\s+(eq|ne)\s+/iy)
      ?.trim()
      .toLowerCase();
    if (operator === undefined) throw this.#error();
    const text = this.#literal();
    return (values) => ((values[property] ?? "").toLowerCase() === text) === (operator === "eq");
  }

  #call(name: FilterFunction): Condition {
    const searched = this.rules.functions?.[name] ?? [];
    const isTextFirst = name === "substringof";
    const before = isTextFirst ? this.#literal() : this.#property(searched);
    if (this.#take(/\s*,/y) === undefined) throw this.#error();
    const after = isTextFirst ? this.#property(searched) : this.#literal();
    if (this.#take(/\s*\)/y) === undefined) throw this.#error();
    const [property, text] = isTextFirst ? [after, before] : [before, after];
    return (values) => functions[name]((values[property] ?? "").toLowerCase(), text);
  }

  #property(known: readonly string[]): string {
    const name = this.#take(/\s*[a-z][\w/]*/iy)
      ?.trim()
      .toLowerCase();
    if (name !== undefined && known.some((each) => each.toLowerCase() === name)) return name;
    throw this.#error();
  }

  #literal(): string {
    const quoted = this.#take(/\s*'(?:[^']|'')*'/y)?.trim();
    if (quoted === undefined) throw this.#error();
    return quoted.slice(1, -1).replaceAll("''", "'").toLowerCase();
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position;
    const match = pattern.exec(this.text)?.[0];
    if (match !== undefined) this.#position += match.length;
    return match;
  }

  #error(): ServiceError {
    const { compared, functions: searched = {} } = this.rules;
    const supported = [
      ...compared.map((property) => `${property} eq|ne '…'`),
      ...Object.entries(searched).flatMap(([name, properties]) =>
        properties.map((property) =>
          name === "substringof" ? `${name}('…', ${property})` : `${name}(${property}, '…')`,
        ),
      ),
    ];
    const remedy =
      supported.length === 0 ? "This list has no filter." : `It may use ${supported.join(", ")}.`;
    return new ServiceError(
      400,
      "InvalidFilterInQueryString",
      `Invalid $filter '${this.text}' specified in the query string. ${remedy}`,
    );
  }
}
