import { randomUUID } from "node:crypto";
import { ServiceError } from "../errors.js";

/** How long a client's question for an operation's state is held open, in milliseconds. */
const LONGEST_WAIT = 20_000;

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
    return { operationId };
  }

  /**
   * The operation's state, once it has ended or the wait is over: with `Retry-After: 0` a client
   * would otherwise ask without pause.
   */
  async status(operationId: string): Promise<Outcome | { status: "InProgress" } | undefined> {
    const outcome = this.#all.get(operationId);
    if (!outcome) return undefined;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<{ status: "InProgress" }>((resolve) => {
      const giveUp = () => resolve({ status: "InProgress" });
      timer = setTimeout(giveUp, LONGEST_WAIT);
      this.#stopping.signal.addEventListener("abort", giveUp, { once: true });
    });
    return Promise.race([outcome, patience]).finally(() => clearTimeout(timer));
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
