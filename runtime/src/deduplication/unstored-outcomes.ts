import { type Log, loggableError } from "../observability/index.js";
import { settlesWithin, type Timer } from "../time.js";
import type { DeduplicationStore } from "./store.js";

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

/** The store of a listener or a receiver; `undefined` when handled events are not remembered. */
export function deduplicationWith(
  store: DeduplicationStore | false,
  { log, ...call }: Omit<Deduplication, "store" | "unstored"> & { readonly log: Log },
): Deduplication | undefined {
  if (store === false) return undefined;
  return { ...call, store, unstored: new UnstoredOutcomes(log, call.timer) };
}

/** A call of the store that can be repeated. */
export type StoreCall = () => void | Promise<void>;

const RETRY_MS = 1_000;
/** A Redis that is unavailable for longer has usually lost the claims, too. */
const GIVE_UP_MS = 10 * 60_000;
/** Only reached with a store that claims events but cannot settle them. */
const MAX_CALLS = 10_000;

/**
 * Outcomes that could not be stored, for example while the store restarts or fails over. Without
 * them, the handled events of a batch would be handled again when it is redelivered.
 */
export class UnstoredOutcomes {
  readonly #calls = new Map<StoreCall, number>();
  #cancelRetry: (() => void) | undefined;

  constructor(
    private readonly log: Log,
    private readonly timer: Timer,
  ) {}

  /** Repeats a failed call every second, until it succeeds. */
  retry(call: StoreCall): void {
    this.#add(call, this.timer.now());
  }

  /** Tries all calls again, such as before the store is closed. */
  async flush(timeoutMs: number): Promise<void> {
    await settlesWithin(timeoutMs, this.#retryAll(), this.timer);
    this.#cancelRetry?.();
  }

  #add(call: StoreCall, failedAt: number): void {
    if (this.timer.now() - failedAt > GIVE_UP_MS || this.#calls.size >= MAX_CALLS) {
      this.log.error({}, "outcome given up: the event may be handled again");
      return;
    }
    this.#calls.set(call, failedAt);
    this.#cancelRetry ??= this.timer.schedule(RETRY_MS, () => void this.#retryAll());
  }

  async #retryAll(): Promise<void> {
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
    const calls = [...this.#calls];
    this.#calls.clear();
    await Promise.all(
      calls.map(async ([call, failedAt]) => {
        try {
          await call();
        } catch {
          this.#add(call, failedAt);
        }
      }),
    );
  }
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
