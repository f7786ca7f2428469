import { split, withoutStart } from "cloud-eventgrid-binding-runtime/internal";
import { inexactNumber } from "../numbers.js";

/** One record of a dead-letter blob. */
export interface DeadLetter {
  readonly blob: string;
  /** Place in the blob's array. */
  readonly index: number;
  /** Name of the event subscription, in upper case as Event Grid writes it. */
  readonly subscription: string;
  /** The event without the fields that Event Grid added. */
  readonly event: Readonly<Record<string, unknown>>;
  /** `MaxDeliveryAttemptsExceeded`, `TimeToLiveExceeded`, … */
  readonly reason: string;
  readonly deliveryAttempts?: number;
  /** The result of the last attempt, in Event Grid's words. */
  readonly lastDeliveryOutcome?: string;
  /** ISO 8601. */
  readonly publishTime?: string;
  /** ISO 8601. */
  readonly lastDeliveryAttemptTime?: string;
  /** Whether a topic has accepted the event again. */
  readonly replayed: boolean;
  /** Whether all numbers survive parsing; an event that would change must not be sent again. */
  readonly isExact: boolean;
}

/** The fields that Event Grid adds, in lower case as CloudEvents have them; others use camel case. */
const ADDED: readonly string[] = [
  "deadletterreason",
  "deliveryattempts",
  "lastdeliveryoutcome",
  "publishtime",
  "lastdeliveryattempttime",
  "lasthttpstatuscode",
];

/**
 * Parses a dead-letter blob.
 *
 * @param replayed indexes of the records that are marked as replayed
 * @returns the dead letters, what in the blob is none, and the number of its records, with foreign ones
 */
export function parseBlob(blob: string, text: string, replayed: ReadonlySet<number>) {
  let parsed: unknown;
  try {
    // Who writes blobs with .NET may put a byte order mark before the text.
    parsed = JSON.parse(withoutStart(text, "\uFEFF"));
  } catch {
    return { letters: [], problem: "it is not JSON", records: 0 };
  }
  const records: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  const exact = textsOf(text).map((record) => inexactNumber(record) === undefined);
  const [subscription] = split(blob, "/");
  const letters = records.flatMap((record, index) =>
    isRecord(record)
      ? [
          {
            ...letterOf(record),
            ...{ blob, index, subscription, replayed: replayed.has(index) },
            isExact: exact[index] === true,
          },
        ]
      : [],
  );
  const foreign = records.length - letters.length;
  if (foreign === 0) return { letters, records: records.length };
  const problem = `${foreign} of its ${records.length} records ${foreign === 1 ? "is" : "are"} not written by Event Grid`;
  return { letters, problem, records: records.length };
}

/** The texts of the records of a blob, without the contents of strings. */
function textsOf(json: string): readonly string[] {
  let depth = 0;
  const isList = json.trimStart().startsWith("[");
  const divided = json.replace(/"(?:[^"\\]|\\.)*"|[[\]{},]/g, (token) => {
    if (token === "[" || token === "{") depth += 1;
    if (token === "]" || token === "}") depth -= 1;
    return token === "," && isList && depth === 1 ? "\0" : token.replace(/".*"/s, '""');
  });
  return divided.split("\0");
}

/** Separates the event from the fields that Event Grid added. */
function letterOf(record: Readonly<Record<string, unknown>>) {
  const added: Record<string, unknown> = {};
  const event: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    const isAdded = ADDED.includes(name.toLowerCase());
    (isAdded ? added : event)[isAdded ? name.toLowerCase() : name] = value;
  }
  const attempts = Number(added.deliveryattempts ?? Number.NaN);
  return {
    event,
    reason: String(added.deadletterreason ?? "unknown"),
    ...(Number.isFinite(attempts) && { deliveryAttempts: attempts }),
    ...textField("lastDeliveryOutcome", added.lastdeliveryoutcome),
    ...textField("publishTime", added.publishtime),
    ...textField("lastDeliveryAttemptTime", added.lastdeliveryattempttime),
  };
}

/** When Event Grid stopped retrying, if the record contains it: ISO 8601. */
export function timeOf(letter: DeadLetter): string {
  return letter.lastDeliveryAttemptTime ?? letter.publishTime ?? "";
}

/** The event's type in either schema. */
export function typeOf({ event }: DeadLetter): string {
  return String(event.type ?? event.eventType ?? "unknown");
}

/** A dead-letter record; the container may hold other files. */
function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.keys(value).some((name) => name.toLowerCase() === "deadletterreason");
}

function textField<Name extends string>(name: Name, value: unknown): { [K in Name]?: string } {
  const field: { [K in Name]?: string } = {};
  if (value !== undefined && value !== null) field[name] = String(value);
  return field;
}

/**
 * The event as CloudEvents have it on the wire. Microsoft's published example of a dead letter lacks
 * `specversion`.
 *
 * @returns undefined for another schema
 */
export function cloudEventOf({
  event,
}: Pick<DeadLetter, "event">): Readonly<Record<string, unknown>> | undefined {
  const { specversion, source, type } = event;
  if (specversion === undefined && typeof source === "string" && typeof type === "string") {
    return { specversion: "1.0", ...event };
  }
  return specversion === "1.0" ? event : undefined;
}
