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
 * One that arrives after the timeout is released.
 */
import { type Log, loggableError } from "../observability/index.js";
import { settlesWithin } from "../time.js";
import { showValue } from "../validation/index.js";
import type { Claim, EventKey, Lease, SettledLease } from "./store.js";
import type { Deduplication, StoreCall } from "./unstored-outcomes.js";

/** The store's answer: a claim or an error for each event, or an error for all. */
type Claims = readonly (Claim | Error)[] | Error;

/** One is created for every delivery: `#` fields would cost more to create. */
export class EventClaims {
  /** By the position of the event. A settled lease is removed. */
  private claims: (Claim | Error | undefined)[] = [];
  /** Which leases are no longer waiting for their handler, by the position of the event. */
  private readonly isBegun: boolean[];
  private readonly settlements: SettledLeases;
  private cancelExtension: (() => void) | undefined = undefined;
  private scheduled: NodeJS.Immediate | undefined = undefined;

  /** @param keys of the events, by their position; `undefined` for those that need no claim */
  constructor(
    private readonly deduplication: Deduplication,
    private readonly keys: readonly (EventKey | undefined)[],
    log: Log,
  ) {
    this.isBegun = keys.map(() => false);
    this.settlements = new SettledLeases(deduplication, log);
  }

  /**
   * Claims all events, together if the store can. It comes before the handlers take their slots,
   * because they would hold them while they wait for the store. Never rejects; returns `undefined`
   * if the claims are known already, as with a store in memory.
   */
  claim(): Promise<void> | undefined {
    const { store } = this.deduplication;
    const keys = this.keys.filter((key) => key !== undefined);
    if (keys.length === 0) return undefined;
    const claims =
      store.claimMany === undefined
        ? Promise.all(keys.map((key) => this.ask(() => store.claim(key))))
        : this.ask(() => store.claimMany?.(keys) ?? []);
    if (isPromise<Claims>(claims)) return claims.then((answer) => this.hold(answer));
    this.hold(claims);
    return undefined;
  }

  private ask<Answer>(call: () => Answer | Promise<Answer>) {
    try {
      const answer = call();
      return isPromise(answer) ? this.inTime(answer).catch(errorOf) : answer;
    } catch (error) {
      return errorOf(error);
    }
  }

  private hold(claims: Claims): void {
    let next = 0;
    this.claims = this.keys.map((key) => {
      if (key === undefined) return undefined;
      const claim = claims instanceof Error ? claims : valid(claims[next]);
      next += 1;
      return claim;
    });
    if (this.claims.some(isHeld)) this.extendLater();
  }

  /** Waits for claims. Leases that arrive too late are released: they would block the next delivery. */
  private async inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const { timeoutMs, timer } = this.deduplication;
    if (await settlesWithin(timeoutMs, answer, timer)) return answer;
    answer.then(
      (late) => {
        for (const claim of [late].flat()) if (isLease(claim)) this.settlements.add(claim, false);
        void this.store();
      },
      () => {},
    );
    throw new Error(`the deduplication store did not claim the event within ${timeoutMs} ms`);
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
    if (!isHeld(lease)) return;
    this.claims[index] = undefined;
    this.settlements.add(lease, isHandled);
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
    return this.settlements.store();
  }

  private extendLater(): void {
    const { store, timer } = this.deduplication;
    if (store.leaseMs === Number.POSITIVE_INFINITY) return;
    this.cancelExtension = timer.schedule(store.leaseMs / 2, () => {
      for (const claim of this.claims) if (isHeld(claim)) this.settlements.extend(claim);
      this.extendLater();
    });
  }
}

/** The claim, or an error for one that a store of a user must not return. */
function valid(claim: Claim | Error | undefined): Claim | Error {
  const isValid = claim === "done" || claim === "running" || claim instanceof Error;
  return isValid || isLease(claim) ? claim : notAClaim(claim);
}

function isHeld(claim: Claim | Error | undefined): claim is Lease {
  return typeof claim === "object" && !(claim instanceof Error);
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error), { cause: error });
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

/** The error for a claim that is neither a lease nor one of the two words. */
function notAClaim(claim: unknown): TypeError {
  return new TypeError(
    `the deduplication store's claim is ${showValue(claim)}: it must be a lease with extend, done and release, "done", or "running"`,
  );
}

const NOT_EXTENDED = "lease could not be extended: the event may be handled twice";
const NOT_STORED = "outcome not stored yet: the event may be handled again";

/**
 * Calls the store for the leases of one delivery. A call that fails or times out is logged, never
 * thrown: the events are handled anyway.
 *
 * Outcomes are stored together if the store can: while one call runs, the next ones are collected.
 */
class SettledLeases {
  private collected: SettledLease[] = [];
  private storing: Promise<void> | undefined;

  constructor(
    private readonly deduplication: Deduplication,
    private readonly log: Log,
  ) {}

  add(lease: Lease, isHandled: boolean): void {
    this.collected.push({ lease, isHandled });
  }

  /**
   * Stores all outcomes that were added. Resolves when they are stored, or have failed for now;
   * returns `undefined` if that is already so, as with a store in memory.
   */
  store(): Promise<void> | undefined {
    this.storing ??= this.storeCollected()?.then(() => {
      this.storing = undefined;
      return this.store();
    });
    return this.storing;
  }

  private storeCollected(): Promise<unknown> | undefined {
    const { store } = this.deduplication;
    const settlements = this.collected;
    if (settlements.length === 0) return undefined;
    this.collected = [];
    if (store.settleMany !== undefined) return this.write(() => store.settleMany?.(settlements));
    const writes = settlements.map((settlement) => this.write(() => settle(settlement)));
    return writes.some(isPromise) ? Promise.all(writes) : undefined;
  }

  extend(lease: Lease): void {
    void this.call(() => lease.extend(), NOT_EXTENDED);
  }

  private write(call: StoreCall): Promise<void> | undefined {
    return this.call(call, NOT_STORED, call);
  }

  /** @param retried the call to repeat later if it fails */
  private call(call: StoreCall, problem: string, retried?: StoreCall): Promise<void> | undefined {
    try {
      const running = call();
      return isPromise(running) ? this.inTime(running, problem, retried) : undefined;
    } catch (error) {
      this.failed(error, problem, retried);
      return undefined;
    }
  }

  private async inTime(running: Promise<void>, problem: string, retried?: StoreCall) {
    const { timeoutMs, timer } = this.deduplication;
    // A call that times out may still fail later.
    const ended = Promise.resolve(running).catch((error) => this.failed(error, problem, retried));
    if (await settlesWithin(timeoutMs, ended, timer)) return;
    this.log.error({ reason: `timed out after ${timeoutMs} ms` }, problem);
  }

  private failed(error: unknown, problem: string, retried: StoreCall | undefined): void {
    this.log.error({ err: loggableError(error) }, problem);
    if (retried !== undefined) this.deduplication.unstored.retry(retried);
  }
}

function settle({ lease, isHandled }: SettledLease): void | Promise<void> {
  return isHandled ? lease.done() : lease.release();
}

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === "object" && value !== null && "then" in value;
}
