import type { FastifyBaseLogger } from "fastify";
import {
  type Claim,
  type DeduplicationStore,
  type EventKey,
  isLease,
  type Lease,
  notAClaim,
  type Settlement,
} from "../../deduplication/index.js";
import { loggableError } from "../telemetry/index.js";
import { settlesWithin } from "../timeout.js";
import type { StoreCall, UnstoredOutcomes } from "./unstored-outcomes.js";

/** A store, and how its failures are handled. */
export interface Deduplication {
  /** The webhook, see {@link EventKey}. */
  readonly consumer: string;
  readonly store: DeduplicationStore;
  /** Timeout of its calls: one that never answers would hold all handler slots. */
  readonly timeoutMs: number;
  readonly unstored: UnstoredOutcomes;
}

const NOT_EXTENDED = "lease could not be extended: the event may be handled twice";
const NOT_STORED = "outcome not stored yet: the event may be handled again";

/**
 * The claims of one delivery's events, in a store that may be slow or fail. The events of a batch are
 * claimed together, and settled together as they end, if the store can.
 *
 * One is created for every delivery: `#` fields would cost more to create.
 */
export class EventClaims {
  private readonly store: DeduplicationStore;
  private readonly timeoutMs: number;
  private readonly unstored: UnstoredOutcomes;
  private readonly keys: readonly (EventKey | undefined)[];
  private readonly log: FastifyBaseLogger;
  /** The claims of events that were claimed together, or the reason why they could not be. */
  private batch: readonly Claim[] | Error | undefined;
  /** Leases of the events that have not ended, by position. */
  private readonly held: (Lease | undefined)[] = [];
  /** Which events of a batch no handler has begun, by position. */
  private waiting: boolean[] | undefined;
  private extending: NodeJS.Timeout | undefined;
  private settlements: Settlement[] = [];
  private scheduled: NodeJS.Immediate | undefined;
  private settling: Promise<void> | undefined;

  /** @param keys of the events, by their position; `undefined` for those that need no claim */
  constructor(
    { store, timeoutMs, unstored }: Deduplication,
    keys: readonly (EventKey | undefined)[],
    log: FastifyBaseLogger,
  ) {
    this.store = store;
    this.timeoutMs = timeoutMs;
    this.unstored = unstored;
    this.keys = keys;
    this.log = log;
  }

  /**
   * Claims the events of a batch together, if the store can. It comes before the handlers take their
   * slots, because they would hold them while they wait for the store. Never rejects.
   *
   * @returns a promise only if the store does
   */
  claimTogether(): Promise<void> | undefined {
    const keys = this.keys.filter((key) => key !== undefined);
    if (keys.length === 0 || this.store.claimMany === undefined) return undefined;
    try {
      const claiming = this.store.claimMany(keys);
      if (isPromise(claiming)) return this.holdLater(claiming);
      this.batch = this.holdBatch(claiming);
    } catch (error) {
      this.batch = asError(error);
    }
    return undefined;
  }

  private async holdLater(claiming: PromiseLike<readonly Claim[]>): Promise<void> {
    try {
      this.batch = this.holdBatch(await this.inTime(claiming, (late) => late));
    } catch (error) {
      this.batch = asError(error);
    }
  }

  /**
   * The claim of one event. Returns a promise only if the store does.
   *
   * @throws the store's error, or an error for a claim that times out or is invalid
   */
  claim(index: number): Claim | Promise<Claim> {
    if (this.waiting !== undefined) this.waiting[index] = false;
    if (this.batch instanceof Error) throw this.batch;
    if (this.batch !== undefined) return present(this.batch[index]);
    const claiming = this.store.claim(present(this.keys[index]));
    return isPromise(claiming)
      ? this.inTime(claiming, (late) => [late]).then((claim) => this.hold(claim, index))
      : this.hold(claiming, index);
  }

  /** Puts the claims of a batch at the positions of their events. */
  private holdBatch(claims: readonly Claim[]): readonly Claim[] {
    let next = 0;
    this.waiting = this.keys.map(() => true);
    return this.keys.map((key, index) => {
      if (key === undefined) return "running";
      next += 1;
      return this.hold(claims[next - 1], index);
    });
  }

  private hold(claim: Claim | undefined, index: number): Claim {
    if (claim === "done" || claim === "running") return claim;
    if (claim === undefined || !isLease(claim)) throw notAClaim(claim);
    this.held[index] = claim;
    const { leaseMs } = this.store;
    if (leaseMs !== Number.POSITIVE_INFINITY && this.extending === undefined) {
      this.extending = setInterval(() => this.extend(), leaseMs / 2);
      this.extending.unref();
    }
    return claim;
  }

  /** Waits for claims. Leases that arrive too late are released: they would block the next delivery. */
  private async inTime<T>(
    claiming: PromiseLike<T>,
    claimsOf: (late: T) => readonly Claim[],
  ): Promise<T> {
    const claimed = Promise.resolve(claiming);
    if (await settlesWithin(this.timeoutMs, claimed)) return claimed;
    claimed.then(
      (late) => {
        for (const claim of claimsOf(late)) if (isLease(claim)) void this.settleLease(claim, false);
      },
      () => {},
    );
    throw new Error(`the deduplication store did not claim the event within ${this.timeoutMs} ms`);
  }

  /** Extends the leases at half their time, so that no other delivery starts a handler. */
  private extend(): void {
    for (const lease of this.held) if (lease) void this.call(() => lease.extend(), NOT_EXTENDED);
  }

  /**
   * Stores the outcome of an event: only a handled one is not handled again. After a failure it is
   * logged, and stored later.
   *
   * @returns a promise only if there is something to wait for; for a batch, `end` waits
   */
  settle(index: number, isHandled: boolean): Promise<void> | undefined {
    const lease = this.held[index];
    if (lease === undefined) return undefined;
    this.held[index] = undefined;
    return this.settleLease(lease, isHandled);
  }

  private settleLease(lease: Lease, isHandled: boolean): Promise<void> | undefined {
    if (this.batch === undefined || this.store.settleMany === undefined) {
      return this.write(() => (isHandled ? lease.done() : lease.release()));
    }
    this.settlements.push({ lease, isHandled });
    // Events that end in the same turn of the event loop are settled together.
    this.scheduled ??= setImmediate(() => void this.flush());
    return undefined;
  }

  private flush(): Promise<void> | undefined {
    clearImmediate(this.scheduled);
    this.scheduled = undefined;
    const settlements = this.settlements;
    if (this.settling !== undefined || settlements.length === 0) return this.settling;
    this.settlements = [];
    const running = this.write(() => this.store.settleMany?.(settlements));
    this.settling = running?.then(() => {
      this.settling = undefined;
      return this.flush();
    });
    return this.settling;
  }

  /** Releases the events of a batch that no handler has begun, such as when the deadline passes. */
  releaseUnused(): void {
    this.waiting?.forEach((isWaiting, index) => {
      if (isWaiting) void this.settle(index, false);
    });
  }

  /**
   * Releases the events that were not handled. Resolves when every outcome is stored, or storing it
   * has failed.
   */
  end(): Promise<void> | undefined {
    if (this.extending !== undefined) clearInterval(this.extending);
    if (this.batch === undefined) return undefined;
    this.releaseUnused();
    return this.flush();
  }

  /** Stores outcomes, later if it fails now. */
  private write(call: StoreCall): Promise<void> | undefined {
    return this.call(call, NOT_STORED, call);
  }

  /**
   * Calls the store, and waits for it no longer than its timeout. Never rejects.
   *
   * @param retried the call to repeat later if it fails
   */
  private call(call: StoreCall, problem: string, retried?: StoreCall): Promise<void> | undefined {
    try {
      const running = call();
      return running === undefined ? undefined : this.inTimeOrLogged(running, problem, retried);
    } catch (error) {
      this.failed(error, problem, retried);
      return undefined;
    }
  }

  private async inTimeOrLogged(
    running: Promise<void>,
    problem: string,
    retried: StoreCall | undefined,
  ): Promise<void> {
    const ended = running.catch((error) => this.failed(error, problem, retried));
    if (await settlesWithin(this.timeoutMs, ended)) return;
    this.log.error({ reason: `timed out after ${this.timeoutMs} ms` }, problem);
  }

  private failed(error: unknown, problem: string, retried: StoreCall | undefined): void {
    this.log.error({ err: loggableError(error) }, problem);
    if (retried !== undefined) this.unstored.retry(retried);
  }
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new RangeError("the event has no claim");
  return value;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error), { cause: error });
}

function isPromise<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === "object" && value !== null && "then" in value;
}
