import {
  applyFilter,
  type FilterCondition,
  filterConditions,
  includedTypes,
} from "cloud-eventgrid-binding-runtime/contract";
import { eventTypesByResourceType } from "cloud-eventgrid-binding-runtime/events";
import { Comparison, OTHER_TYPES, type Relation, type Schema } from "./compare.js";
import type { RecordedEvent } from "./events.js";
import type { Counts, Finding } from "./finding.js";

/** What a subscription delivers, before or after the apply. */
export interface Route {
  readonly filter: unknown;
  /** Where to, in words. */
  readonly destination: string;
}

export interface TypeQuestion {
  /** Undefined for a subscription that does not exist. */
  readonly before: Route | undefined;
  readonly after: Route | undefined;
  readonly schemas: readonly Schema[];
  /** Resource ID of the source, whose documented types are named. */
  readonly source: unknown;
  /** The recorded events of the scope; undefined without any. */
  readonly events: readonly RecordedEvent[] | undefined;
  /** Whether a part of the filter is a secret, so that no value of it is shown. */
  readonly isSecret: boolean;
  /** Another subscription that delivers what this one no longer does, and whether it does so already. */
  readonly coveredBy: (comparison: (filter: unknown) => Relation) => Cover | undefined;
}

export interface Cover {
  readonly name: string;
  readonly already: boolean;
}

/** No event passes it. */
const NOTHING = {
  includedEventTypes: [],
  advancedFilters: [{ key: "type", operatorType: "none" }],
};

/** What becomes of the events of each type. */
export function typeFindings(question: TypeQuestion): Finding[] {
  const { before, after, schemas, source, events } = question;
  const [first, second] = [before?.filter ?? NOTHING, after?.filter ?? NOTHING];
  const types = namedTypes([first, second], source, events);
  const comparison = new Comparison(first, second, schemas, types);
  const all: readonly (string | typeof OTHER_TYPES)[] = [...types, OTHER_TYPES];
  return all.flatMap((type) => {
    const relation = comparison.relation(type);
    const counts = type === OTHER_TYPES ? undefined : countsOf(question, type);
    const finding = typeFinding(question, relation, counts, (filter) =>
      new Comparison(first, filter, schemas, types).relation(type),
    );
    if (finding === undefined) return [];
    const other = types.length === 0 ? "every type" : "any other type";
    const named = { ...finding, eventType: type === OTHER_TYPES ? other : type };
    return [counts === undefined ? named : { ...named, counts }];
  });
}

type Verdict = Pick<Finding, "check" | "effect" | "label" | "message"> & Partial<Finding>;

function typeFinding(
  question: TypeQuestion,
  relation: Relation,
  counts: Counts | undefined,
  compareWith: (filter: unknown) => Relation,
): Verdict | undefined {
  const { before, after, isSecret, coveredBy } = question;
  const { lost, gained, both } = relation;
  const check = "types" as const;
  if (lost === "none" && typeof gained === "string") return undefined;
  if (relation.before === "none") {
    if (after === undefined) return undefined;
    return { check, effect: "none", label: "new", message: `delivered to ${after.destination}` };
  }
  if (lost === "unknown") {
    // A recorded event decides what the filters alone do not.
    if (counts === undefined || counts.lost === 0) return undecided(question);
  }
  if (lost === "none") {
    const conditions = isSecret ? "" : difference(before?.filter, after?.filter);
    const text = conditions === "" ? "in more cases" : `also without ${conditions}`;
    return { check, effect: "none", label: "wider", message: `delivered ${text}` };
  }
  const example = typeof lost === "object" && !isSecret ? { example: lost.event } : {};
  const cover = coveredBy(compareWith);
  if (cover?.already) {
    const message = `still delivered to ${before?.destination} by ${cover.name}`;
    return { check, effect: "none", label: "moved", message };
  }
  if (both === "none") {
    const until = `not delivered to ${before?.destination} until ${cover?.name} is created`;
    const message = cover ? until : `no longer delivered to ${before?.destination}`;
    return { check, effect: "lost", label: "LOST", message, ...example };
  }
  const conditions = isSecret
    ? "(sensitive conditions)"
    : difference(after?.filter, before?.filter);
  const only = conditions === "" ? "in fewer cases" : `only if ${conditions}`;
  if (gained === "none") {
    return { check, effect: "lost", label: "narrower", message: `delivered ${only}`, ...example };
  }
  const message = `delivered in other cases${conditions === "" ? "" : `: ${conditions}`}`;
  return { check, effect: "lost", label: "changed", message, ...example };
}

function undecided({ after }: TypeQuestion): Verdict {
  const isLater = filterConditions(after?.filter).some(({ isUnknown }) => isUnknown);
  const message = isLater
    ? "the filter is known only after the apply"
    : "the filters differ in what Azure's documentation leaves open, or in too many ways to compare";
  return { check: "types", effect: "unknown", label: "unknown", message };
}

/** Conditions of a filter that another one does not have, besides those on types. */
function difference(filter: unknown, other: unknown): string {
  const known = new Set(filterConditions(other).map(({ text }) => text));
  return filterConditions(filter)
    .filter(({ from, text }) => from !== "types" && !known.has(text))
    .map(inWords)
    .join(" and ");
}

const SYMBOLS: Readonly<Record<string, string>> = {
  BoolEquals: "is",
  NumberIn: "is",
  NumberNotIn: "is not",
  NumberInRange: "is in",
  NumberNotInRange: "is not in",
  NumberGreaterThan: ">",
  NumberGreaterThanOrEquals: ">=",
  NumberLessThan: "<",
  NumberLessThanOrEquals: "<=",
  StringIn: "is",
  StringNotIn: "is not",
  StringContains: "contains",
  StringNotContains: "does not contain",
  StringBeginsWith: "begins with",
  StringNotBeginsWith: "does not begin with",
  StringEndsWith: "ends with",
  StringNotEndsWith: "does not end with",
  IsNotNull: "is not null",
  IsNullOrUndefined: "is null or missing",
};

function inWords({ from, key, operator, values, isUnknown, text }: FilterCondition): string {
  if (from === "subject" || isUnknown) return text;
  const shown = values.map((value) =>
    Array.isArray(value) ? `${value[0]} to ${value[1]}` : JSON.stringify(value),
  );
  return `${key} ${SYMBOLS[operator] ?? operator} ${shown.join(" or ")}`.trim();
}

/** Types that filters and events name, and the documented ones of the source. */
function namedTypes(
  filters: readonly unknown[],
  source: unknown,
  events: readonly RecordedEvent[] = [],
): string[] {
  const [, kind = ""] =
    /\/providers\/([^/]+\/[^/]+)\/[^/]+$/i.exec(typeof source === "string" ? source : "") ?? [];
  const listed = filters.flatMap((filter) => [
    ...includedTypes(filter),
    ...filterConditions(filter)
      .filter(({ key, operator }) => /^(event)?type$/i.test(key) && operator === "StringIn")
      .flatMap(({ values }) => values.filter((value) => typeof value === "string")),
  ]);
  return [
    ...new Set([
      ...listed,
      ...events.map(({ type }) => type),
      ...(eventTypesByResourceType[kind.toLowerCase()] ?? []),
    ]),
  ];
}

/** Undefined if no event is known, or the filter decides only after the apply. */
function countsOf(question: TypeQuestion, type: string): Counts | undefined {
  const { before, after, events } = question;
  const filters = [before?.filter ?? NOTHING, after?.filter ?? NOTHING];
  const isLater = filters.some((each) => filterConditions(each).some(({ isUnknown }) => isUnknown));
  if (events === undefined || isLater) return undefined;
  const passing = events
    .filter((event) => event.type === type)
    .map(({ attributes }) =>
      filters.map(
        (each) => applyFilter(each, { attributes, isPartial: false }).excluding.length === 0,
      ),
    );
  const count = (test: (was: boolean, is: boolean) => boolean) =>
    passing.filter(([was = false, is = false]) => test(was, is)).length;
  return {
    before: count((was) => was),
    after: count((_, is) => is),
    lost: count((was, is) => was && !is),
    total: events.length,
  };
}
