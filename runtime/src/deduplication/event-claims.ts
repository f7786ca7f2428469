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
 */
import type { Log } from "../observability/index.js";
import { showValue } from "../validation/index.js";
import { type Claims, type Deduplication, isLease, isPromise } from "./deduplication.js";
import type { Claim, EventKey, Lease, SettledLease } from "./store.js";

/** One is created for every delivery: `#` fields would cost more to create. */
export class EventClaims {
  /** By the position of the event. A settled lease is removed. */
  private claims: (Claim | Error | undefined)[] = [];
  /** Which leases are no longer waiting for their handler, by the position of the event. */
  private readonly isBegun: boolean[];
  /** Outcomes to store: while one call of the store runs, the next ones are collected. */
  private settled: SettledLease[] = [];
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
      return claim;
    });
    if (this.claims.some(isHeld)) this.extendLater();
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
    const settled = this.settled;
    this.settled = [];
    this.storing = this.deduplication.settle(settled, this.log)?.then(() => {
      this.storing = undefined;
      return this.store();
    });
    return this.storing;
  }

  private extendLater(): void {
    const { store, timer } = this.deduplication;
    if (store.leaseMs === Number.POSITIVE_INFINITY) return;
    this.cancelExtension = timer.schedule(store.leaseMs / 2, () => {
      for (const claim of this.claims) {
        if (isHeld(claim)) this.deduplication.extend(claim, this.log);
      }
      this.extendLater();
    });
  }
}

/** The claim, or an error for one that a store of a user must not return. */
function valid(claim: Claim | Error | undefined): Claim | Error {
  if (claim === "done" || claim === "running" || claim instanceof Error || isLease(claim)) {
    return claim;
  }
  return new TypeError(
    `the deduplication store's claim is ${showValue(claim)}: it must be a lease with extend, done and release, "done", or "running"`,
  );
}

function isHeld(claim: Claim | Error | undefined): claim is Lease {
  return typeof claim === "object" && !(claim instanceof Error);
}
