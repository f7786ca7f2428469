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
      work.then(resolve, reject);
      work.then(cancel, cancel);
    });
  }
}

/** Limits how many transactions of a pool run at a time. First come, first served. */
export class Slots {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(size: number) {
    this.#free = size;
  }

  /** @throws the error of the ending if it passes before a slot is free */
  async take(ending: Ending): Promise<void> {
    ending.throwIfPassed();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const cancel = ending.onPass((error) => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(error);
      });
      const enter = () => {
        cancel();
        resolve();
      };
      this.#waiting.push(enter);
    });
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
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
    const waited = "no connection was free before the deadline: handlers have half of the pool";
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
