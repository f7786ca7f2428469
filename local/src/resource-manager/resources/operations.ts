import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { ServiceError } from "../../base/index.js";

/** Longest time, in milliseconds, for which a request for an operation's status is held open. */
const MAX_WAIT_MS = 20_000;

/** Number of operations to keep; clients ask within seconds of the start. */
const MAX_OPERATIONS = 1_000;

/** What a request without an operation would have returned; nothing for a deletion. */
type Result = (() => unknown) | undefined;

type Outcome = { status: "Succeeded"; result: Result } | { status: "Failed"; error: ServiceError };

type Unfinished = { status: "InProgress" | "AwaitingManualAction" };

/** Long-running operations: clients poll their status. */
export class Operations {
  readonly #all = new Map<string, Promise<Outcome>>();
  readonly #awaiting = new Map<string, Promise<unknown>>();
  readonly #stopping = new AbortController();

  /**
   * Tracks work as an operation. Any error fails the operation.
   *
   * @param result called when a client asks for it, after the work
   * @param awaiting resolves when someone has to open a webhook's validation URL
   */
  start(
    work: Promise<unknown>,
    result?: Result,
    awaiting?: Promise<unknown>,
  ): { operationId: string } {
    const operationId = randomUUID();
    this.#all.set(
      operationId,
      work.then(
        () => ({ status: "Succeeded", result }),
        (error: unknown) => ({ status: "Failed", error: asServiceError(error) }),
      ),
    );
    if (awaiting) this.#awaiting.set(operationId, awaiting);
    const [oldest] = this.#all.keys();
    if (this.#all.size > MAX_OPERATIONS && oldest !== undefined) {
      this.#all.delete(oldest);
      this.#awaiting.delete(oldest);
    }
    return { operationId };
  }

  /**
   * Waits until the operation has ended, but not longer than a limit: with `Retry-After: 0` clients
   * would otherwise poll without a pause. `undefined` for an unknown operation.
   */
  async status(operationId: string): Promise<Outcome | Unfinished | undefined> {
    const outcome = this.#all.get(operationId);
    if (!outcome) return undefined;
    const answered = new AbortController();
    const signal = AbortSignal.any([answered.signal, this.#stopping.signal]);
    const inProgress = { status: "InProgress" } as const;
    const timeout = setTimeout(MAX_WAIT_MS, inProgress, { signal }).catch(() => inProgress);
    const awaiting = this.#awaiting
      .get(operationId)
      ?.then((): Unfinished => ({ status: "AwaitingManualAction" }));
    const first = Promise.race([outcome, ...(awaiting ? [awaiting] : []), timeout]);
    return first.finally(() => answered.abort());
  }

  /**
   * Resolves when the operation has ended.
   *
   * @throws ServiceError if it has failed
   */
  async ended(operationId: string): Promise<void> {
    const outcome = await this.#all.get(operationId);
    if (outcome?.status === "Failed") throw outcome.error;
  }

  /** Ends waiting requests. */
  stop(): void {
    this.#stopping.abort();
  }
}

export function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  return new ServiceError(500, "InternalServerError", String(error), { cause: error });
}
