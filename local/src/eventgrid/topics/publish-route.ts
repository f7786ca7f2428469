import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { azureTime } from "../../base/index.js";
import { type Exchange, type Route, readBody, sendEmpty } from "../../http/index.js";
import { topicSegmentOf } from "../../network/index.js";
import type { PublishFault } from "../../simulation/index.js";
import { type CredentialChecks, type CredentialTarget, checkCredentials } from "../credentials.js";
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
  /** Called with the outcome of a request to a topic: the number of its events if it accepted them. */
  readonly onRequest: (topic: Topic, outcome: number | "refused") => void;
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
    const [, name, ...rest] = path.split("/");
    if (!name || rest.join("/") !== "api/events") return false;
    const topic = handling.topicAt(path);
    try {
      if (!topic) throw new DataPlaneError(404, "ResourceNotFound", "The topic does not exist.");
      const events = await read(exchange, topic, handling);
      handling.accept(topic, events);
      handling.onRequest(topic, events.length);
      sendEmpty(exchange, 200, { "x-ms-request-id": randomUUID() });
    } catch (error) {
      const refusal = refusalOf(error);
      if (topic) handling.onRequest(topic, "refused");
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
  exchange: Exchange,
  topic: Topic,
  handling: PublishHandling,
): Promise<ReadEvent[]> {
  const { request, method } = exchange;
  if (method !== "POST") {
    throw new DataPlaneError(
      405,
      "MethodNotAllowed",
      `Events are published with POST, not ${method}.`,
    );
  }
  await checkCredentials(exchange, publisherTarget(topic, handling), handling);
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
function expectsArray(topic: Topic, contentType: string | undefined): boolean {
  if (topic.inputSchema !== "CloudEventSchemaV1_0") return true;
  const mediaType = String(contentType).replace(/;.*/s, "").trim().toLowerCase();
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

function publisherTarget(topic: Topic, { maySend }: CredentialChecks): CredentialTarget {
  const { localAuthEnabled, publishKey } = topic;
  const { key1, key2 } = topic.keys();
  const disabled = "Local authentication is disabled for this topic; use an Entra token.";
  return {
    keys: localAuthEnabled ? [key1, key2, publishKey] : [publishKey],
    path: topic.path,
    isAllowed: (principalId) => maySend(principalId, topic.id),
    allowsSharedAccessKey: false,
    refusals: {
      none: "Request must contain one of the following authorization signature: aeg-sas-token, aeg-sas-key.",
      key: (key) => (localAuthEnabled ? keyRefusal(key, topic) : disabled),
      signature: localAuthEnabled ? undefined : disabled,
      // Azure names neither the principal nor the role.
      principal: (id) =>
        `The principal associated with access token presented with the incoming request does not have permission to send data to ${topic.id}. Assign '${id}' the role 'EventGrid Data Sender' there.`,
    },
  };
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
