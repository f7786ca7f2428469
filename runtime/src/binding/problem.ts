import { CloudEventGridError } from "../errors.js";

/** Which rule a value breaks; stable across releases. */
export type BindingRule =
  | "alphanumeric-name"
  | "choice"
  | "direction"
  | "environment-prefix"
  | "https-url"
  | "known-early"
  | "loopback-or-https-url"
  | "path"
  | "port"
  | "required"
  | "scope"
  | "scope-subscription"
  | "secret"
  | "service-name"
  | "text"
  | "type"
  | "unused"
  | "uuid";

/** One thing that is wrong with a binding. */
export interface BindingProblem {
  /** The field, or the environment variable, that has to change. */
  readonly field: string;
  readonly rule: BindingRule;
  /** A sentence for people: the field, what it must be, what it is, and what to do. */
  readonly message: string;
  /** The value as it may be shown; absent where there is none, and for every secret. */
  readonly received?: string;
}

/** Thrown when a binding cannot be used as it stands; it carries every problem that was found. */
export class BindingConfigurationError extends CloudEventGridError {
  readonly code = "ERR_BINDING_CONFIGURATION";
  readonly #problems: readonly BindingProblem[];

  /** @param subject what was looked at, as the start of the message: "The binding" */
  constructor(problems: readonly BindingProblem[], subject = "The binding") {
    super(describe(problems, subject));
    this.#problems = problems;
  }

  /** All of them; the message has them too, so that printing the error does not repeat them. */
  get problems(): readonly BindingProblem[] {
    return this.#problems;
  }
}

function describe(problems: readonly BindingProblem[], subject: string): string {
  const [first] = problems;
  if (problems.length === 1 && first) return `${subject} has a problem: ${first.message}`;
  const lines = problems.map((problem) => `- ${problem.message}`);
  return `${subject} has ${problems.length} problems:\n${lines.join("\n")}`;
}
