import { field, listAt } from "../../../base/index.js";
import {
  type Exchange,
  type Route,
  readBody,
  sendJson,
  sendJsonText,
} from "../../../http/index.js";
import { topicSegmentOf } from "../../../network/index.js";
import type { PublishFault } from "../../../simulation/index.js";
import type { Namespace } from "../namespace.js";
import type { NamespaceTopic } from "../namespace-topic.js";
import type { EventQueue, LockResult, ReceivedEvent } from "../subscriptions/index.js";
import {
  checkDataCredentials,
  type DataCredentialChecks,
  type DataTarget,
} from "./data-credentials.js";
import {
  badRequest,
  DataPlaneError,
  notFound,
  refusalOf,
  sendDataPlaneError,
} from "./data-plane-error.js";
import { MAX_REQUEST_BYTES, payloadTooLarge, readPublishedEvents } from "./published-events.js";
import type { PublishedEvent } from "./received-form.js";

export interface DataPlaneHandling extends DataCredentialChecks {
  /** The namespace at a path such as `/shop.westeurope-1`. */
  readonly namespaceAt: (path: string) => Namespace | undefined;
  /** The cloud's clock, by which events expire. */
  readonly eventTime: () => number;
  /** May throw a ServiceError to refuse the events. */
  readonly accept: (topic: NamespaceTopic, events: readonly PublishedEvent[]) => void;
  /** Keeps what a request has changed. May throw a ServiceError. */
  readonly save: () => void;
  /** A simulated failure of publishing. */
  readonly fault: () => PublishFault | undefined;
}

const PATH = /^(\/[a-z0-9-]+\.[a-z0-9]+-\d+)\/topics\/(.*)$/i;
const OPERATION = /^([^/:]+)(?:\/eventsubscriptions\/([^/:]+))?:([a-z]+)$/i;

const VERSIONS = ["2023-11-01", "2024-06-01"];
const RELEASE_DELAYS = [0, 10, 60, 600, 3600];

/** A request for one operation. */
interface DataRequest extends DataTarget {
  readonly exchange: Exchange;
  readonly version: string;
  readonly operation: string;
}

/** `POST /{namespace}.{location}-1/topics/…`, or the public host of a namespace through the proxy. */
export function dataRoute(handling: DataPlaneHandling): Route {
  return async (exchange) => {
    const { request, response, url } = exchange;
    const segment = topicSegmentOf(url.hostname);
    const path = decoded(segment ? `/${segment}${url.pathname}` : url.pathname);
    const [, namespacePath = "", rest = ""] = PATH.exec(path) ?? [];
    if (namespacePath === "") return false;
    try {
      await operate(exchange, namespacePath, rest, handling);
    } catch (error) {
      request.resume();
      if (response.headersSent || response.destroyed) return true;
      sendDataPlaneError(response, refusalOf(error), new Date(handling.now()));
    }
    return true;
  };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function operate(
  exchange: Exchange,
  namespacePath: string,
  rest: string,
  handling: DataPlaneHandling,
): Promise<void> {
  const { request, method, url } = exchange;
  const namespace = handling.namespaceAt(namespacePath);
  if (!namespace) throw notFound("Namespace", namespacePath.slice(1));
  const [, topicName = "", subscription, operation = ""] = OPERATION.exec(rest) ?? [];
  if (topicName === "") throw notFound("Operation", rest);
  if (method !== "POST") {
    throw new DataPlaneError(405, "MethodNotAllowed", `Every operation is a POST, not ${method}`);
  }
  const target = { namespace, topic: topicName, subscription };
  await checkDataCredentials(request.headers, url.searchParams, target, handling);
  const topic = namespace.topics.get(topicName);
  if (!topic) throw notFound("Topic", topicName);
  const version = url.searchParams.get("api-version") ?? "";
  if (!VERSIONS.includes(version)) {
    throw badRequest(`The api-version '${version}' is not one of ${VERSIONS.join(", ")}`);
  }
  const run = subscription === undefined ? topicOperations[operation.toLowerCase()] : undefined;
  if (run) return run({ ...target, exchange, version, operation }, topic, handling);
  const runQueue = queueOperations[operation.toLowerCase()];
  if (subscription === undefined || !runQueue) throw notFound("Operation", operation);
  const queue = topic.subscriptions.get(subscription)?.queue;
  if (!queue || queue.isExpired) throw notFound("Event subscription", subscription);
  return runQueue({ ...target, exchange, version, operation }, queue, handling);
}

type TopicOperation = (
  request: DataRequest,
  topic: NamespaceTopic,
  handling: DataPlaneHandling,
) => Promise<void>;

const topicOperations: Readonly<Record<string, TopicOperation | undefined>> = {
  async publish({ exchange }, topic, handling) {
    const { request } = exchange;
    const fault = handling.fault();
    if (fault) {
      const message = "The request was not completed: simulated fault";
      throw new DataPlaneError(fault.status, "Fault", message, fault.retryAfterSeconds);
    }
    const body = await readBody(request, MAX_REQUEST_BYTES);
    if (!body) throw payloadTooLarge();
    handling.accept(topic, readPublishedEvents(body, request.headers, handling.eventTime()));
    sendJson(exchange, 200, {}, JSON_TYPE);
  },
};

type QueueOperation = (
  request: DataRequest,
  queue: EventQueue,
  handling: DataPlaneHandling,
) => Promise<void>;

const queueOperations: Readonly<Record<string, QueueOperation | undefined>> = {
  async receive({ exchange }, queue, handling) {
    const { request, response, url } = exchange;
    const maxEvents = unsigned(url.searchParams, "maxEvents", 1);
    if (maxEvents < 1 || maxEvents > 100) throw invalidArgument("maxEvents");
    const seconds = unsigned(url.searchParams, "maxWaitTime", 60);
    if (seconds < 10 || seconds > 120) throw invalidArgument("maxWaitTime");
    request.resume();
    // A client that has gone must not lock events.
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const { signal } = gone;
    const events = await queue.receive({ maxEvents, maxWaitMs: seconds * 1000, signal });
    if (signal.aborted) return;
    handling.save();
    sendJsonText(exchange, 200, `{"value":[${events.map(receivedJson).join(",")}]}`);
  },
  acknowledge: lockOperation((queue, tokens) => queue.acknowledge(tokens)),
  reject: lockOperation((queue, tokens) => queue.reject(tokens)),
  release: lockOperation((queue, tokens, { exchange, version }) => {
    const { searchParams } = exchange.url;
    const seconds = unsigned(searchParams, "releaseDelayInSeconds", 0);
    if (!RELEASE_DELAYS.includes(seconds)) throw invalidArgument("releaseDelayInSeconds");
    if (searchParams.has("releaseDelayInSeconds")) requireVersion("2024-06-01", version);
    return queue.release(tokens, seconds * 1000);
  }),
  renewlock: lockOperation((queue, tokens, { version }) => {
    requireVersion("2024-06-01", version);
    return queue.renewLocks(tokens);
  }),
};

/** 200 also if every token fails. */
function lockOperation(
  run: (queue: EventQueue, lockTokens: readonly string[], request: DataRequest) => LockResult,
): QueueOperation {
  return async (request, queue, handling) => {
    const body = await readBody(request.exchange.request, MAX_REQUEST_BYTES);
    if (!body) throw payloadTooLarge();
    const result = run(queue, lockTokensIn(body), request);
    handling.save();
    sendJson(request.exchange, 200, result, JSON_TYPE);
  };
}

const JSON_TYPE = { "content-type": "application/json" };

function lockTokensIn(body: Buffer): string[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString("utf8"));
  } catch {
    throw badRequest("The body is not valid JSON");
  }
  const tokens = listAt(parsed, "lockTokens").filter((each) => typeof each === "string");
  if (tokens.length > 0 && tokens.length === listAt(parsed, "lockTokens").length) return tokens;
  throw badRequest(
    `\`lockTokens\` must be an array of strings${field(parsed, "lockTokens") === undefined ? ", and is missing" : ""}`,
  );
}

function receivedJson({ event, lockToken, deliveryCount }: ReceivedEvent): string {
  const brokerProperties = JSON.stringify({ lockToken, deliveryCount });
  return `{"brokerProperties":${brokerProperties},"event":${event.json}}`;
}

function unsigned(query: URLSearchParams, name: string, defaultValue: number): number {
  const text = query.get(name);
  if (text === null) return defaultValue;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw badRequest("Error parsing query parameters: invalid digit found in string");
}

function invalidArgument(name: string): DataPlaneError {
  return new DataPlaneError(400, "ArgumentInvalid", `Invalid ${name} parameter`);
}

/** The specification has the operation, or the parameter, from this version on. */
function requireVersion(least: string, version: string): void {
  if (version >= least) return;
  throw badRequest(`The request needs the api-version ${least}, not ${version}`);
}
