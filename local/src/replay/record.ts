import { isObject, LocalCloudError, textAt, textOrEmpty, utcTime } from "../base/index.js";
import {
  elementsOf,
  membersOf,
  objectText,
  type RecordedSchema,
  readRecordedEvent,
} from "../eventgrid/index.js";

/** The value of `recorded` in the records of `listen` and of the dashboard. */
export const FORMAT = "cloud-eventgrid/1";

/** One delivery of an event, as it was recorded. */
export interface RecordedDelivery {
  /** Where the record is, for example `incident.ndjson, line 3`. */
  readonly place: string;
  /** The event to the byte. */
  readonly json: string;
  readonly schema: RecordedSchema;
  readonly id: string;
  /** The `source` of a CloudEvent, the `topic` of an Event Grid event. */
  readonly source: string;
  /** Milliseconds since 1970; `undefined` if the record has no time. */
  readonly at: number | undefined;
  /** Number of earlier attempts, as in the header `aeg-delivery-count`. */
  readonly deliveryCount: number;
  /** Name of the topic that accepted the event, where the dashboard recorded it. */
  readonly topic: string | undefined;
  /** Name of the event subscription of the delivery, where the dashboard recorded it. */
  readonly subscription: string | undefined;
}

/** A record that is not replayed. */
export interface SkippedRecord {
  /** Where it is, for example `incident.ndjson, line 3`. */
  readonly place: string;
  /** Why it is not replayed. */
  readonly problem: string;
}

export interface Records {
  readonly deliveries: readonly RecordedDelivery[];
  readonly skipped: readonly SkippedRecord[];
}

/** A recording with more records than this that cannot be read is refused. */
const MAX_SKIPPED = 100;

/** Reads the files of a recording, and collects the records that are not replayed. */
export class RecordReader {
  readonly skipped: SkippedRecord[] = [];

  /**
   * Reads a JSON text with one record or an array of them, or a line of JSON for each record.
   *
   * @throws LocalCloudError `ERR_REPLAY` as soon as too many records cannot be read
   */
  read(name: string, text: string): RecordedDelivery[] {
    const content = text.trim();
    const parsed = parse(content);
    return parsed === undefined
      ? this.#readLines(name, content)
      : this.#readValue(name, content, parsed);
  }

  #readLines(name: string, content: string): RecordedDelivery[] {
    const lines = content
      .split(/\r?\n/)
      .map((line, index) => ({ place: `${name}, line ${index + 1}`, text: line.trim() }))
      .filter(({ text }) => text !== "");
    if (!lines.some(({ text }) => parse(text) !== undefined)) {
      const problem = content === "" ? "it is empty" : "it is neither JSON nor lines of JSON";
      return this.#skip(name, problem);
    }
    return lines.flatMap(({ place, text }) => {
      const value = parse(text);
      if (value === undefined) return this.#skip(place, "it is not JSON");
      return this.#readValue(place, text, value);
    });
  }

  #readValue(place: string, text: string, value: unknown): RecordedDelivery[] {
    if (!Array.isArray(value)) return this.#readRecord(place, text, value);
    return elementsOf(text).flatMap((each, index) =>
      this.#readRecord(`${place}, index ${index}`, each, value[index]),
    );
  }

  #readRecord(place: string, text: string, value: unknown): RecordedDelivery[] {
    try {
      const record = contentOf(text, value);
      const event = JSON.parse(record.json);
      readRecordedEvent(record, "", 0);
      const source = textAt(event, "source") ?? textOrEmpty(event, "topic");
      return [{ place, id: String(event.id), source, ...record }];
    } catch (error) {
      if (error instanceof LocalCloudError) return this.#skip(place, error.message);
      throw error;
    }
  }

  #skip(place: string, problem: string): [] {
    if (this.skipped.length === MAX_SKIPPED) {
      const summary = `More than ${MAX_SKIPPED} records cannot be read, so nothing is replayed. The first ones:`;
      throw new LocalCloudError("ERR_REPLAY", [summary, ...this.skipped.map(describe)].join("\n"));
    }
    this.skipped.push({ place, problem });
    return [];
  }
}

export function describe({ place, problem }: SkippedRecord): string {
  return `${place}: ${problem}`;
}

/** `undefined` for a text that is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Content = Omit<RecordedDelivery, "place" | "id" | "source">;

/** @throws LocalCloudError `ERR_EVENT` if the value is none of the records that can be replayed */
function contentOf(text: string, value: unknown): Content {
  if (!isObject(value)) throw invalid("it is not a JSON object");
  if (value.recorded !== undefined) return recordedIn(text, value);
  if (isObject(value.deadLetterProperties)) {
    return { ...eventIn(text, value), at: timeIn(value.deadLetterProperties, "publishutc") };
  }
  const names = Object.keys(value);
  if (names.some((name) => name.toLowerCase() === "deadletterreason")) return deadLetterIn(text);
  return published(text, value);
}

/** A record of `listen` or of the dashboard. */
function recordedIn(text: string, record: Record<string, unknown>): Content {
  if (record.recorded !== FORMAT) {
    throw invalid(`its format is '${record.recorded}', but this version reads '${FORMAT}'`);
  }
  const { attempt = 1 } = record;
  if (!Number.isInteger(attempt) || Number(attempt) < 1) {
    throw invalid(`attempt must be a whole number, 1 or more, not '${attempt}'`);
  }
  return {
    ...eventIn(text, record),
    at: timeIn(record, "time"),
    deliveryCount: Number(attempt) - 1,
    topic: textAt(record, "topic"),
    subscription: textAt(record, "subscription"),
  };
}

/** The event in a record, which may be its JSON as a string, for numbers that JavaScript rounds. */
function eventIn(text: string, { event }: Record<string, unknown>): Content {
  const json = typeof event === "string" ? event : membersOf(text).get("event");
  const parsed = json === undefined ? undefined : parse(json);
  if (json === undefined || !isObject(parsed)) throw invalid("its event is not a JSON object");
  return published(json, parsed);
}

/**
 * The fields that Event Grid adds to the dead letters of topics, in lower case as CloudEvents have them;
 * the Event Grid schema has camel case.
 *
 * @see https://learn.microsoft.com/azure/event-grid/delivery-and-retry#delivery-event-formats
 */
const DEAD_LETTER_FIELDS: readonly string[] = [
  "deadletterreason",
  "deliveryattempts",
  "deliveryresult",
  "lastdeliveryoutcome",
  "lasthttpstatuscode",
  "publishtime",
  "lastdeliveryattempttime",
];

function deadLetterIn(text: string): Content {
  const event = membersOf(text);
  const added: Record<string, unknown> = {};
  for (const [name, value] of event) {
    if (!DEAD_LETTER_FIELDS.includes(name.toLowerCase())) continue;
    added[name.toLowerCase()] = JSON.parse(value);
    event.delete(name);
  }
  // Microsoft's published example of a dead letter in the CloudEvents schema lacks it.
  const isUnversioned = event.has("source") && !event.has("specversion");
  const version = isUnversioned ? [["specversion", '"1.0"'] as const] : [];
  const json = objectText([...version, ...event]);
  const content = published(json, JSON.parse(json));
  return { ...content, at: timeIn(added, "publishtime") ?? content.at };
}

/** An event as a publisher sends it. */
function published(json: string, event: Record<string, unknown>): Content {
  const common = { json, deliveryCount: 0, topic: undefined, subscription: undefined };
  if (event.specversion !== undefined) {
    return { ...common, schema: "CloudEventSchemaV1_0", at: timeIn(event, "time") };
  }
  if (event.eventType !== undefined) {
    return { ...common, schema: "EventGridSchema", at: timeIn(event, "eventTime") };
  }
  throw invalid(
    "it is neither a CloudEvent (specversion) nor an Event Grid event (eventType), nor a record of one",
  );
}

function timeIn(record: unknown, name: string): number | undefined {
  const text = textAt(record, name);
  if (text === undefined) return undefined;
  const time = utcTime(text);
  if (Number.isNaN(time)) throw invalid(`${name} must be an ISO 8601 time, not '${text}'`);
  return time;
}

function invalid(problem: string): LocalCloudError {
  return new LocalCloudError("ERR_EVENT", problem);
}
