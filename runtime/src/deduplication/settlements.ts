import { type Log, loggableError } from "../log.js";
import { settlesWithin, type Timer } from "../timer.js";
import type { DeduplicationStore, Lease, Settlement } from "./store.js";
import type { StoreCall, UnstoredOutcomes } from "./unstored-outcomes.js";

/** A store, and how it is called. */
export interface Deduplication {
  /** The webhook or the queue, see {@link EventKey}. */
  readonly consumer: string;
  readonly store: DeduplicationStore;
  /** Timeout of its calls. */
  readonly timeoutMs: number;
  readonly unstored: UnstoredOutcomes;
  readonly timer: Timer;
}

const NOT_EXTENDED = "lease could not be extended: the event may be handled twice";
const NOT_STORED = "outcome not stored yet: the event may be handled again";

/**
 * Calls the store for the leases of one delivery. A call that fails or times out is logged, never
 * thrown: the events are handled anyway.
 *
 * Outcomes are stored together if the store can: while one call runs, the next ones are collected.
 */
export class Settlements {
  private collected: Settlement[] = [];
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

function settle({ lease, isHandled }: Settlement): void | Promise<void> {
  return isHandled ? lease.done() : lease.release();
}

export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === "object" && value !== null && "then" in value;
}

/** Stores the outcomes that could not be stored before, and closes a store that opened connections. */
export async function closeStore(
  { store, timeoutMs, timer, unstored }: Deduplication,
  log: Log,
): Promise<void> {
  try {
    await unstored.flush(timeoutMs);
    await settlesWithin(timeoutMs, Promise.resolve(store.close?.()), timer);
  } catch (error) {
    log.error({ err: loggableError(error) }, "deduplication store could not be closed");
  }
}
