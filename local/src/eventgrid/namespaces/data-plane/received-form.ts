import { type AcceptedEvent, type EventContent, sortedJson } from "../../events/index.js";
import { badRequest } from "./errors.js";

const REQUIRED = ["id", "source", "type", "specversion"];
const STRINGS = [...REQUIRED, "subject", "time", "datacontenttype", "dataschema", "data_base64"];
const EXTENSION_NAME = /^[a-z0-9]{1,20}$/;
const RFC_3339 = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;
/** Deeper values are refused, so that hostile ones cost little. */
const MAX_DEPTH = 100;

export interface PublishedEvent {
  readonly event: AcceptedEvent;
  /** The attributes, for filters. */
  readonly content: EventContent;
}

/**
 * Checks an event, and writes it as receivers get it. The service parses events and writes them anew:
 * members of objects are sorted, and times are in UTC.
 *
 * @param members the texts of the event's members
 * @throws DataPlaneError
 */
export function acceptedEvent(members: ReadonlyMap<string, string>, now: number): PublishedEvent {
  const written = new Map([...members].filter(([, text]) => text !== "null"));
  const attributes = attributesIn(written);
  const { time } = attributes;
  if (typeof time === "string") written.set("time", JSON.stringify(inUtc(time)));
  const text = [...written].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",");
  const json = sortedJson(`{${text}}`, MAX_DEPTH);
  if (json === undefined) {
    throw badRequest(`The event is nested deeper than ${MAX_DEPTH} levels`);
  }
  const event: AcceptedEvent = {
    id: String(attributes.id),
    type: String(attributes.type),
    source: String(attributes.source),
    subject: typeof attributes.subject === "string" ? attributes.subject : undefined,
    time: typeof time === "string" ? inUtc(time) : undefined,
    schema: "CloudEventSchemaV1_0",
    json,
    sizeInBytes: Buffer.byteLength(json),
    publishedAt: now,
  };
  return { event, content: attributes };
}

/** The checked attributes, without the data: filters cannot read it. */
function attributesIn(members: ReadonlyMap<string, string>): EventContent {
  for (const name of REQUIRED) {
    if ((members.get(name) ?? '""') === '""') throw badRequest(`\`${name}\` attribute is required`);
  }
  if (!members.has("data") && !members.has("data_base64")) {
    throw badRequest("'data' attribute is required");
  }
  if (members.has("data") && members.has("data_base64")) {
    throw badRequest("An event has either 'data' or 'data_base64'");
  }
  const attributes = Object.fromEntries(
    [...members].flatMap(([name, text]) => (name === "data" ? [] : [[name, JSON.parse(text)]])),
  );
  for (const [name, value] of Object.entries(attributes)) checkAttribute(name, value);
  return attributes;
}

function checkAttribute(name: string, value: unknown): void {
  if (STRINGS.includes(name)) {
    if (typeof value !== "string") throw badRequest(`\`${name}\` attribute must be a string`);
  } else if (!EXTENSION_NAME.test(name)) {
    throw badRequest(
      `The attribute name '${name}' must have 1 to 20 lower-case letters and digits`,
    );
  } else if (typeof value === "object") {
    throw badRequest(`\`${name}\` attribute must be a string, a number or a boolean`);
  }
  if (name === "specversion" && value !== "1.0") {
    throw badRequest(`\`specversion\` attribute must be '1.0', not '${value}'`);
  }
  if (name === "time" && !isTime(String(value))) {
    throw badRequest(`\`time\` attribute must be an RFC 3339 timestamp, not '${value}'`);
  }
}

function isTime(text: string): boolean {
  return RFC_3339.test(text) && !Number.isNaN(Date.parse(text));
}

/** Converts an offset, and leaves out a fraction of zeros. Other fractions keep all their digits. */
function inUtc(text: string): string {
  const [, date = "", time = "", fraction = "", zone = "Z"] = RFC_3339.exec(text) ?? [];
  const seconds = new Date(`${date}T${time}${zone.toUpperCase()}`).toISOString().slice(0, 19);
  return `${seconds}${/^\.0*$/.test(fraction) ? "" : fraction}Z`;
}
