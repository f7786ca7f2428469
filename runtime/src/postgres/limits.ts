import type { Clock } from "../time.js";
import { InboxError } from "./errors.js";

interface Waiter {
  readonly size: number;
  readonly enter: () => void;
}

/** Limits how many transactions of a pool run at a time. First come, first served. */
export class Slots {
  readonly #waiting: Waiter[] = [];
  #taken = 0;

  /**
   * Takes a slot.
   *
   * @param size how many slots there are
   * @throws the signal's reason if it is aborted first
   */
  async take(size: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#waiting.length === 0 && this.#taken < size) {
      this.#taken += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(signal.reason);
      };
      const enter = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const waiter = { size, enter };
      this.#waiting.push(waiter);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  release(): void {
    this.#taken -= 1;
    const [next] = this.#waiting;
    if (next === undefined || this.#taken >= next.size) return;
    this.#waiting.shift();
    this.#taken += 1;
    next.enter();
  }
}

/** When the handling of an event ends, whatever its handler does. */
export class Limits {
  readonly #waiting = new AbortController();
  readonly #running = new AbortController();
  readonly #clock: Clock;
  readonly #overdueMs: number;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, overdueMs: number) {
    this.#clock = clock;
    this.#overdueMs = overdueMs;
  }

  get waiting(): AbortSignal {
    return this.#waiting.signal;
  }

  get running(): AbortSignal {
    return this.#running.signal;
  }

  /** The event will be delivered again; a handler that runs may still finish. */
  deadlinePassed(): void {
    const waited = "no connection was free before the deadline: let handlers have more of them";
    this.#waiting.abort(new InboxError("ERR_INBOX_OVERDUE", waited));
    this.#cancel ??= this.#clock.schedule(this.#overdueMs, () => {
      const ran = `the handler went on for ${this.#overdueMs} ms after its signal: its transaction was ended`;
      this.end(new InboxError("ERR_INBOX_OVERDUE", ran));
    });
  }

  end(error: InboxError): void {
    this.#waiting.abort(error);
    this.#running.abort(error);
  }

  clear(): void {
    this.#cancel?.();
  }
}
