import { eventTypesByResourceType } from "cloud-eventgrid-binding-runtime/events";
import { withoutStart } from "cloud-eventgrid-binding-runtime/internal";
import { typeIn } from "../../resource-id.js";
import {
  applyFilter,
  Comparison,
  changeOf,
  filterConditions,
  impliedBy,
  includedTypes,
  OTHER_TYPES,
  type Relation,
  type Schema,
  withDefaultTypes,
} from "../../rules/filters/index.js";
import { get, isOneOf, UNKNOWN } from "../../rules/index.js";
import { eventsAt, type RecordedEvent } from "../events.js";
import { type Counts, type Finding, lost, note, unknown } from "../finding.js";
import {
  type Attributes,
  idOf,
  monitoredBy,
  type PlannedChange,
  type Subscription,
  type SubscriptionChange,
  same,
  value,
  withoutIndices,
} from "../terraform/index.js";
import { destinationText } from "./subscription.js";
import type { Twin, Twins } from "./twins.js";

/** What is known of the plan besides one subscription. */
export interface TypeContext {
  readonly events: readonly RecordedEvent[];
  readonly twins: Twins;
  /** The topics and other sources of the plan. */
  readonly sources: readonly PlannedChange[];
  readonly isOnlyScope: boolean;
}

type Question = ReturnType<typeof questionOf>;

/** No event passes it. */
const NOTHING = {
  includedEventTypes: [],
  advancedFilters: [{ key: "type", operatorType: "StringIn", values: [] }],
};

/** The effects of a subscription's filter, and of its source, on the events of each type. */
export function typeFindings(one: SubscriptionChange, context: TypeContext): Finding[] {
  const { change, before, after } = one;
  if (before && after && same([before.filter, before.scope], [after.filter, after.scope])) {
    return [];
  }
  const question = questionOf(one, context);
  const found = findingsOf(question);
  if (question.isCustom && found.every(({ effect }) => effect === "none")) {
    const message =
      "events have a schema of their own, whose attributes this command does not know";
    found.push(unknown("types", message));
  }
  if (before && after && !same(before.scope, after.scope)) {
    const message = "it leaves its source: no event of that arrives any more";
    const isLater = after.scope === UNKNOWN && !isAtNewTopic(one, context);
    if (!isLater) found.push(lost("destroyed", "LOST", message));
    else if (change.action === "update") {
      found.push(unknown("destroyed", "its source is known only after the apply"));
    }
  }
  return found;
}

/** True if the scope that is known later is that of a new topic with another name. */
function isAtNewTopic({ change, before }: SubscriptionChange, { sources }: TypeContext): boolean {
  const origins = ["scope", "system_topic", "parent_id"].flatMap((name) => [
    ...change.origins(name),
  ]);
  const last = String(before?.scope).split("/").at(-1);
  const named = sources.filter(({ address }) => origins.includes(withoutIndices(address)));
  const isNew = ({ before: old, after: { name } = {} }: PlannedChange) =>
    old === undefined && typeof name === "string" && name.toLowerCase() !== last;
  return named.length > 0 && named.every(isNew);
}

const FILTERS = ["included_event_types", "subject_filter", "advanced_filter", "body"];
const SCHEMAS: readonly Schema[] = ["CloudEventSchemaV1_0", "EventGridSchema"];

/** Returns what the effects of a changed subscription are derived from. */
function questionOf(one: SubscriptionChange, context: TypeContext) {
  const { change, before, after } = one;
  const topic = topicOf(one, context);
  const scopes = [before?.scope, after?.scope, monitoredBy(topic)];
  const [source] = scopes.filter((scope) => typeof scope === "string").reverse();
  const input = value(topic, "input_schema");
  const isNamespace = before?.isNamespace || after?.isNamespace;
  const known = SCHEMAS.filter((schema) => schema === (isNamespace ? SCHEMAS[0] : input));
  const [first, second] = comparedFilters([before?.filter, after?.filter], source);
  const route = (side: Subscription | undefined, filter: unknown) =>
    side && { filter, destination: destinationText(one, side) };
  return {
    before: route(before, first),
    after: route(after, second),
    schemas: known.length > 0 ? known : SCHEMAS,
    isCustom: String(input).startsWith("Custom"),
    source,
    /** The recorded events of the scope; undefined without any. */
    events: eventsAt(context.events, scopes, context.isOnlyScope),
    /** A part of the filter is a secret, so no value of it is shown. */
    isSecret: FILTERS.some((name) => change.isSensitive(name)),
    twins: context.twins.of(one),
  };
}

/**
 * Filters with the types that Azure chooses where they name none, unless both name none, or one does not
 * exist, and the choice is not known.
 */
function comparedFilters(filters: readonly (Attributes | undefined)[], source: unknown) {
  const chosen = filters.map((filter) => filter && withDefaultTypes(filter, source));
  const isOpen = (index: number) =>
    chosen[index] === undefined || chosen[index].includedEventTypes === UNKNOWN;
  return typeof source !== "string" || (isOpen(0) && isOpen(1)) ? filters : chosen;
}

/** The topic, domain or system topic of a subscription, if it is in the plan. */
function topicOf(
  { change, before, after }: SubscriptionChange,
  { sources }: TypeContext,
): Attributes | undefined {
  const reference = change.references("scope")?.[0];
  // The subscription of a system topic is not always in the plan.
  const scope = withoutStart(String((before ?? after)?.scope), "/subscriptions/?");
  const topic = sources.find(
    (each) =>
      reference === `${each.address}.id` ||
      [each.before, each.after].some((side) => String(idOf(side?.id)).endsWith(scope)),
  );
  return topic?.after ?? topic?.before;
}

function findingsOf(question: Question): Finding[] {
  const { before, after, schemas, source, events, isSecret } = question;
  const [first, second] = [before?.filter ?? NOTHING, after?.filter ?? NOTHING];
  const types = namedTypes([first, second], source, events);
  const comparisons = new Map<unknown, Comparison>();
  const compare = (filter: unknown) => {
    const known = comparisons.get(filter);
    const comparison = known ?? new Comparison(first, filter, schemas, types);
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
      const covering = question.twins.filter(({ after }) => covers(after));
      const cover = covering.find(({ before }) => covers(before)) ?? covering[0];
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
  { before, after, isSecret }: Question,
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
    const open = "the filters differ in what Azure's documentation leaves open";
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
    return unknown("types", `${still}, but not with the same ${cover.differs.join(", ")}`);
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
    .map(({ text }) => text)
    .join(" and ");
}

/** Types that filters and events name, and the documented ones of the source. */
function namedTypes(
  filters: readonly unknown[],
  source: unknown,
  events: readonly RecordedEvent[] = [],
): string[] {
  const kind = typeof source === "string" ? typeIn(source) : "";
  const listed = filters.flatMap((filter) => [
    ...includedTypes(filter),
    ...filterConditions(filter)
      .filter(({ key, operator }) => isOneOf(key, "type", "eventType") && operator === "StringIn")
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
function countsOf(question: Question, type: string): Counts | undefined {
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
