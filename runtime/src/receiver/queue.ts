import { AZURE_LIMITS } from "../binding/index.js";
import { eventTexts, memberText } from "../events/envelope/index.js";
import { backoffMs } from "../time.js";
import {
  Attempt,
  MAX_RETRY_AFTER_MS,
  parsedJson,
  RequestFailure,
  ServiceClient,
  type ServiceRequest,
} from "../transport/index.js";
import { SECOND_MS } from "../units.js";
import { isObject } from "../validation/index.js";
import type { ReceiverContext } from "./context.js";
import type { QueueOperation } from "./telemetry.js";

/** An event as the namespace returns it, with its lock. */
export interface LockedEvent {
  readonly lockToken: string;
  /** Number of deliveries with this one: 1 at first. */
  readonly deliveryCount: number;
  /** JSON that has not been examined. */
  readonly event: unknown;
  /** The JSON of the event, as it arrived. */
  json(): string | undefined;
}

/** The result of a request that receives: events, or a failure, or both. */
export interface ReceiveResult {
  readonly events: readonly LockedEvent[];
  readonly failure?: RequestFailure;
}

/** The body of a success, and the JSON in it. */
interface Answer {
  readonly body: string;
  readonly content: unknown;
}

export type LockOperation = Exclude<QueueOperation, "receive">;

/** The lock tokens with which an operation failed, each with the service's error code. */
export type FailedTokens = ReadonlyMap<string, string>;

/** An event has up to 1 MiB, and may be a little longer when the service has written it anew. */
const MAX_EVENT_BYTES = 1_250_000;
const MAX_LOCK_RESPONSE_BYTES = 1_000_000;

/** The requests to an event subscription of a namespace topic. They never reject. */
export class QueueClient {
  readonly #context: ReceiverContext;
  readonly #client: ServiceClient;
  readonly #attempts = new Set<Attempt>();

  constructor(context: ReceiverContext) {
    const { settings, timer } = context;
    this.#context = context;
    this.#client = new ServiceClient(settings.queue, {
      ...settings,
      clock: {
        now: () => Date.now(),
        schedule: (delayMs, callback) => timer.schedule(delayMs, callback, true),
      },
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
    const answer = await this.#post("receive", null, attempt, {
      query: `&maxEvents=${maxEvents}&maxWaitTime=${maxWaitSeconds}`,
      timeoutMs: this.#context.settings.attemptTimeoutMs + maxWaitSeconds * SECOND_MS,
      maxBodyBytes: maxEvents * MAX_EVENT_BYTES,
    });
    if (answer instanceof RequestFailure) return { events: [], failure: answer };
    const { body, content } = answer;
    const list = listIn(content, "value");
    let texts: readonly string[] | undefined;
    const jsonOf = (index: number) => {
      texts ??= eventTexts(memberText(body, "value") ?? "[]");
      return memberText(texts[index] ?? "{}", "event");
    };
    const events =
      list?.flatMap((element, index) => lockedEvent(element, () => jsonOf(index)) ?? []) ?? [];
    if (list?.length === events.length) return { events };
    const flaw = list === undefined ? 'has no list "value"' : "has events without a lock token";
    return { events, failure: this.#malformed("receive", flaw) };
  }

  /** Runs an operation for up to 100 tokens. The status is 200 even if every token fails. */
  async operate(
    operation: LockOperation,
    lockTokens: readonly string[],
    delaySeconds?: number,
  ): Promise<FailedTokens | RequestFailure> {
    const body = JSON.stringify({ lockTokens });
    const answer = await this.#post(operation, body, new Attempt(1), {
      query: delaySeconds === undefined ? "" : `&releaseDelayInSeconds=${delaySeconds}`,
      contentType: "application/json",
      timeoutMs: this.#context.settings.attemptTimeoutMs,
      maxBodyBytes: MAX_LOCK_RESPONSE_BYTES,
    });
    if (answer instanceof RequestFailure) return answer;
    const failed = listIn(answer.content, "failedLockTokens");
    return failed === undefined
      ? this.#malformed(operation, 'has no list "failedLockTokens"')
      : new Map(failed.flatMap(failedToken));
  }

  /** Cancels all requests, and closes the connections. */
  async close(): Promise<void> {
    for (const attempt of this.#attempts) attempt.cancel();
    await this.#client.close();
  }

  /** @returns a success, or why there is none */
  async #post(
    operation: QueueOperation,
    body: string | null,
    attempt: Attempt,
    request: ServiceRequest,
  ): Promise<Answer | RequestFailure> {
    const { metrics } = this.#context;
    const startedAtMs = metrics.now();
    this.#attempts.add(attempt);
    const result = await this.#client.post(
      attempt,
      { ...request, operation: `:${operation}` },
      (post) => post(body),
    );
    this.#attempts.delete(attempt);
    const isFailure = result instanceof RequestFailure;
    metrics.request(operation, isFailure ? result.details.status : result.status, startedAtMs);
    if (isFailure) return result;
    const content = parsedJson(result.body);
    return content === undefined
      ? this.#malformed(operation, "is not JSON")
      : { body: result.body, content };
  }

  /**
   * A response of 200 that does not come from a namespace, but perhaps from a gateway.
   *
   * @param flaw what is wrong with it, without its content
   */
  #malformed(operation: QueueOperation, flaw: string): RequestFailure {
    const request = this.#client.shown(`:${operation}`);
    const message = `${request}: the response ${flaw}. Check namespaceEndpoint: something other than a namespace may answer there.`;
    return new RequestFailure(message, `malformed: ${flaw}`);
  }
}

function listIn(content: unknown, name: string): readonly unknown[] | undefined {
  const list = isObject(content) ? content[name] : undefined;
  return Array.isArray(list) ? list : undefined;
}

/** `undefined` for an element without a lock, which nothing could settle. */
function lockedEvent(element: unknown, json: LockedEvent["json"]): LockedEvent | undefined {
  if (!isObject(element) || !isObject(element.brokerProperties)) return undefined;
  const { lockToken, deliveryCount } = element.brokerProperties;
  if (typeof lockToken !== "string") return undefined;
  return {
    lockToken,
    deliveryCount: typeof deliveryCount === "number" ? deliveryCount : 1,
    event: element.event,
    json,
  };
}

/** An earlier version of the service wrote `errorCode` instead of `error.code`. */
function failedToken(element: unknown): [string, string][] {
  if (!isObject(element) || typeof element.lockToken !== "string") return [];
  const code = isObject(element.error) ? element.error.code : element.errorCode;
  return [[element.lockToken, typeof code === "string" ? code : "unknown"]];
}

const FIRST_RECEIVE_DELAY_MS = 250;
const MAX_RECEIVE_DELAY_MS = 30_000;

/** The wait after requests that failed in succession, or came back too soon. */
export function waitAfter(
  failures: number,
  { random }: Pick<ReceiverContext, "random">,
  retryAfterMs = 0,
  maxDelayMs = MAX_RECEIVE_DELAY_MS,
): number {
  const delays = { firstDelayMs: FIRST_RECEIVE_DELAY_MS, maxDelayMs };
  return backoffMs(failures, delays, random(), Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
}

/** The number of events that may still be held, and of all that may be held. */
export interface Room {
  readonly free: number;
  readonly total: number;
}

/** A namespace refuses a request at once: one that is pending for this long has been accepted. */
const ACCEPTED_AFTER_MS = 2_000;
/**
 * A namespace without events answers at the end of the wait. An answer before this part of it would
 * repeat the request so often that it costs more than it receives.
 */
const EARLY = 0.1;
/** So many early answers in succession are logged. Fewer may be a namespace that changes. */
const LOGGED_EARLY_ANSWERS = 3;
/** How long a receiver with little room waits for more, so that it does not fetch events singly. */
const MORE_ROOM_MS = 20;

/** Receives events, one request after the other, for as long as there is room. */
export class ReceiveLoop {
  #isStopped = false;
  #isAccepted = false;
  #attempt: Attempt | undefined;
  /** Requests that failed in succession, and the cause that was logged. */
  #failures = 0;
  #loggedKind: string | undefined;
  /** How long the last failed request took: a slow refusal looks like a wait until then. */
  #failedAfterMs = 0;
  #earlyAnswers = 0;
  #wake: (() => void) | undefined;
  /** Whether room for one event ends the wait, or only half of all room. */
  #waitsFor: "any" | "half" | undefined;

  /** @param roomNow how many more events may be held now */
  constructor(
    private readonly context: ReceiverContext,
    private readonly client: QueueClient,
    private readonly roomNow: () => Room,
    private readonly onReceived: (events: readonly LockedEvent[]) => void,
  ) {}

  /** Reports whether the namespace accepts the requests. */
  get isAccepted(): boolean {
    return this.#isAccepted && !this.#isStopped;
  }

  /** Receives until it is stopped. Never rejects. */
  async run(): Promise<void> {
    const { settings, timer, tracing } = this.context;
    const { maxWaitSeconds } = settings;
    while (!this.#isStopped) {
      const room = await this.#room();
      if (this.#isStopped) return;
      const attempt = new Attempt(1);
      this.#attempt = attempt;
      const stopWatch = this.#watchAcceptance(attempt);
      const startedAtMs = timer.now();
      const startTime = Date.now();
      const count = Math.min(room, AZURE_LIMITS.receiveEvents.max);
      const result = await this.client.receive(count, maxWaitSeconds, attempt);
      const { events, failure } = result;
      stopWatch();
      const received = events.map(({ event }) => event);
      tracing.received(received, this.#isStopped ? undefined : failure?.kind, startTime);
      const tookMs = timer.now() - startedAtMs;
      if (events.length > 0) this.onReceived(events);
      if (failure !== undefined) await this.#failed(failure, tookMs);
      else {
        this.#recovered();
        if (events.length > 0 || tookMs >= EARLY * maxWaitSeconds * SECOND_MS)
          this.#earlyAnswers = 0;
        else await this.#answeredEarly();
      }
    }
  }

  /** Stops receiving, and cancels the request that waits for events. */
  stop(): void {
    this.#isStopped = true;
    this.#attempt?.cancel();
    this.#wake?.();
  }

  roomChanged(): void {
    const { free, total } = this.roomNow();
    if (this.#waitsFor === "any" || (this.#waitsFor && free >= total / 2)) this.#wake?.();
  }

  /** Waits until there is room for at least one event, and a little longer if there is not much. */
  async #room(): Promise<number> {
    this.#waitsFor = "any";
    while (this.roomNow().free <= 0 && !this.#isStopped) await this.#until();
    this.#waitsFor = "half";
    const { free, total } = this.roomNow();
    if (free < total / 2 && !this.#isStopped) await this.#until(MORE_ROOM_MS);
    this.#waitsFor = undefined;
    return this.roomNow().free;
  }

  /** Waits until it is woken, or for a time. */
  #until(durationMs?: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#wake = undefined;
        cancel();
        resolve();
      };
      const cancel =
        durationMs === undefined ? () => {} : this.context.timer.schedule(durationMs, wake, true);
      this.#wake = wake;
    });
  }

  #watchAcceptance(attempt: Attempt): () => void {
    const delayMs = ACCEPTED_AFTER_MS + this.#failedAfterMs;
    return this.context.timer.schedule(delayMs, () => {
      if (attempt.stage === "response") this.#isAccepted = true;
    });
  }

  #recovered(): void {
    this.#isAccepted = true;
    if (this.#failures > 0) {
      this.context.log.info({ failures: this.#failures }, "events are received again");
    }
    this.#failures = 0;
    this.#failedAfterMs = 0;
    this.#loggedKind = undefined;
  }

  async #failed(failure: RequestFailure, tookMs: number): Promise<void> {
    if (this.#isStopped) return;
    this.#isAccepted = false;
    this.#failures += 1;
    this.#failedAfterMs = tookMs;
    if (this.#loggedKind !== failure.kind) {
      this.#loggedKind = failure.kind;
      this.context.log.warn({ reason: failure.message }, "events cannot be received: trying again");
    }
    await this.#until(waitAfter(this.#failures, this.context, failure.details.retryAfterMs));
  }

  async #answeredEarly(): Promise<void> {
    if (this.#isStopped) return;
    this.#earlyAnswers += 1;
    if (this.#earlyAnswers === LOGGED_EARLY_ANSWERS) {
      this.context.log.warn({}, "the namespace does not wait for events: receiving less often");
    }
    await this.#until(waitAfter(this.#earlyAnswers, this.context));
  }
}
