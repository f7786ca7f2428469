import { PublishError, type UnpublishedEvent } from "./publish-error.js";

/** A problem of an event. */
export interface EventProblem {
  /** Index of the event in the array passed to `create`; 0 for a single event. */
  readonly index: number;
  /** Where in the event: `subject`, `data.lines[2].price`. Empty when it concerns the whole event. */
  readonly path: string;
  /** A sentence for people. It never contains payload values. */
  readonly message: string;
}

/** At least one event of a `create` call is invalid. Nothing of the call was sent. */
export class InvalidEventError extends PublishError {
  readonly #problems: readonly EventProblem[];

  constructor(problems: readonly EventProblem[], events: readonly UnpublishedEvent[]) {
    super(
      { code: "ERR_PUBLISH_INVALID_EVENT", message: describe(problems), retryable: false },
      events,
    );
    this.#problems = problems;
  }

  /** Every problem of every event of the call; the message lists them, too. */
  get problems(): readonly EventProblem[] {
    return this.#problems;
  }
}

function describe(problems: readonly EventProblem[]): string {
  const [first] = problems;
  if (problems.length === 1 && first !== undefined) {
    return `the event at index ${first.index} is invalid, nothing was sent: ${first.message}`;
  }
  const lines = problems.map(({ index, message }) => `- event ${index}: ${message}`);
  return `nothing was sent because of ${problems.length} problems:\n${lines.join("\n")}`;
}
