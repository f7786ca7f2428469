import { eventTypesByResourceType } from "cloud-eventgrid-binding-runtime/events";
import {
  applyFilter,
  type Budget,
  Comparison,
  changeOf,
  type FilterCondition,
  filterConditions,
  impliedBy,
  includedTypes,
  isNegative,
  OTHER_TYPES,
  type Relation,
  type Schema,
} from "../../rules/filters/index.js";
import { get, UNKNOWN } from "../../rules/index.js";
import type { RecordedEvent } from "../events.js";
import { type Counts, type Finding, lost, note, unknown } from "../finding.js";

/** The filter and the destination of a subscription, before or after the apply. */
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
  readonly budget: Budget;
  /** The recorded events of the scope; undefined without any. */
  readonly events: readonly RecordedEvent[] | undefined;
  /** A part of the filter is a secret, so no value of it is shown. */
  readonly isSecret: boolean;
  /** Other subscriptions that deliver to the same destination. */
  readonly twins: readonly Twin[];
}

/** Another subscription, with its filters after the apply, and before it if it exists throughout. */
export interface Twin {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
  /** The settings in which it may serve the events worse. */
  readonly differs: readonly string[];
}

/** A plan with hundreds of subscriptions to one destination is not compared pair by pair. */
export const MAX_TWINS = 5;

/** No event passes it. */
const NOTHING = {
  includedEventTypes: [],
  advancedFilters: [{ key: "type", operatorType: "StringIn", values: [] }],
};

/** The effects on the events of each type. */
export function typeFindings(question: TypeQuestion): Finding[] {
  const { before, after, schemas, source, events, isSecret, budget } = question;
  const [first, second] = [before?.filter ?? NOTHING, after?.filter ?? NOTHING];
  const types = namedTypes([first, second], source, events);
  const comparisons = new Map<unknown, Comparison>();
  const compare = (filter: unknown) => {
    const known = comparisons.get(filter);
    const comparison = known ?? new Comparison(first, filter, schemas, types, budget);
    comparisons.set(filter, comparison);
    return comparison;
  };
  const comparison = compare(second);
  const otherTypes = types.length === 0 ? "every type" : "any other type";
  const all: readonly (string | typeof OTHER_TYPES)[] = [...types, OTHER_TYPES];
  return all.flatMap((type): Finding[] => {
    const always = impliedBy(type, source);
    const relation = comparison.relation(type, always);
    // That others may arrive, too, is worth no line.
    const isPerhaps = relation.lost === "none" && relation.gained === "unknown";
    if (type === OTHER_TYPES && isPerhaps) return [];
    const counts = typeof type === "string" ? countsOf(question, type) : undefined;
    const covers = (filter: unknown) =>
      filter !== undefined && compare(filter).relation(type, always).lost === "none";
    const finding = typeFinding(question, relation, counts, () => {
      const cover = question.twins.find(({ after }) => covers(after));
      return cover && { ...cover, isCovered: covers(cover.before) };
    });
    if (finding === undefined) return [];
    const isExample = finding.effect === "lost" && typeof relation.lost === "object" && !isSecret;
    const eventType = typeof type === "string" ? type : otherTypes;
    return [
      {
        ...finding,
        ...(isExample && { example: relation.lost.event }),
        eventType,
        ...(counts && { counts }),
      },
    ];
  });
}

function typeFinding(
  { before, after, isSecret }: TypeQuestion,
  relation: Relation,
  counts: Counts | undefined,
  findCover: () => (Pick<Twin, "name" | "differs"> & { readonly isCovered: boolean }) | undefined,
): Finding | undefined {
  // A recorded event decides what the filters alone do not.
  const change = changeOf(relation, Boolean(counts?.lost));
  const perhaps = relation.gained === "unknown" ? "perhaps " : "";
  if (change === "none") return undefined;
  if (change === "new") {
    return after && note("types", "new", `${perhaps}delivered to ${after.destination}`);
  }
  if (change === "unknown") {
    const isLater = filterConditions(after?.filter).some(({ isUnknown }) => isUnknown);
    const open =
      "the filters differ in what Azure's documentation leaves open, or in too many ways to compare";
    const isChosen = [before, after].some(
      (side) => get(side?.filter, "includedEventTypes") === UNKNOWN,
    );
    if (isChosen)
      return unknown("types", "its types are known after the apply, or chosen by Azure");
    return unknown("types", isLater ? "the filter is known only after the apply" : open);
  }
  if (change === "wider") {
    const conditions = isSecret ? "" : difference(before?.filter, after?.filter);
    const text = conditions === "" ? "in more cases" : `also without ${conditions}`;
    return note("types", "wider", `${perhaps}delivered ${text}`);
  }
  const place = before?.destination;
  const cover = findCover();
  if (cover?.isCovered) {
    const still = `still delivered to ${place} by ${cover.name}`;
    if (cover.differs.length === 0) return note("types", "moved", still);
    return unknown("types", `${still}, but with another ${cover.differs.join(", ")}`);
  }
  if (change === "ended") {
    const until = `not delivered to ${place} until ${cover?.name} is created`;
    return lost("types", "LOST", cover ? until : `no longer delivered to ${place}`);
  }
  const conditions = isSecret
    ? "(sensitive conditions)"
    : difference(after?.filter, before?.filter);
  if (change === "narrower") {
    const text = conditions === "" ? "in fewer cases" : `only if ${conditions}`;
    return lost("types", "narrower", `delivered ${text}`);
  }
  const text = conditions === "" ? "" : `: ${conditions}`;
  return lost("types", "changed", `delivered in other cases${text}`);
}

/** Conditions of a filter that another one does not have, besides those on types. */
function difference(filter: unknown, other: unknown): string {
  const known = new Set(filterConditions(other).map(({ text }) => text));
  return filterConditions(filter)
    .filter(({ from, text }) => from !== "types" && !known.has(text))
    .map(inWords)
    .join(" and ");
}

/** Operators in words, without their types, and with their opposites. */
const WORDS: Readonly<Record<string, readonly [string, string?]>> = {
  BoolEquals: ["is"],
  In: ["is", "is not"],
  InRange: ["is in", "is not in"],
  GreaterThan: [">"],
  GreaterThanOrEquals: [">="],
  LessThan: ["<"],
  LessThanOrEquals: ["<="],
  Contains: ["contains", "does not contain"],
  BeginsWith: ["begins with", "does not begin with"],
  EndsWith: ["ends with", "does not end with"],
  IsNotNull: ["is not null"],
  IsNullOrUndefined: ["is null or missing"],
};

function inWords({ from, key, operator, values, isUnknown, text }: FilterCondition): string {
  if (from === "subject" || isUnknown) return text;
  const shown = values.map((value) =>
    Array.isArray(value) ? `${value[0]} to ${value[1]}` : JSON.stringify(value),
  );
  const words = WORDS[operator.replace(/^(String|Number)(Not)?/, "")];
  const word = words?.[isNegative(operator) ? 1 : 0] ?? operator;
  return `${key} ${word} ${shown.join(" or ")}`.trim();
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
