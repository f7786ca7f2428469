import {
  type Alternative,
  alternatives,
  isAnything,
  isSame,
  listOf,
  membersOf,
  valuesOf,
} from "./alternatives.js";

/**
 * What a change means for consumers that were written for the earlier contract: `breaks` if they may
 * receive what it did not allow, `warning` if only exhaustive readers do not know a value, `unknown` if
 * the rules do not tell, `safe` otherwise.
 */
export type Effect = "breaks" | "unknown" | "warning" | "safe";

/** A change of a payload. */
export interface Change {
  readonly effect: Effect;
  /** Where, such as `data.items[].price`. */
  readonly path: string;
  readonly message: string;
}

/** A schema, with the document that its references point into. */
export interface Located {
  readonly schema: unknown;
  readonly document: unknown;
}

/** Keywords that bound the values of a type, and how to say so. */
const BOUNDS = [
  ["string", "minLength", "maxLength", "can be", "shorter", "longer"],
  ["array", "minItems", "maxItems", "can have", "fewer items", "more items"],
  ["object", "minProperties", "maxProperties", "can have", "fewer properties", "more properties"],
  ["number", "minimum", "maximum", "can be", "less", "greater"],
] as const;

/** Assertions that can only narrow a schema, and that are compared as a whole. */
const WHOLE = (
  "pattern format multipleOf uniqueItems contains minContains maxContains propertyNames if not " +
  "patternProperties dependencies dependentRequired dependentSchemas unevaluatedProperties " +
  "unevaluatedItems contentEncoding contentMediaType"
).split(" ");

const UNDERSTOOD = new Set([
  ...BOUNDS.flat(),
  ...WHOLE,
  ..."type enum const required properties additionalProperties items prefixItems additionalItems".split(
    " ",
  ),
  ..."exclusiveMinimum exclusiveMaximum then else".split(" "),
]);

/**
 * Compares the schemas of what a producer sends before and after a change. Safe is what was valid
 * before; an additional property is safe, too, unless the earlier schema is closed.
 *
 * @see https://json-schema.org/draft-07/json-schema-validation
 */
export function compareSchemas(before: Located, after: Located, path: string): Change[] {
  /** A recursive schema holds if it holds everywhere else. */
  const pairs = new Set<string>();

  function compare(earlier: unknown, later: unknown, at: string): Change[] {
    const pair = JSON.stringify([earlier, later]);
    if (pairs.has(pair)) return [];
    pairs.add(pair);
    try {
      const old = alternatives(earlier, before.document, UNDERSTOOD);
      const now = alternatives(later, after.document, UNDERSTOOD);
      if (old === undefined || now === undefined) {
        const isEqual = isSame(earlier, later) && !pair.includes('"$ref"');
        return isEqual ? [] : [change("unknown", at, "has a schema that cannot be compared")];
      }
      if (isSame(old, now) && !JSON.stringify(old).includes('"$ref"')) return [];
      const changes = old.some(isAnything) ? [] : now.flatMap((each) => closest(old, each, at));
      const isNarrower = changes.length === 0 && !isSame(old, now);
      return isNarrower ? [change("safe", at, "allows less than before")] : unique(changes);
    } finally {
      pairs.delete(pair);
    }
  }

  /** The changes to the earlier alternative that an alternative is closest to. */
  function closest(earlier: readonly Alternative[], later: Alternative, at: string): Change[] {
    const ofType = earlier.filter(({ type }) => {
      return type === later.type || (type === "number" && later.type === "integer");
    });
    const [best] = ofType
      .map((each) => alternative(each, later, at))
      .sort((a, b) => worst(a) - worst(b) || a.length - b.length);
    const shown = isAnything(later) ? "of any type" : `of type ${String(later.type)}`;
    if (best === undefined) return [change("breaks", at, `can be ${shown}, which was not allowed`)];
    const isNew = ofType.length > 1 && worst(best) === EFFECTS.indexOf("breaks");
    return isNew ? [change("breaks", at, `has a new alternative ${shown}`)] : best;
  }

  function alternative(earlier: Alternative, later: Alternative, at: string): Change[] {
    return [
      ...values(earlier, later, at),
      ...BOUNDS.flatMap((each) => bounds(earlier, later, each, at)),
      ...WHOLE.flatMap((keyword) => whole(earlier, later, keyword, at)),
      ...(later.type === "object" ? properties(earlier, later, at) : []),
      ...(later.type === "array" ? items(earlier, later, at) : []),
    ];
  }

  function properties(earlier: Alternative, later: Alternative, at: string): Change[] {
    const [old, now] = [membersOf(earlier), membersOf(later)];
    const [was, is] = [new Set(listOf(earlier.required)), new Set(listOf(later.required))];
    const [others, further] = [
      earlier.additionalProperties ?? true,
      later.additionalProperties ?? true,
    ];
    const found: Change[] = [];
    for (const [name, schema] of Object.entries(old)) {
      const place = `${at}.${name}`;
      if (!Object.hasOwn(now, name)) found.push(change("breaks", place, "is gone"));
      else {
        if (!was.has(name) && is.has(name)) found.push(change("safe", place, "is always there"));
        found.push(...compare(schema, now[name], place));
      }
    }
    for (const name of was) {
      if (is.has(name) || (Object.hasOwn(old, String(name)) && !Object.hasOwn(now, String(name))))
        continue;
      found.push(change("breaks", `${at}.${name}`, "can be missing"));
    }
    for (const [name, schema] of Object.entries(now)) {
      const place = `${at}.${name}`;
      if (Object.hasOwn(old, name)) continue;
      if (others === true) found.push(change("safe", place, "is new"));
      else if (others !== false) found.push(...compare(others, schema, place));
      else found.push(change("breaks", place, "is new, and no other properties were allowed"));
    }
    if (others === true || further === false) return found;
    if (others !== false) return [...found, ...compare(others, further, `${at}.*`)];
    return [...found, change("breaks", at, "can have other properties, which were not allowed")];
  }

  function items(earlier: Alternative, later: Alternative, at: string): Change[] {
    const [old, now] = [tupleOf(earlier), tupleOf(later)];
    const found: Change[] = [];
    for (let index = 0; index < Math.max(old.first.length, now.first.length); index++) {
      const item = now.first[index] ?? now.rest;
      if (item !== false)
        found.push(...compare(old.first[index] ?? old.rest, item, `${at}[${index}]`));
    }
    return now.rest === false ? found : [...found, ...compare(old.rest, now.rest, `${at}[]`)];
  }

  return compare(before.schema, after.schema, path);
}

/** The effects, the worst last. */
export const EFFECTS: readonly Effect[] = ["safe", "warning", "unknown", "breaks"];

function worst(changes: readonly Change[]): number {
  return Math.max(0, ...changes.map(({ effect }) => EFFECTS.indexOf(effect)));
}

function values(earlier: Alternative, later: Alternative, at: string): Change[] {
  const [old, now] = [valuesOf(earlier), valuesOf(later)];
  if (old === undefined) return [];
  const shown = (list: readonly unknown[]) => list.map((value) => JSON.stringify(value)).join(", ");
  if (now === undefined) return [change("breaks", at, `can be anything, not only ${shown(old)}`)];
  const added = now.filter((value) => !old.some((each) => isSame(each, value)));
  if (added.length === 0) return [];
  if (added.length === now.length) {
    return [change("breaks", at, `is ${shown(now)} instead of ${shown(old)}`)];
  }
  return [
    change("warning", at, `can be ${shown(added)}, which readers of every value do not know`),
  ];
}

function bounds(
  earlier: Alternative,
  later: Alternative,
  [type, least, most, can, less, greater]: (typeof BOUNDS)[number],
  at: string,
): Change[] {
  if (earlier.type !== type && !(type === "number" && earlier.type === "integer")) return [];
  if (valuesOf(earlier) !== undefined) return [];
  const old = rangeOf(earlier, least, most);
  const now = rangeOf(later, least, most);
  const isBelow =
    now.least < old.least || (now.least === old.least && old.isOpenBelow && !now.isOpenBelow);
  const isAbove =
    now.most > old.most || (now.most === old.most && old.isOpenAbove && !now.isOpenAbove);
  return [
    ...(isBelow ? [change("breaks", at, `${can} ${less} than before`)] : []),
    ...(isAbove ? [change("breaks", at, `${can} ${greater} than before`)] : []),
  ];
}

/** The numbers that a pair of bounds allows: of the value, or of its characters, items or members. */
function rangeOf(schema: Alternative, least: string, most: string) {
  const named = valuesOf(schema)?.map((value) => {
    if (typeof value === "string") return [...value].length;
    return typeof value === "object" && value !== null ? Object.keys(value).length : Number(value);
  });
  const range = { isOpenBelow: false, isOpenAbove: false };
  if (named !== undefined) return { ...range, least: Math.min(...named), most: Math.max(...named) };
  const bound = (keyword: string, none: number) => Number(schema[keyword] ?? none);
  const isClosed = most === "maxItems" && tupleOf(schema).rest === false;
  const closed = isClosed ? tupleOf(schema).first.length : Number.POSITIVE_INFINITY;
  const lowest = bound(least, least === "minimum" ? Number.NEGATIVE_INFINITY : 0);
  const highest = Math.min(closed, bound(most, Number.POSITIVE_INFINITY));
  if (least !== "minimum") return { ...range, least: lowest, most: highest };
  const above = bound("exclusiveMinimum", Number.NEGATIVE_INFINITY);
  const below = bound("exclusiveMaximum", Number.POSITIVE_INFINITY);
  if (schema.type === "integer") {
    return {
      ...range,
      least: Math.max(Math.ceil(lowest), Math.floor(above) + 1),
      most: Math.min(Math.floor(highest), Math.ceil(below) - 1),
    };
  }
  return {
    least: Math.max(lowest, above),
    isOpenBelow: above >= lowest && Number.isFinite(above),
    most: Math.min(highest, below),
    isOpenAbove: below <= highest && Number.isFinite(below),
  };
}

function whole(earlier: Alternative, later: Alternative, keyword: string, at: string): Change[] {
  const condition = ({ if: test, then: met, else: unmet }: Alternative) =>
    test && [test, met, unmet];
  const of = (schema: Alternative) => (keyword === "if" ? condition(schema) : schema[keyword]);
  const [old, now] = [of(earlier), of(later)];
  if (old === undefined || old === false || isSame(old, now)) return [];
  const named = valuesOf(later);
  if (keyword === "pattern" && named?.every((value) => matches(String(old), value))) return [];
  if (
    keyword === "multipleOf" &&
    isMultiple(now ?? (later.type === "integer" ? 1 : undefined), old)
  )
    return [];
  if (named !== undefined)
    return [change("unknown", at, `has values that ${keyword} may not allow`)];
  if (now === undefined) return [change("breaks", at, `is no longer restricted by ${keyword}`)];
  const isPlain = keyword === "format" || keyword === "multipleOf" || keyword === "uniqueItems";
  return [change(isPlain ? "breaks" : "unknown", at, `has another ${keyword}`)];
}

function matches(pattern: string, value: unknown): boolean {
  try {
    return new RegExp(pattern, "u").test(String(value));
  } catch {
    return false;
  }
}

function isMultiple(value: unknown, of: unknown): boolean {
  const ratio = Number(value) / Number(of);
  return Math.abs(ratio - Math.round(ratio)) < 1e-9;
}

/** The schemas of an array's first items, one by one, and of the others. */
function tupleOf({ items, prefixItems, additionalItems }: Alternative) {
  if (Array.isArray(prefixItems)) return { first: prefixItems, rest: items ?? true };
  if (Array.isArray(items)) return { first: items, rest: additionalItems ?? true };
  return { first: [], rest: items ?? true };
}

function unique(changes: readonly Change[]): Change[] {
  return [...new Map(changes.map((each) => [JSON.stringify(each), each])).values()];
}

function change(effect: Effect, path: string, message: string): Change {
  return { effect, path, message };
}
