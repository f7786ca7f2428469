import { type Log, loggableError } from "../observability/index.js";
import { settlesWithin, type Timer } from "../time.js";
import type { Claim, DeduplicationStore, EventKey, Lease, SettledLease } from "./store.js";

type StoreCall = () => void | Promise<void>;

/** The store's answer: a claim or an error for each event, or an error for all. */
export type Claims = readonly (Claim | Error)[] | Error;

const RETRY_MS = 1_000;
/** A Redis that is unavailable for longer has usually lost the claims, too. */
const GIVE_UP_MS = 10 * 60_000;
/** Only reached with a store that claims events but cannot settle them. */
const MAX_UNSTORED = 10_000;

const NOT_EXTENDED = "lease could not be extended: the event may be handled twice";
const NOT_STORED = "outcome not stored yet: the event may be handled again";

/**
 * The store of a listener or a receiver, and how it is called: no call rejects, and none is waited for
 * beyond its timeout. A `log` is that of the delivery.
 */
export class Deduplication {
  /**
   * Outcomes that could not be stored, for example while the store restarts or fails over, each with
   * the time of its first failure. Without them, the handled events of a batch would be handled again
   * when it is redelivered.
   */
  readonly #unstored = new Map<StoreCall, number>();
  #cancelRetry: (() => void) | undefined;

  constructor(
    readonly store: DeduplicationStore,
    /** The webhook or the queue, see {@link EventKey}. */
    readonly consumer: string,
    private readonly timeoutMs: number,
    readonly timer: Timer,
    private readonly log: Log,
  ) {}

  /** Claims events, together if the store can. Returns no promise for a store in memory. */
  claim(keys: readonly EventKey[], log: Log): Claims | Promise<Claims> {
    const { store } = this;
    return store.claimMany === undefined
      ? Promise.all(keys.map((key) => this.#ask(() => store.claim(key), log)))
      : this.#ask(() => store.claimMany?.(keys) ?? [], log);
  }

  #ask<Answer>(call: () => Answer | Promise<Answer>, log: Log) {
    try {
      const answer = call();
      return isPromise(answer) ? this.#answerOf(answer, log).catch(errorOf) : answer;
    } catch (error) {
      return errorOf(error);
    }
  }

  /** Waits for claims. Leases that arrive too late are released: they would block the next delivery. */
  async #answerOf<Answer>(answer: Promise<Answer>, log: Log): Promise<Answer> {
    if (await settlesWithin(this.timeoutMs, answer, this.timer)) return answer;
    answer.then(
      (late) => {
        const claims: unknown[] = [late].flat();
        const settled = claims.filter(isLease).map((lease) => ({ lease, isHandled: false }));
        if (settled.length > 0) void this.settle(settled, log);
      },
      () => {},
    );
    throw new Error(`the deduplication store did not claim the event within ${this.timeoutMs} ms`);
  }

  /**
   * Stores outcomes, together if the store can. Resolves when they are stored, or have failed for now
   * and are logged; returns `undefined` if that is already so, as with a store in memory.
   */
  settle(settled: readonly SettledLease[], log: Log): Promise<unknown> | undefined {
    const { store } = this;
    if (store.settleMany !== undefined) return this.#write(() => store.settleMany?.(settled), log);
    const writes = settled.map(({ lease, isHandled }) =>
      this.#write(() => (isHandled ? lease.done() : lease.release()), log),
    );
    return writes.some(isPromise) ? Promise.all(writes) : undefined;
  }

  #write(call: StoreCall, log: Log): Promise<void> | undefined {
    return this.#call(call, NOT_STORED, log, call);
  }

  extend(lease: Lease, log: Log): void {
    void this.#call(() => lease.extend(), NOT_EXTENDED, log);
  }

  /** @param retried the call to repeat later if it fails */
  #call(call: StoreCall, problem: string, log: Log, retried?: StoreCall) {
    try {
      const running = call();
      return isPromise(running) ? this.#inTime(running, problem, log, retried) : undefined;
    } catch (error) {
      this.#failed(error, problem, log, retried);
      return undefined;
    }
  }

  async #inTime(running: Promise<void>, problem: string, log: Log, retried?: StoreCall) {
    // A call that times out may still fail later.
    const ended = Promise.resolve(running).catch((error) =>
      this.#failed(error, problem, log, retried),
    );
    if (await settlesWithin(this.timeoutMs, ended, this.timer)) return;
    log.error({ reason: `timed out after ${this.timeoutMs} ms` }, problem);
  }

  #failed(error: unknown, problem: string, log: Log, retried?: StoreCall): void {
    log.error({ err: loggableError(error) }, problem);
    if (retried !== undefined) this.#storeLater(retried, this.timer.now());
  }

  /** Repeats a failed call every second, until it succeeds. */
  #storeLater(call: StoreCall, failedAt: number): void {
    if (this.timer.now() - failedAt > GIVE_UP_MS || this.#unstored.size >= MAX_UNSTORED) {
      this.log.error({}, "outcome given up: the event may be handled again");
      return;
    }
    this.#unstored.set(call, failedAt);
    this.#cancelRetry ??= this.timer.schedule(RETRY_MS, () => void this.#retryAll());
  }

  async #retryAll(): Promise<void> {
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
    const calls = [...this.#unstored];
    this.#unstored.clear();
    await Promise.all(
      calls.map(async ([call, failedAt]) => {
        try {
          await call();
        } catch {
          this.#storeLater(call, failedAt);
        }
      }),
    );
  }

  /** Stores what could not be stored before, and closes a store that opened connections. */
  async close(): Promise<void> {
    const { store, timeoutMs, timer } = this;
    try {
      await settlesWithin(timeoutMs, this.#retryAll(), timer);
      this.#cancelRetry?.();
      await settlesWithin(timeoutMs, Promise.resolve(store.close?.()), timer);
    } catch (error) {
      this.log.error({ err: loggableError(error) }, "deduplication store could not be closed");
    }
  }
}

/** Whether a claim is a lease. A store written by a user may return anything. */
export function isLease(claim: unknown): claim is Lease {
  return (
    typeof claim === "object" &&
    claim !== null &&
    "extend" in claim &&
    typeof claim.extend === "function" &&
    "done" in claim &&
    typeof claim.done === "function" &&
    "release" in claim &&
    typeof claim.release === "function"
  );
}

export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === "object" && value !== null && "then" in value;
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error), { cause: error });
}
