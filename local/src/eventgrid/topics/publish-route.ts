import { randomUUID } from "node:crypto";
import { ServiceError } from "../../base/index.js";
import { type Exchange, type Route, readBody, sendEmpty } from "../../http/index.js";
import { topicSegmentOf } from "../../network/index.js";
import type { PublishFault } from "../../simulation/index.js";
import { checkPublisher, type PublisherChecks } from "./publish-credentials.js";
import { PublishError, sendPublishError, tooLarge } from "./publish-error.js";
import { MAX_REQUEST_BYTES, type PublishedEvent, readPublishedEvents } from "./published-events.js";
import type { Topic } from "./topic.js";

export interface PublishHandling extends PublisherChecks {
  /** The topic or domain at the path of an endpoint. */
  readonly topicAt: (path: string) => Topic | undefined;
  /** The cloud's clock, by which events expire. */
  readonly eventTime: () => number;
  /** May throw a ServiceError to refuse the events. */
  readonly accept: (topic: Topic, events: readonly PublishedEvent[]) => void;
  /** Called with the outcome of a request to a topic: the number of its events, or the refusal. */
  readonly onRequest: (topic: Topic, outcome: number | PublishError) => void;
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
      if (!topic) throw new PublishError(404, "ResourceNotFound", "The topic does not exist.");
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

/** Events that cannot be stored are refused like any others. */
function refusalOf(error: unknown): PublishError {
  if (error instanceof PublishError) return error;
  if (!(error instanceof ServiceError)) throw error;
  return new PublishError(error.status, error.serviceCode, error.message);
}

async function read(
  { request, method, url }: Exchange,
  topic: Topic,
  handling: PublishHandling,
): Promise<PublishedEvent[]> {
  if (method !== "POST") {
    throw new PublishError(
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
  throw new PublishError(
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

function faultError({ status, retryAfterSeconds }: PublishFault): PublishError {
  const code = FAULT_CODES[status] ?? "Fault";
  const message = "The request was not completed: simulated fault.";
  return new PublishError(status, code, message, [], retryAfterSeconds);
}
