import type { Clock } from "../time.js";
import { PostgresError } from "./errors.js";

/** Ends waits at a moment, like an `AbortSignal`, of which a transaction would need too many. */
export class Ending {
  #error: Error | undefined;
  readonly #waits = new Set<(error: Error) => void>();

  get hasPassed(): boolean {
    return this.#error !== undefined;
  }

  /** Rejects all waits, those that begin later as well. Only the first error counts. */
  pass(error: Error): void {
    if (this.#error !== undefined) return;
    this.#error = error;
    for (const reject of this.#waits) reject(error);
    this.#waits.clear();
  }

  throwIfPassed(): void {
    if (this.#error !== undefined) throw this.#error;
  }

  /** Calls back when it passes, unless the returned function is called before. */
  onPass(callback: (error: Error) => void): () => void {
    if (this.#error === undefined) this.#waits.add(callback);
    else callback(this.#error);
    return () => this.#waits.delete(callback);
  }

  /** Waits for work until then. What the work does afterwards does not matter. */
  until<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = this.onPass(reject);
      work.then(
        (value) => {
          cancel();
          resolve(value);
        },
        (error) => {
          cancel();
          reject(error);
        },
      );
    });
  }
}

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
   * @throws the error of the ending if it passes first
   */
  async take(size: number, ending: Ending): Promise<void> {
    ending.throwIfPassed();
    if (this.#waiting.length === 0 && this.#taken < size) {
      this.#taken += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const cancel = ending.onPass((error) => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(error);
      });
      const enter = () => {
        cancel();
        resolve();
      };
      const waiter = { size, enter };
      this.#waiting.push(waiter);
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
  /** Of waits for a connection. */
  readonly waiting = new Ending();
  /** Of the transaction, and of its connection if that is possible. */
  readonly running = new Ending();
  #cancel: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly overdueMs: number,
  ) {}

  /** The event will be delivered again; a handler that runs may still finish. */
  deadlinePassed(): void {
    const waited = "no connection was free before the deadline: let handlers have more of them";
    this.waiting.pass(new PostgresError("ERR_INBOX_OVERDUE", waited));
    this.#cancel ??= this.clock.schedule(this.overdueMs, () => {
      const ran = `the handler went on for ${this.overdueMs} ms after its signal: its transaction was ended`;
      this.end(new PostgresError("ERR_INBOX_OVERDUE", ran));
    });
  }

  end(error: PostgresError): void {
    this.waiting.pass(error);
    this.running.pass(error);
  }

  clear(): void {
    this.#cancel?.();
  }
}
