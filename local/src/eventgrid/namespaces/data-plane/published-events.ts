import type { IncomingHttpHeaders } from "node:http";
import { groupsOf, isObject, MIB, NameRule } from "../../../base/index.js";
import { badRequest, DataPlaneError, parsedJson, utf8Of } from "../../data-plane-error.js";
import {
  type AcceptedEvent,
  type EventContent,
  elementsOf,
  isTimestamp,
  membersOf,
  objectText,
  type ReadEvent,
  RFC_3339,
  requiredAttributes,
  sortedJson,
  textAttributes,
} from "../../events/index.js";

/** The documented limit, of an event and of a request. */
export const MAX_REQUEST_BYTES = MIB;
const MAX_EVENTS = 1_000;

/**
 * Reads the events of a publish request in one of three modes, which its content type decides:
 * structured, a batch, or binary, where headers have the attributes.
 *
 * @throws DataPlaneError if an event is invalid; then none is accepted
 */
export function readPublishedEvents(
  body: Buffer,
  headers: IncomingHttpHeaders,
  now: number,
): ReadEvent[] {
  const contentType = headers["content-type"];
  if (contentType === undefined) throw badRequest("CONTENT-TYPE is not provided");
  switch (mediaTypeOf(contentType)) {
    case "application/cloudevents+json":
      return [structured(utf8Of(body, badRequest), now)];
    case "application/cloudevents-batch+json":
      return batched(utf8Of(body, badRequest), now);
    default:
      return [acceptedEvent(binary(body, headers, contentType), now)];
  }
}

export function payloadTooLarge(): DataPlaneError {
  return new DataPlaneError(
    413,
    "PayloadTooLarge",
    `The maximum size of a request (${MAX_REQUEST_BYTES} bytes) has been exceeded`,
  );
}

function mediaTypeOf(contentType: string): string {
  return contentType.replace(/;.*/s, "").trim().toLowerCase();
}

function batched(text: string, now: number): ReadEvent[] {
  const parsed = parsedJson(text, badRequest);
  if (!Array.isArray(parsed)) throw badRequest("A batch must be a JSON array of CloudEvents");
  if (parsed.length > MAX_EVENTS) {
    throw badRequest(`A request may have ${MAX_EVENTS} events, not ${parsed.length}`);
  }
  return elementsOf(text).map((each, index) => parsedEvent(parsed[index], each, now));
}

/** Reads one event in JSON. */
export function structured(text: string, now: number): ReadEvent {
  return parsedEvent(parsedJson(text, badRequest), text, now);
}

function parsedEvent(parsed: unknown, text: string, now: number): ReadEvent {
  if (isObject(parsed)) return acceptedEvent(membersOf(text), now);
  throw badRequest("A CloudEvent must be a JSON object");
}

/** Attributes in `ce-` headers, the data as the body: the members of the event as JSON texts. */
function binary(
  body: Buffer,
  headers: IncomingHttpHeaders,
  contentType: string,
): ReadonlyMap<string, string> {
  if (headers["ce-datacontenttype"] !== undefined) {
    throw badRequest("In binary mode the Content-Type is the data's, without ce-datacontenttype");
  }
  const members = new Map([["datacontenttype", JSON.stringify(contentType)]]);
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith("ce-") || value === undefined) continue;
    members.set(name.slice(3), JSON.stringify(attributeIn(name, String(value))));
  }
  if (body.byteLength === 0) return members;
  const mediaType = mediaTypeOf(contentType);
  if (mediaType.endsWith("/json") || mediaType.endsWith("+json")) {
    const text = utf8Of(body, badRequest);
    parsedJson(text, badRequest);
    return members.set("data", text);
  }
  if (mediaType.startsWith("text/"))
    return members.set("data", JSON.stringify(utf8Of(body, badRequest)));
  return members.set("data_base64", JSON.stringify(body.toString("base64")));
}

/**
 * The value of a header, without its quotes and percent-decoded once.
 *
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md#3132-http-header-values
 */
function attributeIn(header: string, value: string): string {
  const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
  const unquoted = isQuoted ? value.slice(1, -1).replace(/\\(.)/g, "$1") : value;
  try {
    // The specification does not say what a lone percent sign means: it stays.
    return decodeURIComponent(unquoted.replace(/%(?![0-9a-f]{2})/gi, "%25"));
  } catch {
    throw badRequest(`The header ${header} is not percent-encoded UTF-8`);
  }
}

const EXTENSION_NAME = new NameRule({
  least: 1,
  most: 20,
  characters: ["lower-case letters", "digits"],
});
/** Deeper values are refused, so that hostile ones cost little. */
const MAX_DEPTH = 100;

/**
 * Checks an event, and writes it as receivers get it. The service parses events and writes them anew:
 * members of objects are sorted, and times are in UTC.
 *
 * @param members the texts of the event's members
 * @throws DataPlaneError
 */
function acceptedEvent(members: ReadonlyMap<string, string>, now: number): ReadEvent {
  const written = new Map([...members].filter(([, text]) => text !== "null"));
  const attributes = attributesIn(written);
  const { time } = attributes;
  if (typeof time === "string") written.set("time", JSON.stringify(inUtc(time)));
  const json = sortedJson(objectText(written), MAX_DEPTH);
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
  for (const name of requiredAttributes) {
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
  if (textAttributes.includes(name)) {
    if (typeof value !== "string") throw badRequest(`\`${name}\` attribute must be a string`);
  } else if (!EXTENSION_NAME.allows(name)) {
    throw badRequest(`The attribute name '${name}' must have ${EXTENSION_NAME}`);
  } else if (typeof value === "object") {
    throw badRequest(`\`${name}\` attribute must be a string, a number or a boolean`);
  }
  if (name === "specversion" && value !== "1.0") {
    throw badRequest(`\`specversion\` attribute must be '1.0', not '${value}'`);
  }
  if (name === "time" && !isTimestamp(String(value))) {
    throw badRequest(`\`time\` attribute must be an RFC 3339 timestamp, not '${value}'`);
  }
}

/** Converts an offset, and leaves out a fraction of zeros. Other fractions keep all their digits. */
function inUtc(text: string): string {
  const [date, time, fraction, zone] = groupsOf(RFC_3339, text);
  const seconds = new Date(`${date}T${time}${zone.toUpperCase()}`).toISOString().slice(0, 19);
  return `${seconds}${/[1-9]/.test(fraction) ? fraction : ""}Z`;
}
