import {
  type Alternative,
  alternatives,
  differ,
  isAnything,
  isSame,
  listOf,
  matches,
  membersOf,
  patternsOf,
  propertyOf,
  TOGETHER,
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
const WHOLE = [
  ..."pattern format multipleOf uniqueItems not dependencies dependentRequired".split(" "),
  ..."dependentSchemas contentEncoding contentMediaType".split(" "),
].map((keyword) => [keyword]);

/**
 * Compares the schemas of what a producer sends before and after a change. Safe is what was valid
 * before; an additional property is safe, too, unless the earlier schema is closed.
 *
 * @see https://json-schema.org/draft-07/json-schema-validation
 */
export function compareSchemas(before: Located, after: Located, path: string): Change[] {
  /** What is known of pairs of schemas. A recursive pair has no change if it has none elsewhere. */
  const known = new Map<string, { readonly at: string; readonly changes: readonly Change[] }>();

  function compare(earlier: unknown, later: unknown, at: string): Change[] {
    const pair = JSON.stringify([earlier, later]);
    const same = known.get(pair);
    if (same !== undefined) {
      const effect = EFFECTS[worst(same.changes)] ?? "unknown";
      if (same.changes.length > 3) return [change(effect, at, `changes as ${same.at} does`)];
      return same.changes.map((each) => ({ ...each, path: at + each.path.slice(same.at.length) }));
    }
    const count = known.size;
    known.set(pair, { at, changes: [] });
    const changes = compareOnce(earlier, later, at, pair);
    if (worst(changes) > 0) {
      // What was found while this pair was taken to have no change may not hold.
      for (const [each, { changes: found }] of [...known].slice(count))
        if (EFFECTS[worst(found)] !== "breaks") known.delete(each);
    }
    known.set(pair, { at, changes });
    return changes;
  }

  function compareOnce(earlier: unknown, later: unknown, at: string, pair: string): Change[] {
    const old = alternatives(earlier, before.document);
    const now = alternatives(later, after.document);
    if (old === undefined || (now === undefined && !old.some(isAnything))) {
      const isEqual = isSame(earlier, later) && !pair.includes('"$ref"');
      return isEqual ? [] : [change("unknown", at, "has a schema that cannot be compared")];
    }
    if (isSame(old, now) && !JSON.stringify(old).includes('"$ref"')) return [];
    const changes = old.some(isAnything)
      ? []
      : (now ?? []).flatMap((each) => closest(old, each, at));
    const isNarrower = changes.length === 0 && !isSame(old, now);
    return isNarrower ? [change("safe", at, "allows less than before")] : unique(changes);
  }

  /** The changes to the earlier alternative that an alternative is closest to. */
  function closest(earlier: readonly Alternative[], later: Alternative, at: string): Change[] {
    const ofType = earlier.filter(({ type }) => {
      return type === later.type || (type === "number" && later.type === "integer");
    });
    const alike = ofType.filter((each) => !differ(each, later));
    const [best] = (alike.length > 0 ? alike : ofType)
      .map((each) => alternative(each, later, at))
      .sort((a, b) => worst(a) - worst(b) || a.length - b.length);
    const shown = isAnything(later) ? "of any type" : `of type ${String(later.type)}`;
    if (best === undefined) return [change("breaks", at, `can be ${shown}, which was not allowed`)];
    const isNew =
      ofType.length > 1 && alike.length !== 1 && worst(best) === EFFECTS.indexOf("breaks");
    return isNew ? [change("breaks", at, `has a new alternative ${shown}`)] : best;
  }

  function alternative(earlier: Alternative, later: Alternative, at: string): Change[] {
    return [
      ...values(earlier, later, at),
      ...BOUNDS.flatMap((each) => bounds(earlier, later, each, at)),
      ...[...WHOLE, ...TOGETHER.slice(2)].flatMap((each) => whole(earlier, later, each, at)),
      ...(later.type === "object" ? properties(earlier, later, at) : []),
      ...(later.type === "array" ? items(earlier, later, at) : []),
    ];
  }

  function properties(earlier: Alternative, later: Alternative, at: string): Change[] {
    const [old, now] = [membersOf(earlier), membersOf(later)];
    const [was, is] = [new Set(listOf(earlier.required)), new Set(listOf(later.required))];
    const found: Change[] = [];
    for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
      const place = `${at}.${name}`;
      const [schema, next] = [propertyOf(earlier, name), propertyOf(later, name)];
      const isKnown = Object.hasOwn(old, name);
      const stays = Object.hasOwn(now, name);
      if (stays && alternatives(next, after.document)?.length === 0) continue;
      if (!stays && alternatives(schema, before.document)?.length !== 0)
        found.push(change("breaks", place, "is gone"));
      else if (isKnown || (schema !== true && schema !== false)) {
        if (!was.has(name) && is.has(name)) found.push(change("safe", place, "is always there"));
        found.push(...compare(schema, next, place));
      } else if (schema === true) found.push(change("safe", place, "is new"));
      else found.push(change("breaks", place, "is new, and no other properties were allowed"));
    }
    for (const name of was) {
      const isGone = Object.hasOwn(old, String(name)) && !Object.hasOwn(now, String(name));
      if (!is.has(name) && !isGone) found.push(change("breaks", `${at}.${name}`, "can be missing"));
    }
    if (earlier.propertyNames !== undefined) {
      const names = later.propertyNames ?? { type: "string" };
      found.push(...compare(earlier.propertyNames, names, `${at}.(name)`));
    }
    return [...found, ...otherProperties(earlier, later, at)];
  }

  /** The changes to properties that have no schema by name. */
  function otherProperties(earlier: Alternative, later: Alternative, at: string): Change[] {
    const [old, now] = [patternsOf(earlier), patternsOf(later)];
    const others = earlier.additionalProperties ?? true;
    const further = later.additionalProperties ?? true;
    const found: Change[] = [];
    const isUnknown = (patterns: object, pattern: string) =>
      !Object.hasOwn(patterns, pattern) && Object.keys(patterns).length > 0;
    for (const pattern of new Set([...Object.keys(old), ...Object.keys(now)])) {
      if (isUnknown(old, pattern) || isUnknown(now, pattern))
        found.push(change("unknown", at, "has other patternProperties"));
      else {
        const [schema, next] = [old[pattern] ?? others, now[pattern] ?? further];
        if (schema !== true && next !== false)
          found.push(...compare(schema, next, `${at}[/${pattern}/]`));
      }
    }
    if (others === true || further === false) return found;
    if (others !== false) return [...found, ...compare(others, further, `${at}.*`)];
    return [...found, change("breaks", at, "can have other properties, which were not allowed")];
  }

  function items(earlier: Alternative, later: Alternative, at: string): Change[] {
    const [old, now] = [tupleOf(earlier), tupleOf(later)];
    const found: Change[] = [];
    const { most } = rangeOf(later, "minItems", "maxItems");
    const length = Math.max(old.first.length, now.first.length);
    for (let index = 0; index < Math.min(length, most); index++) {
      const item = now.first[index] ?? now.rest;
      found.push(...compare(old.first[index] ?? old.rest, item, `${at}[${index}]`));
    }
    return most > length ? [...found, ...compare(old.rest, now.rest, `${at}[]`)] : found;
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
  if (now === undefined) return [change("breaks", at, `can be anything, not only ${shown(old)}`)];
  const known = new Set(old.map((each) => JSON.stringify(each)));
  const added = now.filter((each) => !known.has(JSON.stringify(each)));
  if (added.length === 0) return [];
  if (added.length === now.length) {
    return [change("breaks", at, `is ${shown(now)} instead of ${shown(old)}`)];
  }
  return [
    change("warning", at, `can be ${shown(added)}, which readers of every value do not know`),
  ];
}

/** The values, or the first of many. */
function shown(values: readonly unknown[]): string {
  const texts = values.slice(0, 10).map((each) => JSON.stringify(each));
  return [...texts, ...(values.length > 10 ? [`${values.length - 10} more`] : [])].join(", ");
}

function bounds(
  earlier: Alternative,
  later: Alternative,
  [type, least, most, can, less, greater]: (typeof BOUNDS)[number],
  at: string,
): Change[] {
  if (earlier.type !== type && !(type === "number" && earlier.type === "integer")) return [];
  const old = rangeOf({ ...earlier, enum: undefined, required: undefined }, least, most);
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
  const required = least === "minProperties" ? listOf(schema.required).length : 0;
  const none = least === "minimum" ? Number.NEGATIVE_INFINITY : 0;
  const lowest = required > 0 ? Math.max(required, bound(least, none)) : bound(least, none);
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

function whole(
  earlier: Alternative,
  later: Alternative,
  keywords: readonly string[],
  at: string,
): Change[] {
  const [keyword = ""] = keywords;
  const [old, now] = [earlier[keyword], later[keyword]];
  const of = (schema: Alternative) => keywords.map((each) => schema[each]);
  if (old === undefined || isSame(of(earlier), of(later))) return [];
  const named = valuesOf(later);
  if (keyword === "pattern" && named) {
    const refused = named.filter((value) => !matches(String(old), value));
    const message = `can be ${shown(refused)}, which was not allowed`;
    return refused.length === 0 ? [] : [change("breaks", at, message)];
  }
  if (keyword === "multipleOf") {
    const steps = named ?? [now ?? (later.type === "integer" ? 1 : undefined)];
    if (steps.every((each) => isMultiple(each, old))) return [];
  }
  if (named !== undefined)
    return [change("unknown", at, `has values that ${keyword} may not allow`)];
  if (now === undefined) return [change("breaks", at, `is no longer restricted by ${keyword}`)];
  const isPlain = keyword === "format" || keyword === "multipleOf" || keyword === "uniqueItems";
  return [change(isPlain ? "breaks" : "unknown", at, `has another ${keyword}`)];
}

function isMultiple(value: unknown, of: unknown): boolean {
  const ratio = Number(value) / Number(of);
  return value === 0 || (Math.abs(ratio - Math.round(ratio)) < 1e-9 && Math.round(ratio) !== 0);
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
