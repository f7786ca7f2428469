import { type Log, loggableError } from "../observability.js";
import { type Clock, settlesWithin } from "../time.js";
import { MINUTE_MS, SECOND_MS } from "../units.js";
import { showValue } from "../validation/index.js";
import type { Claim, DeduplicationStore, EventKey, SettledLease } from "./store.js";

type StoreCall = () => void | Promise<void>;

/** The store's answer: a claim for each event, or an error for all. */
type Claims = readonly (Claim | Error)[] | Error;

const RETRY_MS = SECOND_MS;
/** A Redis that is unavailable for longer has usually lost the claims, too. */
const GIVE_UP_MS = 10 * MINUTE_MS;
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
  readonly #unstored: [StoreCall, failedAt: number][] = [];
  #cancelRetry: (() => void) | undefined;

  constructor(
    readonly store: DeduplicationStore,
    /** The webhook or the queue, see {@link EventKey}. */
    readonly consumer: string,
    private readonly timeoutMs: number,
    readonly timer: Clock,
    private readonly log: Log,
  ) {}

  /** Claims the events of a delivery. Returns no promise for a store in memory. */
  claim(keys: readonly EventKey[], log: Log): Claims | Promise<Claims> {
    try {
      const answer = this.store.claim(keys);
      return isPromise(answer) ? this.#inTime(answer, log).catch(errorOf) : listOf(answer);
    } catch (error) {
      return errorOf(error);
    }
  }

  /** Waits for claims. Leases that arrive too late are released: they would block the next delivery. */
  async #inTime(answer: Promise<readonly Claim[]>, log: Log): Promise<readonly Claim[]> {
    if (await settlesWithin(this.timeoutMs, answer, this.timer)) return listOf(await answer);
    answer
      .then((late) => {
        const settled = listOf(late)
          .filter(isLease)
          .map((lease) => ({ lease, isHandled: false }));
        if (settled.length > 0) void this.settle(settled, log);
      })
      .catch(() => {});
    throw new Error(`the deduplication store did not claim the event within ${this.timeoutMs} ms`);
  }

  /**
   * Stores outcomes. Resolves when they are stored, or have failed for now and are logged; returns
   * `undefined` if that is already so, as with a store in memory.
   */
  settle(outcomes: readonly SettledLease[], log: Log): Promise<void> | undefined {
    const call = () => this.store.settle(outcomes);
    return this.#call(call, NOT_STORED, log, call);
  }

  extend(leases: readonly object[], log: Log): void {
    void this.#call(() => this.store.extend(leases), NOT_EXTENDED, log);
  }

  /** @param retried the call to repeat later if it fails */
  #call(call: StoreCall, problem: string, log: Log, retried?: StoreCall) {
    try {
      const running = call();
      return isPromise(running) ? this.#written(running, problem, log, retried) : undefined;
    } catch (error) {
      this.#failed(error, problem, log, retried);
      return undefined;
    }
  }

  async #written(running: Promise<void>, problem: string, log: Log, retried?: StoreCall) {
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
    if (this.timer.now() - failedAt > GIVE_UP_MS || this.#unstored.length >= MAX_UNSTORED) {
      this.log.error({}, "outcome given up: the event may be handled again");
      return;
    }
    this.#unstored.push([call, failedAt]);
    this.#cancelRetry ??= this.timer.schedule(RETRY_MS, () => void this.#retryAll());
  }

  async #retryAll(): Promise<void> {
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
    await Promise.all(
      this.#unstored.splice(0).map(async ([call, failedAt]) => {
        try {
          await call();
        } catch {
          this.#storeLater(call, failedAt);
        }
      }),
    );
  }

  /** Stores what could not be stored before. */
  async close(): Promise<void> {
    await settlesWithin(this.timeoutMs, this.#retryAll(), this.timer);
    this.#cancelRetry?.();
  }
}

/**
 * The claims of one delivery's events, from their keys to their outcomes:
 *
 * ```
 *              claim()             begin()             settle()
 *   unclaimed ────────► lease ─────────────► handling ─────────► handled or released
 *             │           │                                          ▲
 *             │           └───── releaseWaiting(), end() ────────────┘
 *             ├───────► "done": it was handled before
 *             ├───────► "running": another delivery handles it
 *             └───────► an error: the store failed, or did not answer in time
 * ```
 *
 * Leases are extended at half their time until `end()`, so that no other delivery starts a handler.
 *
 * One is created for every delivery: `#` fields would cost more to create.
 */
export class EventClaims {
  /** Whether an event is being handled already, perhaps because it occurs twice in this delivery. */
  hasRunning = false;
  /** By the position of the event. A settled lease is removed. */
  private claims: (Claim | Error | undefined)[] = [];
  /** Which leases are no longer waiting for their handler, by the position of the event. */
  private readonly isBegun: boolean[];
  /** Outcomes to store: while one call of the store runs, the next ones are collected. */
  private readonly settled: SettledLease[] = [];
  private storing: Promise<void> | undefined = undefined;
  private scheduled: NodeJS.Immediate | undefined = undefined;
  private cancelExtension: (() => void) | undefined = undefined;

  /** @param keys of the events, by their position; `undefined` for those that need no claim */
  constructor(
    private readonly deduplication: Deduplication,
    private readonly keys: readonly (EventKey | undefined)[],
    private readonly log: Log,
  ) {
    this.isBegun = keys.map(() => false);
  }

  /**
   * Claims all events. It comes before the handlers take their slots, because they would hold them
   * while they wait for the store. Never rejects; returns `undefined` if the claims are known already,
   * as with a store in memory.
   */
  claim(): Promise<void> | undefined {
    const keys = this.keys.filter((key) => key !== undefined);
    if (keys.length === 0) return undefined;
    const claims = this.deduplication.claim(keys, this.log);
    if (isPromise<Claims>(claims)) return claims.then((answer) => this.hold(answer));
    this.hold(claims);
    return undefined;
  }

  private hold(claims: Claims): void {
    let next = 0;
    this.claims = this.keys.map((key) => {
      if (key === undefined) return undefined;
      const claim = claims instanceof Error ? claims : valid(claims[next]);
      next += 1;
      if (claim === "running") this.hasRunning = true;
      return claim;
    });
    if (this.claims.some(isLease)) this.extendLater();
  }

  /**
   * The claim of an event whose handler would start now; `undefined` if it needs none.
   *
   * @throws the store's error, or an error for a claim that timed out or is invalid
   */
  begin(index: number): Claim | undefined {
    if (this.keys[index] === undefined) return undefined;
    this.isBegun[index] = true;
    const claim = this.claims[index];
    if (claim === undefined) throw new RangeError("the event has no claim");
    if (claim instanceof Error) throw claim;
    return claim;
  }

  /** Settles the lease of an event: only a handled one is not handled again. `end` waits for it. */
  settle(index: number, isHandled: boolean): void {
    const lease = this.claims[index];
    if (!isLease(lease)) return;
    this.claims[index] = undefined;
    this.settled.push({ lease, isHandled });
    // The events of a batch that end in the same turn of the event loop are settled together.
    if (this.keys.length > 1) this.scheduled ??= setImmediate(() => this.store());
  }

  /** Releases the events that no handler has begun, such as when the deadline passes. */
  releaseWaiting(): void {
    this.claims.forEach((_, index) => {
      if (!this.isBegun[index]) this.settle(index, false);
    });
    void this.store();
  }

  /**
   * Releases the events that were not handled. Resolves when every outcome is stored, or failed;
   * returns `undefined` if that is already so.
   */
  end(): Promise<void> | undefined {
    this.cancelExtension?.();
    this.claims.forEach((_, index) => void this.settle(index, false));
    return this.store();
  }

  private store(): Promise<void> | undefined {
    clearImmediate(this.scheduled);
    this.scheduled = undefined;
    if (this.storing !== undefined || this.settled.length === 0) return this.storing;
    this.storing = this.deduplication.settle(this.settled.splice(0), this.log)?.then(() => {
      this.storing = undefined;
      return this.store();
    });
    return this.storing;
  }

  private extendLater(): void {
    const { store, timer } = this.deduplication;
    if (store.leaseMs === Number.POSITIVE_INFINITY) return;
    this.cancelExtension = timer.schedule(store.leaseMs / 2, () => {
      const held = this.claims.filter(isLease);
      if (held.length > 0) this.deduplication.extend(held, this.log);
      this.extendLater();
    });
  }
}

/** The claims, which a store of a user may not return. */
function listOf(claims: readonly Claim[]): readonly Claim[] {
  if (Array.isArray(claims)) return claims;
  throw new TypeError(
    `the deduplication store returned ${showValue(claims)}, not a list of claims`,
  );
}

/** The claim, or an error for one that a store of a user must not return. */
function valid(claim: Claim | Error | undefined): Claim | Error {
  if (claim === "done" || claim === "running" || claim instanceof Error || isLease(claim)) {
    return claim;
  }
  return new TypeError(
    `the deduplication store's claim is ${showValue(claim)}: it must be an object, "done", or "running"`,
  );
}

/** Reports whether a claim is a lease. A store written by a user may return anything. */
function isLease(claim: unknown): claim is object {
  return typeof claim === "object" && claim !== null && !(claim instanceof Error);
}

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === "object" && value !== null && "then" in value;
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error), { cause: error });
}
