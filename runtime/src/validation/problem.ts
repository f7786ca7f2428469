import { CloudEventGridError } from "../errors.js";

/** A problem of a configuration. */
export interface Problem {
  /** The field, option or environment variable that has to change, such as `limits.requestBytes`. */
  readonly field: string;
  /** Name of the broken rule, such as `uuid`; stable across releases. */
  readonly rule: string;
  /** A sentence for people: the field, the requirement and the received value. */
  readonly message: string;
  /** The value as it may be shown; absent where nothing was given, and for every secret. */
  readonly received?: string;
}

/** A problem whose message begins with its field. */
export function problem(field: string, rule: string, message: string): Problem {
  return { field, rule, message: `${field} ${message}` };
}

/** The base of errors that report an invalid configuration with every problem that was found. */
export abstract class ConfigurationError<P extends Problem = Problem> extends CloudEventGridError {
  readonly #problems: readonly P[];

  /**
   * @param headline the start of the message: "The binding is invalid"
   * @param lines the rest of the message, by default the message of every problem
   */
  constructor(
    headline: string,
    problems: readonly P[],
    {
      lines = problems.map(({ message }) => message),
      ...options
    }: ErrorOptions & { readonly lines?: readonly string[] } = {},
  ) {
    super(
      lines.length === 1 ? `${headline}: ${lines[0]}` : [`${headline}:`, ...lines].join("\n- "),
      options,
    );
    this.#problems = problems;
  }

  /** Every problem. A getter, because printing an error shows its own properties after the message. */
  get problems(): readonly P[] {
    return this.#problems;
  }
}
