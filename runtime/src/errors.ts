/**
 * The base of every error that this package throws on purpose.
 *
 * `code` is stable across releases and meant for programs; `message` is meant for people and may
 * change. If another error led to this one, it is the `cause`.
 */
export abstract class CloudEventGridError extends Error {
  abstract readonly code: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

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
  /** Line in the text of a component document, from 1; absent if the problem has no place in one. */
  readonly line?: number;
}

/** A problem whose message begins with its field. */
export function problem(field: string, rule: string, message: string): Problem {
  return { field, rule, message: `${field} ${message}` };
}

/** The options of a {@link ConfigurationError}. */
interface ConfigurationErrorOptions extends ErrorOptions {
  readonly warnings?: readonly Problem[];
  /** The rest of the message. @default the message of every problem */
  readonly lines?: readonly string[];
}

/**
 * A configuration is invalid: a binding, its environment, a component document, an event catalogue, or
 * the options of whatever the first line of the message names. It has every problem that was found.
 */
export class ConfigurationError extends CloudEventGridError {
  readonly code = "ERR_CONFIGURATION";
  readonly #problems: readonly Problem[];
  readonly #warnings: readonly Problem[];

  /** @param headline the start of the message: "The binding is invalid" */
  constructor(
    headline: string,
    problems: readonly Problem[],
    {
      lines = problems.map(({ message }) => message),
      warnings = [],
      ...options
    }: ConfigurationErrorOptions = {},
  ) {
    super(
      lines.length === 1 ? `${headline}: ${lines[0]}` : [`${headline}:`, ...lines].join("\n- "),
      options,
    );
    this.#problems = problems;
    this.#warnings = warnings;
  }

  /** Every problem. A getter, because printing an error shows its own properties after the message. */
  get problems(): readonly Problem[] {
    return this.#problems;
  }

  /** Remarks about a component document that is invalid for other reasons; the message has them, too. */
  get warnings(): readonly Problem[] {
    return this.#warnings;
  }
}
