import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { ServiceError } from "../errors.js";

/** How long a client's question for an operation's state is held open, in milliseconds. */
const LONGEST_WAIT = 20_000;

/** How many operations are remembered; clients ask within seconds of the start. */
const MOST = 1_000;

type Outcome = { status: "Succeeded" } | { status: "Failed"; error: ServiceError };

/** Work that goes on after its request was answered: clients ask for its state until it ends. */
export class Operations {
  readonly #all = new Map<string, Promise<Outcome>>();
  readonly #stopping = new AbortController();

  /** Starts to watch the work; its failure becomes the operation's, whatever it was. */
  start(work: Promise<unknown>): { operationId: string } {
    const operationId = randomUUID();
    this.#all.set(
      operationId,
      work.then(
        () => ({ status: "Succeeded" }),
        (error: unknown) => ({ status: "Failed", error: asServiceError(error) }),
      ),
    );
    const [oldest] = this.#all.keys();
    if (this.#all.size > MOST && oldest !== undefined) this.#all.delete(oldest);
    return { operationId };
  }

  /**
   * The operation's state, once it has ended or the wait is over: with `Retry-After: 0` a client
   * would otherwise ask without pause.
   */
  async status(operationId: string): Promise<Outcome | { status: "InProgress" } | undefined> {
    const outcome = this.#all.get(operationId);
    if (!outcome) return undefined;
    const answered = new AbortController();
    const signal = AbortSignal.any([answered.signal, this.#stopping.signal]);
    const inProgress = { status: "InProgress" } as const;
    const patience = setTimeout(LONGEST_WAIT, inProgress, { signal }).catch(() => inProgress);
    return Promise.race([outcome, patience]).finally(() => answered.abort());
  }

  /** Answers whoever still waits. */
  stop(): void {
    this.#stopping.abort();
  }
}

function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  return new ServiceError(500, "InternalServerError", String(error), { cause: error });
}
