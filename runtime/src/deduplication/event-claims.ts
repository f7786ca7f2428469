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
import type { Log } from "../log.js";
import { settlesWithin } from "../timer.js";
import { type Deduplication, isPromise, Settlements } from "./settlements.js";
import { type Claim, type EventKey, isLease, type Lease, notAClaim } from "./store.js";

/** The store's answer: a claim or an error for each event, or an error for all. */
type Claims = readonly (Claim | Error)[] | Error;

/** One is created for every delivery: `#` fields would cost more to create. */
export class EventClaims {
  /** By the position of the event. A settled lease is removed. */
  private readonly claims: (Claim | Error | undefined)[] = [];
  /** Which leases are no longer waiting for their handler, by the position of the event. */
  private readonly isBegun: boolean[] = [];
  private readonly settlements: Settlements;
  private cancelExtension: (() => void) | undefined = undefined;
  private scheduled: NodeJS.Immediate | undefined = undefined;

  /** @param keys of the events, by their position; `undefined` for those that need no claim */
  constructor(
    private readonly deduplication: Deduplication,
    private readonly keys: readonly (EventKey | undefined)[],
    log: Log,
  ) {
    this.settlements = new Settlements(deduplication, log);
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
    this.keys.forEach((key, index) => {
      if (key === undefined) return;
      this.claims[index] = claims instanceof Error ? claims : valid(claims[next]);
      next += 1;
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
