import type { DeliveryAttempt, EventFilter, LocalCloud } from "cloud-eventgrid-local";
import type { Finding } from "../../../cli/src/plan/finding.js";
import { explainPlan, readPlan } from "../../../cli/src/plan/index.js";
import { RandomFilters } from "../../support/random-filters.js";
import { eventWith } from "../rules/filters/event-with.js";

/** One event subscription of a configuration. */
export interface Configured {
  readonly name: string;
  /** The topic of CloudEvents, or that of the Event Grid schema. */
  readonly topic: "cloud" | "grid";
  readonly url: string;
  readonly schema: "CloudEventSchemaV1_0" | "EventGridSchema";
  readonly filter: EventFilter;
  readonly deadLetter: boolean;
}

export interface Pair {
  readonly before: readonly Configured[];
  readonly after: readonly Configured[];
}

export const ORIGIN = "https://orders.example.com";

/** A random configuration of three subscriptions at two topics, and one that somebody makes of it. */
export function randomPair(random: RandomFilters, prefix: string): Pair {
  const subscription = (index: number): Configured => {
    const topic = index === 1 ? "grid" : "cloud";
    const schema =
      topic === "grid" && random.chance(0.5) ? "EventGridSchema" : "CloudEventSchemaV1_0";
    const filter = random.filter();
    const name = `${prefix}-${index}`;
    return {
      name,
      topic,
      url: `${ORIGIN}/${name}`,
      schema,
      filter,
      deadLetter: random.chance(0.5),
    };
  };
  const before = [0, 1, 2].map(subscription);
  const after = before.flatMap((one): Configured[] => {
    if (random.chance(0.08)) return [];
    const moved = random.chance(0.15) ? { url: `${one.url}/moved` } : {};
    const other = one.topic === "grid" &&
      random.chance(0.15) && { schema: "CloudEventSchemaV1_0" as const };
    const deadLetter = random.chance(0.3) ? !one.deadLetter : one.deadLetter;
    return [{ ...one, ...moved, ...other, deadLetter, filter: random.changed(one.filter) }];
  });
  return { before, after: random.chance(0.2) ? [...after, subscription(3)] : after };
}

/** A configuration in Azure, however it gets there. */
export interface Applier {
  readonly cloud: LocalCloud;
  /** All attempts so far. */
  readonly attempts: readonly DeliveryAttempt[];
  readonly topics: Readonly<Record<Configured["topic"], { readonly id: string }>>;
  apply(configured: readonly Configured[]): Promise<void>;
  /** What `terraform show -json` prints of the change. */
  plan(pair: Pair): Promise<string>;
}

/** What the predictions of a pair got wrong, and how many findings say unknown. */
export interface Verdict {
  readonly disagreements: readonly string[];
  readonly findings: number;
  readonly unknown: number;
}

/** Applies a pair, publishes the same events before and after, and compares deliveries with predictions. */
export async function judge(applier: Applier, pair: Pair, seed: number): Promise<Verdict> {
  await applier.apply(pair.before);
  const json = await applier.plan(pair);
  const published = await eventsFor(json, seed);
  const was = await publish(applier, published);
  await applier.apply(pair.after);
  const is = await publish(applier, published);
  await applier.apply([]);

  const records = published.map(({ topic, event }) => ({
    type: String(event.type ?? event.eventType),
    attributes: event,
    scope: applier.topics[topic].id.toLowerCase(),
  }));
  const explanation = await explainPlan(readPlan(json), records, []);
  const names = [...new Set([...pair.before, ...pair.after].map(({ name }) => name))];
  const disagreements = names.flatMap((name) => {
    const findings = explanation.resources.find((each) => each.name === name)?.findings ?? [];
    const [old, next] = [was.get(name) ?? new Map(), is.get(name) ?? new Map()];
    const types = new Set(records.map(({ type }) => type));
    return [
      ...[...types].flatMap((type) =>
        typeProblems(findings, type, ofType(old, type), ofType(next, type)),
      ),
      ...exampleProblems(name, published, old, next),
      ...deadLetterProblems(findings, old, next),
    ].map((problem) => `${name}: ${problem}`);
  });
  const typed = explanation.resources.flatMap(({ findings }) =>
    findings.filter(({ check }) => check === "types"),
  );
  const unknown = typed.filter(({ effect }) => effect === "unknown").length;
  return { disagreements, findings: typed.length, unknown };
}

type Published = {
  readonly topic: Configured["topic"];
  readonly event: Record<
    string,
    unknown
  > /** The subscription that loses it, if it is an example. */;
  readonly lostBy?: string;
};

/** The outcome of each delivered event, by its number. */
type Delivered = ReadonlyMap<number, { readonly type: string; readonly outcome: string }>;

/** 50 random events, and the examples of events that are lost. */
async function eventsFor(json: string, seed: number): Promise<Published[]> {
  const random = new RandomFilters(seed);
  const events: Published[] = Array.from({ length: 50 }, () => {
    const topic = random.pick(["cloud", "grid"]);
    return { topic, event: random.event(topic === "cloud") };
  });
  const { resources } = await explainPlan(readPlan(json), [], []);
  const examples = resources.flatMap(({ findings, name }) =>
    findings.flatMap(({ example }): Published[] => {
      if (example === undefined) return [];
      const schema = "eventType" in example ? "EventGridSchema" : "CloudEventSchemaV1_0";
      const topic = "eventType" in example ? "grid" : "cloud";
      return [{ topic, lostBy: name, event: eventWith(example, schema) }];
    }),
  );
  return [...events, ...examples].map(({ event, ...rest }, seq) => ({
    ...rest,
    event: numbered(event, seq),
  }));
}

/** The event with its number in the data. */
function numbered(event: Record<string, unknown>, seq: number): Record<string, unknown> {
  const data = event.data ?? {};
  const withNumber = typeof data === "object" && !Array.isArray(data) ? { ...data, seq } : data;
  return JSON.parse(JSON.stringify({ ...event, data: withNumber }));
}

async function publish(
  applier: Applier,
  events: readonly Published[],
): Promise<Map<string, Delivered>> {
  const start = applier.attempts.length;
  for (const name of ["cloud", "grid"] as const) {
    const topic = applier.cloud.topics
      .list()
      .find(({ id }) => id.toLowerCase() === applier.topics[name].id.toLowerCase());
    if (topic === undefined) throw new Error(`no topic ${name}`);
    const own = events.filter((each) => each.topic === name).map(({ event }) => event);
    const response = await fetch(topic.endpoint, {
      method: "POST",
      headers: {
        "aeg-sas-key": topic.accessKey,
        "content-type":
          name === "cloud" ? "application/cloudevents-batch+json" : "application/json",
      },
      body: JSON.stringify(own),
    });
    if (!response.ok) throw new Error(await response.text());
  }
  await applier.cloud.drain();
  const results = new Map<string, Map<number, { type: string; outcome: string }>>();
  for (const { subscription, events: delivered, outcome } of applier.attempts.slice(start)) {
    const own = results.get(subscription) ?? new Map();
    results.set(subscription, own);
    for (const { json, type } of delivered) own.set(JSON.parse(json).data.seq, { type, outcome });
  }
  return results;
}

function ofType(delivered: Delivered, type: string): Set<number> {
  return new Set([...delivered].filter(([, one]) => one.type === type).map(([seq]) => seq));
}

function typeProblems(
  findings: readonly Finding[],
  type: string,
  was: ReadonlySet<number>,
  is: ReadonlySet<number>,
): string[] {
  const finding = findings.find(({ check, eventType }) => check === "types" && eventType === type);
  const lost = [...was].filter((seq) => !is.has(seq)).length;
  const gained = [...is].filter((seq) => !was.has(seq)).length;
  if (finding === undefined)
    return lost + gained === 0
      ? []
      : [`${type}: not mentioned, but ${lost} lost, ${gained} gained`];
  const { counts, effect } = finding;
  const actual = { before: was.size, after: is.size, lost };
  const isSame =
    counts && (["before", "after", "lost"] as const).every((name) => counts[name] === actual[name]);
  return [
    ...(isSame
      ? []
      : [`${type}: predicted ${JSON.stringify(counts)}, was ${JSON.stringify(actual)}`]),
    ...(effect === "none" && lost > 0 ? [`${type}: nothing is lost, but ${lost} were`] : []),
  ];
}

/** An example of a loss must have been delivered before, and not afterwards. */
function exampleProblems(
  name: string,
  published: readonly Published[],
  was: Delivered,
  is: Delivered,
): string[] {
  return published.flatMap(({ lostBy, event }, seq) => {
    if (lostBy !== name || (was.has(seq) && !is.has(seq))) return [];
    return [`the example ${JSON.stringify(event)} is no loss`];
  });
}

/** The webhook refuses some events for good: they are dead-lettered, or dropped. */
function deadLetterProblems(findings: readonly Finding[], was: Delivered, is: Delivered): string[] {
  const finding = findings.find(({ check }) => check === "dead-letters");
  const outcomes = (delivered: Delivered) =>
    new Set([...delivered.values()].map(({ outcome }) => outcome));
  const [old, next] = [outcomes(was), outcomes(is)];
  if (finding?.effect === "lost") {
    return old.has("dropped") || next.has("deadLettered")
      ? ["dead letters are not switched off"]
      : [];
  }
  return old.has("deadLettered") && next.has("dropped")
    ? ["dead letters are lost, unpredicted"]
    : [];
}

/** Refuses every tenth event. */
export function refuses(body: string): boolean {
  const [event] = [JSON.parse(body)].flat();
  return Number(event?.data?.seq) % 10 === 0;
}

/** A subscription as attributes of azurerm. */
export function attributesOf(one: Configured, scope: string): Record<string, unknown> {
  const { filter } = one;
  const blocks: Record<string, object[]> = {};
  for (const { operatorType, ...condition } of filter.advancedFilters ?? []) {
    const name = operatorType.replace(/(?<!^)([A-Z])/g, "_$1").toLowerCase();
    blocks[name] = [...(blocks[name] ?? []), condition];
  }
  const subject = {
    subject_begins_with: filter.subjectBeginsWith ?? "",
    subject_ends_with: filter.subjectEndsWith ?? "",
    case_sensitive: filter.isSubjectCaseSensitive ?? false,
  };
  return {
    name: one.name,
    scope,
    event_delivery_schema: one.schema,
    included_event_types: filter.includedEventTypes ?? [],
    subject_filter: [subject],
    advanced_filter: Object.keys(blocks).length === 0 ? [] : [blocks],
    advanced_filtering_on_arrays_enabled: filter.enableAdvancedFilteringOnArrays ?? false,
    webhook_endpoint: [{ url: one.url }],
    storage_blob_dead_letter_destination: one.deadLetter
      ? [{ storage_account_id: ACCOUNT, storage_blob_container_name: "dead" }]
      : [],
  };
}

export const ACCOUNT =
  "/subscriptions/00000000-0000-4000-8000-000000000000/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/shop";
