import { CloudEventGridError } from "../errors.js";

/** Thrown at start when a listener is set up in a way that cannot work; it carries every problem. */
export class ListenerConfigurationError extends CloudEventGridError {
  readonly code = "ERR_LISTENER_CONFIGURATION";
  readonly #problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      problems.length === 1
        ? `The listener cannot start: ${problems[0]}`
        : `The listener cannot start:\n${problems.map((problem) => `- ${problem}`).join("\n")}`,
    );
    this.#problems = problems;
  }

  /** One sentence for each problem: what it is, and what to do. */
  get problems(): readonly string[] {
    return this.#problems;
  }
}
