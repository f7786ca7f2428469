import { CloudEventGridError } from "../errors.js";

/** Thrown when a publisher is set up in a way that cannot work; it carries every problem. */
export class PublisherConfigurationError extends CloudEventGridError {
  readonly code = "ERR_PUBLISHER_CONFIGURATION";
  readonly #problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      problems.length === 1
        ? `The publisher cannot be made: ${problems[0]}`
        : `The publisher cannot be made:\n${problems.map((problem) => `- ${problem}`).join("\n")}`,
    );
    this.#problems = problems;
  }

  /** One sentence for each problem: what it is, and what to do. The message has them, too. */
  get problems(): readonly string[] {
    return this.#problems;
  }
}
