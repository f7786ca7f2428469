/** One record of a dead-letter blob. */
export interface DeadLetter {
  /** Name of the blob in the container. */
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
 * @returns undefined when the text is not an array of events
 */
export function parseBlob(
  blob: string,
  text: string,
  replayed: ReadonlySet<number>,
): DeadLetter[] | undefined {
  const isExact = keepsNumbers(text);
  const [subscription = ""] = blob.split("/");
  return parseRecords(text)?.map((record, index) => {
    const added: Record<string, unknown> = {};
    const event: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(record)) {
      const known = ADDED.includes(name.toLowerCase());
      (known ? added : event)[known ? name.toLowerCase() : name] = value;
    }
    const attempts = Number(added.deliveryattempts ?? Number.NaN);
    return {
      blob,
      index,
      subscription,
      event,
      isExact,
      replayed: replayed.has(index),
      reason: String(added.deadletterreason ?? "unknown"),
      ...(Number.isFinite(attempts) && { deliveryAttempts: attempts }),
      ...textField("lastDeliveryOutcome", added.lastdeliveryoutcome),
      ...textField("publishTime", added.publishtime),
      ...textField("lastDeliveryAttemptTime", added.lastdeliveryattempttime),
    };
  });
}

/** When Event Grid stopped retrying, if the record contains it: ISO 8601. */
export function timeOf(letter: DeadLetter): string {
  return letter.lastDeliveryAttemptTime ?? letter.publishTime ?? "";
}

/** The event's type in either schema. */
export function typeOf({ event }: DeadLetter): string {
  return String(event.type ?? event.eventType ?? "unknown");
}

function parseRecords(text: string): Record<string, unknown>[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    const records = Array.isArray(parsed) ? parsed : [parsed];
    return records.every(isRecord) ? records : undefined;
  } catch {
    return undefined;
  }
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

/** Whether parsing and writing a JSON text leaves the value of each of its numbers unchanged. */
function keepsNumbers(json: string): boolean {
  const withoutStrings = json.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const numbers = withoutStrings.match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g) ?? [];
  return numbers.every((text) => {
    const digits = text
      .replace(/[eE].*$/, "")
      .replace(/[-.]/g, "")
      .replace(/^0+/, "");
    // A double keeps 15 significant digits, and every text that it writes itself.
    return digits.replace(/0+$/, "").length <= 15 || String(Number(text)) === text;
  });
}
