import type { IncomingHttpHeaders } from "node:http";
import { isObject } from "../../../base/index.js";
import { decoded } from "../../../http/index.js";
import { DataPlaneError, parsedJson, utf8Of } from "../../data-plane-error.js";
import { elementsOf, membersOf } from "../../events/index.js";
import { badRequest } from "./errors.js";
import { acceptedEvent, type PublishedEvent } from "./received-form.js";

/** The documented limit, of an event and of a request. */
export const MAX_REQUEST_BYTES = 1024 * 1024;
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
): PublishedEvent[] {
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
  return contentType.split(";")[0]?.trim().toLowerCase() ?? "";
}

function batched(text: string, now: number): PublishedEvent[] {
  const parsed = parsedJson(text, badRequest);
  if (!Array.isArray(parsed)) throw badRequest("A batch must be a JSON array of CloudEvents");
  if (parsed.length > MAX_EVENTS) {
    throw badRequest(`A request may have ${MAX_EVENTS} events, not ${parsed.length}`);
  }
  const texts = elementsOf(text);
  return parsed.map((element, index) => parsedEvent(element, texts[index] ?? "", now));
}

/** Reads one event in JSON. */
export function structured(text: string, now: number): PublishedEvent {
  return parsedEvent(parsedJson(text, badRequest), text, now);
}

function parsedEvent(parsed: unknown, text: string, now: number): PublishedEvent {
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
    // Header values are percent-encoded: CloudEvents HTTP binding 1.0.2, section 3.1.3.2.
    members.set(name.slice(3), JSON.stringify(decoded(String(value))));
  }
  if (body.byteLength === 0) return members;
  const mediaType = mediaTypeOf(contentType);
  if (/^[^/]+\/([^/]+\+)?json$/.test(mediaType)) {
    const text = utf8Of(body, badRequest);
    parsedJson(text, badRequest);
    return members.set("data", text);
  }
  if (mediaType.startsWith("text/"))
    return members.set("data", JSON.stringify(utf8Of(body, badRequest)));
  return members.set("data_base64", JSON.stringify(body.toString("base64")));
}
