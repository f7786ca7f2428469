import { PublishError, type UnpublishedEvent } from "./publish-error.js";

/** One thing that is wrong with an event. */
export interface EventProblem {
  /** Place of the event in the array that `create` was given; 0 for a single event. */
  readonly index: number;
  /** Where in the event: `subject`, `data.lines[2].price`. */
  readonly path: string;
  /** A sentence for people. Payloads are never quoted. */
  readonly message: string;
}

/** Events are malformed. Nothing of the call was sent. */
export class InvalidEventError extends PublishError {
  readonly #problems: readonly EventProblem[];

  constructor(problems: readonly EventProblem[], events: readonly UnpublishedEvent[]) {
    super(
      { code: "ERR_PUBLISH_INVALID_EVENT", message: describe(problems), retryable: false },
      events,
    );
    this.#problems = problems;
  }

  /** Everything that was found, of all events of the call. The message has it, too. */
  get problems(): readonly EventProblem[] {
    return this.#problems;
  }
}

function describe(problems: readonly EventProblem[]): string {
  const [first] = problems;
  if (problems.length === 1 && first !== undefined) {
    return `the event at index ${first.index} was not sent: ${first.message}`;
  }
  const lines = problems.map(({ index, message }) => `- event ${index}: ${message}`);
  return `nothing was sent, for ${problems.length} problems:\n${lines.join("\n")}`;
}
