import { present } from "../collections.js";
import {
  isMultiple,
  memberOf,
  normalForms,
  order,
  type Part,
  rangeOf,
  within,
} from "./normal-form.js";
import { isNothing, textOf } from "./spelling.js";

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

/** The effects, the worst last. */
export const EFFECTS: readonly Effect[] = ["safe", "warning", "unknown", "breaks"];

/** Says in words that a type allows lower or higher values. */
const FURTHER: Readonly<Record<string, readonly [below: string, above: string]>> = {
  array: ["can have fewer items", "can have more items"],
  number: ["can be less", "can be greater"],
  string: ["can be shorter", "can be longer"],
};

/**
 * Compares the schemas of what a producer sends before and after a change. Safe is what was valid
 * before; an additional property is safe, too, unless the earlier schema is closed.
 *
 * @see https://json-schema.org/draft-07/json-schema-validation
 */
export function compareSchemas(before: Located, after: Located, path: string): Change[] {
  const documents = { before: before.document, after: after.document };
  const { normalForm, areDisjoint } = normalForms(documents);
  /** What is known of pairs of schemas. A recursive pair has no change if it has none elsewhere. */
  const known = new Map<string, { readonly at: string; readonly changes: readonly Change[] }>();

  function compare(earlier: unknown, later: unknown, at: string): Change[] {
    const pair = textOf([earlier, later]);
    const same = known.get(pair);
    if (same !== undefined) {
      const effect = EFFECTS[worst(same.changes)] ?? "unknown";
      if (same.changes.length > 3) return [change(effect, at, `changes as ${same.at} does`)];
      return same.changes.map((each) => ({ ...each, path: at + each.path.slice(same.at.length) }));
    }
    const count = known.size;
    known.set(pair, { at, changes: [] });
    const changes = compareOnce(normalForm(earlier), normalForm(later), at);
    if (worst(changes) > 0) {
      // What was found while this pair was taken to have no change may not hold.
      for (const [each, { changes: found }] of [...known].slice(count))
        if (EFFECTS[worst(found)] !== "breaks") known.delete(each);
    }
    known.set(pair, { at, changes });
    return changes;
  }

  function compareOnce(old: readonly Part[], now: readonly Part[], at: string): Change[] {
    const types = new Set(old.map(({ type }) => type));
    const added = now.filter(({ type }) => !types.has(type));
    const names = [...new Set(added.map(({ type }) => type))].join(", ");
    const found = certain(
      added.some(({ other }) => other.length === 0),
      added.length > 0
        ? [change("breaks", at, `can be of type ${names}, which was not allowed`)]
        : [],
    );
    for (const type of types) {
      const [was = [], is = []] = [old, now].map((parts) =>
        parts.filter((each) => each.type === type),
      );
      found.push(...ofType(was, is, at));
    }
    const isNarrower = found.length === 0 && shape(old) !== shape(now);
    if (isNarrower) return [change("safe", at, "allows less than before")];
    return [...new Map(found.map((each) => [textOf(each), each])).values()];
  }

  /** Compares the parts of one type. */
  function ofType(old: readonly Part[], now: readonly Part[], at: string): Change[] {
    const values = constantsOf(old.filter(({ other }) => other.length === 0));
    const added = constantsOf(now).filter((each) => !values.includes(each));
    const others = now.filter(
      ({ constant }) => constant === undefined || !values.includes(constant),
    );
    if (values.length < old.length) return others.flatMap((each) => covered(old, each, at));
    if (others.length > added.length) {
      const isFew = others.every(isBounded);
      return [
        change(isFew ? "unknown" : "breaks", at, `can be anything, not only ${shown(values)}`),
      ];
    }
    if (added.length === 0) return [];
    return added.length === now.length
      ? [change("breaks", at, `is ${shown(added)} instead of ${shown(values)}`)]
      : [change("warning", at, `can be ${shown(added)}, which readers of every value do not know`)];
  }

  /** Compares a part with all the earlier parts of its type. */
  function covered(old: readonly Part[], later: Part, at: string): Change[] {
    const near = old.filter((each) => !areDisjoint(each, later));
    const [best = []] = (near.length > 0 ? near : old)
      .map((each) => ofPart(each, later, at))
      .sort((a, b) => worst(a) - worst(b) || a.length - b.length);
    if (worst(best) === 0 || near.length === 1 || old.length === 1) return best;
    if (near.length > 0)
      return [change("unknown", at, "may be in none of the earlier alternatives")];
    const isExact = later.other.length === 0;
    return certain(isExact, [change("breaks", at, `has a new alternative of type ${later.type}`)]);
  }

  function ofPart(earlier: Part, later: Part, at: string): Change[] {
    const { constant, rules, other } = earlier;
    if (constant !== undefined && constant !== later.constant)
      return [change("breaks", at, `can be anything, not only ${shown([constant])}`)];
    const isExact = later.other.every((each) => other.includes(each));
    const found = [
      ...bounds(earlier, later, at),
      ...Object.entries(rules).flatMap(([keyword, each]) => rule(keyword, each, later, at)),
      ...members(earlier, later, at),
    ];
    const isKept = other.every((each) => later.other.includes(each));
    if (!isKept) found.push(change("unknown", at, "has a schema that cannot be compared"));
    return certain(isExact, found);
  }

  /** Compares the properties or the items. */
  function members(earlier: Part, later: Part, at: string): Change[] {
    const found: Change[] = [];
    const isArray = later.type === "array";
    const [most] = rangeOf(later).high;
    const known = [earlier, later].flatMap((each) => Object.keys(each.members));
    const names = new Set(
      isArray ? known.filter((index) => Number(index) < most) : [...known, ...earlier.required],
    );
    for (const name of names) {
      const place = isArray ? `${at}[${name}]` : `${at}.${name}`;
      const [schema, next] = [memberOf(earlier, name), memberOf(later, name)];
      const [was, is] = [earlier, later].map(({ required }) => required.includes(name));
      const isKnown = Object.hasOwn(earlier.members, name);
      const stays = is || Object.hasOwn(later.members, name) || (next !== true && !isNothing(next));
      if (!stays && isKnown && normalForm(schema).length > 0)
        found.push(change("breaks", place, "is gone"));
      else if (!stays && isKnown && !isNothing(next))
        found.push(change("breaks", place, "is no longer forbidden"));
      else if (was && !is) found.push(change("breaks", place, "can be missing"));
      if (!stays || normalForm(next).length === 0) continue;
      if (isKnown && !was && is) found.push(change("safe", place, "is always there"));
      if (isKnown || isArray || (schema !== true && !isNothing(schema)))
        found.push(...compare(schema, next, place));
      else if (schema === true) found.push(change("safe", place, "is new"));
      else found.push(change("breaks", place, "is new, and no other properties were allowed"));
    }
    if (isArray)
      return most > names.size
        ? [...found, ...compare(earlier.rest, later.rest, `${at}[]`)]
        : found;
    return isNothing(earlier.rest) && !isNothing(later.rest)
      ? [...found, change("breaks", at, "can have other properties, which were not allowed")]
      : [...found, ...compare(earlier.rest, later.rest, `${at}.*`)];
  }

  return compare(within("before", before.schema), within("after", after.schema), path);
}

/** The change if an assertion is not made any more. */
function rule(keyword: string, asserted: unknown, { constant, rules }: Part, at: string): Change[] {
  const kept = rules[keyword];
  if (textOf(kept) === textOf(asserted)) return [];
  if (keyword === "multipleOf") {
    if (isMultiple(constant ?? kept, asserted)) return [];
    if (asserted === 1) return [change("breaks", at, "can be a number that is no integer")];
    return [change("breaks", at, "has another multipleOf")];
  }
  // A pattern may say what a format said.
  return (constant ?? kept ?? rules.pattern ?? rules.format) === undefined
    ? [change("breaks", at, `is no longer restricted by ${keyword}`)]
    : [change("unknown", at, `has another ${keyword}`)];
}

/** Takes back that changes break consumers if the later schema may allow less than is known of it. */
function certain(isExact: boolean, changes: readonly Change[]): Change[] {
  return changes.map((each) =>
    isExact || each.effect !== "breaks" ? each : { ...each, effect: "unknown" },
  );
}

/** Returns true if a part may have few values. */
function isBounded({ low, high, rules, other }: Part): boolean {
  const hasEnds = Number.isFinite(low[0]) && Number.isFinite(high[0]);
  return hasEnds || (rules.format ?? rules.pattern) !== undefined || other.length > 0;
}

function bounds({ type, low, high }: Part, later: Part, at: string): Change[] {
  const range = rangeOf(later);
  const [below, above] = FURTHER[type] ?? [];
  return [
    ...(order(range.low, low) < 0 ? [change("breaks", at, `${below} than before`)] : []),
    ...(order(range.high, high) > 0 ? [change("breaks", at, `${above} than before`)] : []),
  ];
}

function constantsOf(parts: readonly Part[]): string[] {
  return present(parts.map(({ constant }) => constant));
}

/** The normal form as text, whichever document its references point into. */
function shape(parts: readonly Part[]): string {
  return textOf(parts).replaceAll(/"\$ref":"(before|after)#/g, '"$ref":"#');
}

function worst(changes: readonly Change[]): number {
  return Math.max(0, ...changes.map(({ effect }) => EFFECTS.indexOf(effect)));
}

/** The values, or the first of many. */
function shown(values: readonly string[]): string {
  const more = values.length > 10 ? [`${values.length - 10} more`] : [];
  return [...values.slice(0, 10), ...more].join(", ");
}

function change(effect: Effect, path: string, message: string): Change {
  return { effect, path, message };
}
