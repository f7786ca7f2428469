import type { Dispatcher } from "undici";
import { backgroundClock } from "../../time.js";
import {
  Attempt,
  authorized,
  Connections,
  type Credentials,
  chooseCredentials,
  dispatch,
  NAMESPACE_API_VERSION,
  namespaceHeaders,
  USER_AGENT,
} from "../../transport/index.js";
import { isObject } from "../../validation/index.js";
import type { ReceiverContext } from "../context.js";
import type { Operation } from "../metrics.js";
import { malformed, noResponse, RequestFailure, refusal, timeout } from "./failure.js";

/** An event as the namespace returns it, with its lock. */
export interface LockedEvent {
  readonly lockToken: string;
  /** Number of deliveries with this one: 1 at first. */
  readonly deliveryCount: number;
  /** JSON that has not been examined. */
  readonly event: unknown;
}

/** The result of a request that receives: events, or a failure, or both. */
export interface ReceiveResult {
  readonly events: readonly LockedEvent[];
  readonly failure?: RequestFailure;
}

export type LockOperation = Exclude<Operation, "receive">;

/** The lock tokens with which an operation failed, each with the service's error code. */
export type FailedTokens = ReadonlyMap<string, string>;

const JSON_TYPE = ["content-type", "application/json"];
/** An event has up to 1 MiB, and may be a little longer when the service has written it anew. */
const MAX_EVENT_BYTES = 1_250_000;
const MAX_LOCK_RESPONSE_BYTES = 1_000_000;

/** The requests to an event subscription of a namespace topic. They never reject. */
export class QueueClient {
  readonly #context: ReceiverContext;
  readonly #connections: Connections;
  readonly #credentials: Credentials;
  readonly #attempts = new Set<Attempt>();

  constructor(context: ReceiverContext) {
    const { queue, attemptTimeoutMs, transport, credentials } = context.settings;
    this.#context = context;
    this.#connections = new Connections(queue.isLoopback, attemptTimeoutMs, transport);
    this.#credentials = chooseCredentials(credentials, {
      bindingKey: queue.accessKey,
      scope: queue.scope,
      headers: namespaceHeaders,
      cache: { clock: backgroundClock, timeoutMs: attemptTimeoutMs },
    });
  }

  /**
   * Receives events as soon as there is one; none at the end of the wait.
   *
   * @param attempt cancels the request
   */
  async receive(
    maxEvents: number,
    maxWaitSeconds: number,
    attempt: Attempt,
  ): Promise<ReceiveResult> {
    const content = await this.#post("receive", {
      query: `maxEvents=${maxEvents}&maxWaitTime=${maxWaitSeconds}`,
      timeoutMs: this.#context.settings.attemptTimeoutMs + maxWaitSeconds * 1_000,
      maxBytes: maxEvents * MAX_EVENT_BYTES,
      attempt,
    });
    if (content instanceof RequestFailure) return { events: [], failure: content };
    const list = listIn(content, "value");
    const events = list?.flatMap((element) => lockedEvent(element) ?? []) ?? [];
    if (list?.length === events.length) return { events };
    const flaw = list === undefined ? 'has no list "value"' : "has events without a lock token";
    return { events, failure: malformed(this.#shown("receive"), flaw) };
  }

  /** Runs an operation for up to 100 tokens. The status is 200 even if every token fails. */
  async operate(
    operation: LockOperation,
    lockTokens: readonly string[],
    delaySeconds?: number,
  ): Promise<FailedTokens | RequestFailure> {
    const content = await this.#post(operation, {
      query: delaySeconds === undefined ? "" : `releaseDelayInSeconds=${delaySeconds}`,
      body: JSON.stringify({ lockTokens }),
      timeoutMs: this.#context.settings.attemptTimeoutMs,
      maxBytes: MAX_LOCK_RESPONSE_BYTES,
      attempt: new Attempt(1),
    });
    if (content instanceof RequestFailure) return content;
    const failed = listIn(content, "failedLockTokens");
    return failed === undefined
      ? malformed(this.#shown(operation), 'has no list "failedLockTokens"')
      : new Map(failed.flatMap(failedToken));
  }

  /** Cancels all requests, and closes the connections. */
  async close(): Promise<void> {
    for (const attempt of this.#attempts) attempt.cancel();
    await this.#connections.close();
  }

  /** A request as messages show it. */
  #shown(operation: Operation): string {
    return `[POST] "${this.#context.settings.queue.endpoint}:${operation}"`;
  }

  async #post(
    operation: Operation,
    { query, body, timeoutMs, maxBytes, attempt }: PostOptions,
  ): Promise<unknown> {
    const { settings, metrics, timer } = this.#context;
    const { queue } = settings;
    const { dispatcher, proxy } = this.#connections;
    const { origin, pathname } = queue.endpoint;
    const path = `${pathname}:${operation}?api-version=${NAMESPACE_API_VERSION}${query && "&"}${query}`;
    const startedAtMs = metrics.now();
    this.#attempts.add(attempt);
    let isLate = false;
    let status: number | undefined;
    const stopTimer = timer.schedule(
      timeoutMs,
      () => {
        isLate = true;
        attempt.cancel();
      },
      true,
    );
    try {
      const response = await authorized(this.#credentials, attempt, ({ name, value }) => {
        const options: Dispatcher.DispatchOptions = {
          origin,
          path,
          method: "POST",
          headers: [
            ...(body === undefined ? [] : JSON_TYPE),
            "user-agent",
            USER_AGENT,
            name,
            value,
          ],
          body: body ?? null,
          // The attempt has its own timer.
          headersTimeout: 0,
          bodyTimeout: 0,
        };
        return dispatch(dispatcher, options, attempt, maxBytes);
      });
      status = response.status;
      if (status !== 200) return refusal(response, this.#shown(operation), queue, proxy);
      return parsed(response.body) ?? malformed(this.#shown(operation), "is not JSON");
    } catch (error) {
      return isLate
        ? timeout(this.#shown(operation), this.#credentials.name, timeoutMs, attempt.stage)
        : noResponse(error, this.#shown(operation), proxy);
    } finally {
      stopTimer();
      this.#attempts.delete(attempt);
      metrics.request(operation, status, startedAtMs);
    }
  }
}

interface PostOptions {
  readonly query: string;
  readonly body?: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly attempt: Attempt;
}

/** `undefined` if the text is not JSON. The parser's own message would quote a payload. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function listIn(content: unknown, name: string): readonly unknown[] | undefined {
  const list = isObject(content) ? content[name] : undefined;
  return Array.isArray(list) ? list : undefined;
}

/** `undefined` for an element without a lock, which nothing could settle. */
function lockedEvent(element: unknown): LockedEvent | undefined {
  if (!isObject(element) || !isObject(element.brokerProperties)) return undefined;
  const { lockToken, deliveryCount } = element.brokerProperties;
  if (typeof lockToken !== "string") return undefined;
  return {
    lockToken,
    deliveryCount: typeof deliveryCount === "number" ? deliveryCount : 1,
    event: element.event,
  };
}

/** An earlier version of the service wrote `errorCode` instead of `error.code`. */
function failedToken(element: unknown): [string, string][] {
  if (!isObject(element) || typeof element.lockToken !== "string") return [];
  const code = isObject(element.error) ? element.error.code : element.errorCode;
  return [[element.lockToken, typeof code === "string" ? code : "unknown"]];
}
