import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { azureTime } from "../../base/index.js";
import type { Claims } from "../../entra/index.js";
import { type Exchange, isEqualText, type Route, readBody, sendEmpty } from "../../http/index.js";
import { topicPathOf, topicSegmentOf } from "../../network/index.js";
import type { PublishFault } from "../../simulation/index.js";
import { type CredentialChecks, EVENT_GRID_AUDIENCE, readSasToken } from "../credentials.js";
import { DataPlaneError, refusalOf, sendRefusal } from "../data-plane-error.js";
import type { ReadEvent } from "../events/index.js";
import { MAX_REQUEST_BYTES, readPublishedEvents, tooLarge } from "./published-events.js";
import type { Topic } from "./topics.js";

export interface PublishHandling extends CredentialChecks {
  /** The topic or domain at the path of an endpoint. */
  readonly topicAt: (path: string) => Topic | undefined;
  /** The cloud's clock, by which events expire. */
  readonly eventTime: () => number;
  /** May throw a ServiceError to refuse the events. */
  readonly accept: (topic: Topic, events: readonly ReadEvent[]) => void;
  /** Called with the outcome of a request to a topic: the number of its events, or the refusal. */
  readonly onRequest: (topic: Topic, outcome: number | DataPlaneError) => void;
  /** A simulated failure. */
  readonly fault: () => PublishFault | undefined;
}

const MEDIA_TYPES = new Map([
  ["application/cloudevents+json", { batched: false }],
  ["application/cloudevents-batch+json", { batched: true }],
]);

/** `POST /{topic}.{location}-1/api/events`, or the public host of a topic through the proxy. */
export function publishRoute(handling: PublishHandling): Route {
  return async (exchange) => {
    const segment = topicSegmentOf(exchange.url.hostname);
    const { pathname } = exchange.url;
    const path = segment ? `/${segment}${pathname}` : pathname;
    if (!/^\/[^/]+\/api\/events$/.test(path)) return false;
    const topic = handling.topicAt(path);
    try {
      if (!topic) throw new DataPlaneError(404, "ResourceNotFound", "The topic does not exist.");
      const events = await read(exchange, topic, handling);
      handling.accept(topic, events);
      handling.onRequest(topic, events.length);
      sendEmpty(exchange, 200, { "x-ms-request-id": randomUUID() });
    } catch (error) {
      const refusal = refusalOf(error);
      if (topic) handling.onRequest(topic, refusal);
      exchange.request.resume();
      sendPublishError(exchange.response, refusal, new Date(handling.now()));
    }
    return true;
  };
}

/** Writes the error with the request ID in its message, except for too large content. */
function sendPublishError(response: ServerResponse, error: DataPlaneError, now: Date): void {
  const requestId = randomUUID();
  const { code } = error;
  const isTooLarge = error.status === 413;
  const report = `Report '${requestId}:0:${azureTime(now.getTime())} (UTC)' to our forums for assistance or raise a support ticket.`;
  const message = isTooLarge ? error.message : `${error.message} ${report}`;
  const headers = {
    ...(!isTooLarge && { "content-type": "application/json; charset=utf-8" }),
    "x-ms-request-id": requestId,
  };
  const { details = [{ code, message }] } = error.more;
  sendRefusal(response, error, headers, { code, message, details });
}

async function read(
  { request, method, url }: Exchange,
  topic: Topic,
  handling: PublishHandling,
): Promise<ReadEvent[]> {
  if (method !== "POST") {
    throw new DataPlaneError(
      405,
      "MethodNotAllowed",
      `Events are published with POST, not ${method}.`,
    );
  }
  await checkPublisher(request.headers, url.searchParams, topic, handling);
  const fault = handling.fault();
  if (fault) throw faultError(fault);
  const batched = expectsArray(topic, request.headers["content-type"]);
  const body = await readBody(request, MAX_REQUEST_BYTES);
  if (!body) {
    throw tooLarge(`The maximum size (${MAX_REQUEST_BYTES}) has been exceeded.`);
  }
  return readPublishedEvents(body, topic, batched, handling.eventTime());
}

/**
 * Whether the body must be an array. Only topics for CloudEvents look at the content type; others
 * accept any, also curl's default.
 */
function expectsArray(topic: Topic, contentType = ""): boolean {
  if (topic.inputSchema !== "CloudEventSchemaV1_0") return true;
  const mediaType = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  const known = MEDIA_TYPES.get(mediaType);
  if (known) return known.batched;
  throw new DataPlaneError(
    415,
    "UnsupportedMediaType",
    `The Content-Type header is either missing or it doesn't have a valid value. The content type header must either be ${[...MEDIA_TYPES.keys()].join(" or ")}.`,
  );
}

const FAULT_CODES: Readonly<Record<number, string>> = {
  429: "TooManyRequests",
  500: "InternalServerError",
  503: "ServiceUnavailable",
};

function faultError({ status, retryAfterSeconds }: PublishFault): DataPlaneError {
  const code = FAULT_CODES[status] ?? "Fault";
  const message = "The request was not completed: simulated fault.";
  return new DataPlaneError(status, code, message, { retryAfterSeconds });
}

/**
 * Checks that a publish request has one of the topic's keys, a signature made with one, or a token.
 *
 * @param query the query of the URL, which may contain a key too
 * @throws DataPlaneError 401 without valid credentials, and for a token whose owner may not publish
 */
async function checkPublisher(
  headers: IncomingHttpHeaders,
  query: URLSearchParams,
  topic: Topic,
  checks: CredentialChecks,
): Promise<void> {
  const authorization = headers.authorization ?? "";
  const bearer = /^bearer (.+)$/i.exec(authorization)?.[1];
  if (bearer !== undefined) return checkToken(await checks.verify(bearer), topic, checks);

  const key = headers["aeg-sas-key"] ?? query.get("aeg-sas-key") ?? undefined;
  const signature =
    headers["aeg-sas-token"] ?? /^sharedaccesssignature (.+)$/i.exec(authorization)?.[1];
  if (typeof key !== "string" && typeof signature !== "string") {
    throw unauthorized(
      "Request must contain one of the following authorization signature: aeg-sas-token, aeg-sas-key.",
    );
  }
  if (typeof key === "string" && isEqualText(key, topic.publishKey)) return;
  if (!topic.localAuthEnabled) {
    throw unauthorized("Local authentication is disabled for this topic; use an Entra token.");
  }
  const { key1, key2 } = topic.keys();
  if (typeof key === "string") {
    if (isEqualText(key, key1) || isEqualText(key, key2)) return;
    throw unauthorized(keyRefusal(key, topic));
  }
  checkSignature(String(signature), topic, checks);
}

function checkToken(claims: Claims | undefined, topic: Topic, checks: CredentialChecks): void {
  if (!claims || !EVENT_GRID_AUDIENCE.test(String(claims.aud))) {
    throw unauthorized(
      "The authorization token is expired, not signed by this cloud's Entra, or not for https://eventgrid.azure.net.",
    );
  }
  if (checks.maySend(String(claims.oid), topic.id)) return;
  // Azure answers 401, not 403: https://github.com/Azure/azure-sdk-for-net/issues/22831. It names
  // neither the principal nor the role.
  throw unauthorized(
    `The principal associated with access token presented with the incoming request does not have permission to send data to ${topic.id}. Assign '${claims.oid}' the role 'EventGrid Data Sender' there.`,
  );
}

function checkSignature(text: string, topic: Topic, { now, serverNames }: CredentialChecks): void {
  const token = readSasToken(text);
  const { key1, key2 } = topic.keys();
  if (!token.isSignedWith([key1, key2])) {
    throw unauthorized("The request authorization signature is not valid.");
  }
  // The client may have been given any of the topic's endpoints.
  const path = topicPathOf(token.resource, serverNames);
  if (path === undefined || path === "/" || !topic.path.startsWith(path)) {
    throw unauthorized(
      `The request authorization signature is for another topic, ${token.resource}.`,
    );
  }
  if (!(token.expiresAt > now())) {
    throw unauthorized("The request authorization signature has expired.");
  }
}

/** Azure names the topic's host in capitals, and why it cannot read a key. */
function keyRefusal(key: string, { path }: Topic): string {
  const host = `${path.split("/")[1]}.eventgrid.azure.net`.toUpperCase();
  const refusal = `The request authorization key is not authorized for ${host}.`;
  const reason =
    key.length % 4 !== 0
      ? "Invalid length for a Base-64 char array or string."
      : /^[\w+/]*={0,2}$/.test(key)
        ? undefined
        : "The input is not a valid Base-64 string.";
  return reason === undefined ? refusal : `${refusal} This is due to the reason: ${reason}`;
}

function unauthorized(message: string): DataPlaneError {
  return new DataPlaneError(401, "Unauthorized", message);
}
