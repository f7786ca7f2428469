import { isDeepStrictEqual } from "node:util";
import { digitsIn, field, listAt, SECOND_MS } from "../../../base/index.js";
import { type Exchange, readBody } from "../../../http/index.js";
import { badRequest, DataPlaneError, parsedJson } from "../../data-plane-error.js";
import type { ReadEvent } from "../../events/index.js";
import type { LockResult, ReceivedEvent } from "../locks.js";
import type { NamespaceTopic } from "../namespace.js";
import type { QueueSubscriber } from "../queue-subscriber.js";
import { MAX_REQUEST_BYTES, payloadTooLarge, readPublishedEvents } from "./published-events.js";

/** A request for one operation. */
export interface DataRequest {
  readonly exchange: Exchange;
  readonly version: string;
}

interface QueueRequest extends DataRequest {
  /** Whether a fault fails all lock tokens. */
  readonly failTokens: boolean;
}

export interface OperationServices {
  /** The cloud's clock, by which events expire. */
  readonly eventTime: () => number;
  /** May throw a ServiceError to refuse the events. */
  readonly accept: (topic: NamespaceTopic, events: readonly ReadEvent[]) => void;
  /** Keeps what a request has changed. May throw a ServiceError. */
  readonly save: () => void;
}

/** Returns the body of the response. */
export async function publish(
  { exchange: { request } }: DataRequest,
  topic: NamespaceTopic,
  services: OperationServices,
): Promise<string> {
  const body = await readBody(request, MAX_REQUEST_BYTES);
  if (!body) throw payloadTooLarge();
  services.accept(topic, readPublishedEvents(body, request.headers, services.eventTime()));
  return "{}";
}

/** Returns the body of the response. */
type QueueOperation = (
  request: QueueRequest,
  queue: QueueSubscriber,
  services: OperationServices,
) => Promise<string>;

const RELEASE_DELAYS = [0, 10, 60, 600, 3600];

/** By the operation's name in lower case. */
export const queueOperations: Readonly<Record<string, QueueOperation | undefined>> = {
  async receive({ exchange: { request, response, url } }, queue, services) {
    const maxEvents = unsigned(url.searchParams, "maxEvents", 1);
    if (maxEvents < 1 || maxEvents > 100) throw invalidArgument("maxEvents");
    const seconds = unsigned(url.searchParams, "maxWaitTime", 60);
    if (seconds < 10 || seconds > 120) throw invalidArgument("maxWaitTime");
    request.resume();
    // A client that has gone must not lock events.
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const { signal } = gone;
    const events = await queue.receive({ maxEvents, maxWaitMs: seconds * SECOND_MS, signal });
    services.save();
    return `{"value":[${events.map(receivedJson).join(",")}]}`;
  },
  acknowledge: lockOperation((queue, tokens) => queue.acknowledge(tokens)),
  reject: lockOperation((queue, tokens) => queue.reject(tokens)),
  release: lockOperation((queue, tokens, { exchange, version }) => {
    const { searchParams } = exchange.url;
    const seconds = unsigned(searchParams, "releaseDelayInSeconds", 0);
    if (!RELEASE_DELAYS.includes(seconds)) throw invalidArgument("releaseDelayInSeconds");
    if (searchParams.has("releaseDelayInSeconds")) requireVersion("2024-06-01", version);
    return queue.release(tokens, seconds * SECOND_MS);
  }),
  renewlock: lockOperation((queue, tokens, { version }) => {
    requireVersion("2024-06-01", version);
    return queue.renewLocks(tokens);
  }),
};

/** 200 also if every token fails. */
function lockOperation(
  run: (queue: QueueSubscriber, lockTokens: readonly string[], request: QueueRequest) => LockResult,
): QueueOperation {
  return async (request, queue, services) => {
    const body = await readBody(request.exchange.request, MAX_REQUEST_BYTES);
    if (!body) throw payloadTooLarge();
    const lockTokens = lockTokensIn(body);
    if (request.failTokens) return JSON.stringify(failed(lockTokens));
    const result = run(queue, lockTokens, request);
    services.save();
    return JSON.stringify(result);
  };
}

/** The result if the broker has trouble. */
function failed(lockTokens: readonly string[]): LockResult {
  const error = {
    code: "InternalServerError",
    message: "The broker failed: simulated fault",
  } as const;
  return {
    succeededLockTokens: [],
    failedLockTokens: lockTokens.map((lockToken) => ({ lockToken, error })),
  };
}

function lockTokensIn(body: Buffer): string[] {
  const parsed = parsedJson(body.toString("utf8"), badRequest);
  const tokens = listAt(parsed, "lockTokens").filter((each) => typeof each === "string");
  if (tokens.length > 0 && tokens.length === listAt(parsed, "lockTokens").length) return tokens;
  const written = field(parsed, "lockTokens");
  const found =
    written === undefined
      ? ", and is missing"
      : isDeepStrictEqual(written, [])
        ? ", and is empty"
        : "";
  throw badRequest(`\`lockTokens\` must be an array of strings, at least one${found}`);
}

function receivedJson({ event, lockToken, deliveryCount }: ReceivedEvent): string {
  const brokerProperties = JSON.stringify({ lockToken, deliveryCount });
  return `{"brokerProperties":${brokerProperties},"event":${event.json}}`;
}

function unsigned(query: URLSearchParams, name: string, defaultValue: number): number {
  const text = query.get(name);
  if (text === null) return defaultValue;
  const number = digitsIn(text);
  if (!Number.isNaN(number)) return number;
  throw badRequest("Error parsing query parameters");
}

function invalidArgument(name: string): DataPlaneError {
  return new DataPlaneError(400, "ArgumentInvalid", `Invalid ${name} parameter`);
}

/** The specification has the operation, or the parameter, from this version on. */
function requireVersion(least: string, version: string): void {
  if (version >= least) return;
  throw badRequest(`The request needs the api-version ${least}, not ${version}`);
}
