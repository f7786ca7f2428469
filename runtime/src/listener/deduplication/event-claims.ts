import type { FastifyBaseLogger } from "fastify";
import {
  type Claim,
  type DeduplicationStore,
  type EventKey,
  isLease,
  type Lease,
  notAClaim,
} from "../../deduplication/index.js";
import { loggableError } from "../telemetry/index.js";
import { settlesWithin } from "../timeout.js";

/**
 * Claims events in a deduplication store that may be slow or fail.
 *
 * Every call has a timeout, because a store that never answers would hold all handler slots.
 */
export class EventClaims {
  readonly #store: DeduplicationStore;
  readonly #timeoutMs: number;

  constructor(store: DeduplicationStore, timeoutMs: number) {
    this.#store = store;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Claims an event. Returns a promise only if the store does.
   *
   * @throws the store's error, or an error for a claim that times out or is invalid
   */
  claim(key: EventKey, log: FastifyBaseLogger): Claim | Promise<Claim> {
    const claiming = this.#store.claim(key);
    return isLease(claiming) || typeof claiming === "string"
      ? checkedClaim(claiming)
      : this.#awaitClaim(claiming, log);
  }

  async #awaitClaim(claiming: Promise<Claim>, log: FastifyBaseLogger): Promise<Claim> {
    if (await settlesWithin(this.#timeoutMs, Promise.resolve(claiming))) {
      return checkedClaim(await claiming);
    }
    // A lease that arrives too late would block the next delivery of the event until it expires.
    claiming.then(
      (claim) => {
        if (isLease(claim)) void this.settle(claim, false, log);
      },
      () => {},
    );
    throw new Error(`the deduplication store did not claim the event within ${this.#timeoutMs} ms`);
  }

  /**
   * Extends a lease at half its time, so that no other delivery of the event starts a handler while
   * this one runs.
   *
   * @returns a function that stops it
   */
  keep(lease: Lease, log: FastifyBaseLogger): () => void {
    const { leaseMs } = this.#store;
    if (leaseMs === Number.POSITIVE_INFINITY) return doNothing;
    const failed = "lease could not be extended: the event may be handled twice";
    const timer = setInterval(() => void this.#run(() => lease.extend(), log, failed), leaseMs / 2);
    timer.unref();
    return () => clearInterval(timer);
  }

  /**
   * Stores the outcome of an event: only a handled one is not handled again. Returns a promise only
   * if the store does, and logs a failure.
   */
  settle(lease: Lease, isHandled: boolean, log: FastifyBaseLogger): Promise<void> | undefined {
    const failed = "outcome not stored: the event may be handled again";
    return this.#run(() => (isHandled ? lease.done() : lease.release()), log, failed);
  }

  #run(
    call: () => void | Promise<void>,
    log: FastifyBaseLogger,
    failed: string,
  ): Promise<void> | undefined {
    try {
      const running = call();
      return running === undefined ? undefined : this.#await(running, log, failed);
    } catch (error) {
      log.error({ err: loggableError(error) }, failed);
      return undefined;
    }
  }

  async #await(running: Promise<void>, log: FastifyBaseLogger, failed: string): Promise<void> {
    try {
      if (await settlesWithin(this.#timeoutMs, Promise.resolve(running))) return;
      log.error({ reason: `timed out after ${this.#timeoutMs} ms` }, failed);
    } catch (error) {
      log.error({ err: loggableError(error) }, failed);
    }
  }
}

function doNothing(): void {}

function checkedClaim(claim: Claim): Claim {
  if (claim === "done" || claim === "running" || isLease(claim)) return claim;
  throw notAClaim(claim);
}
