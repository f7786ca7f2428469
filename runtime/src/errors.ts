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

/** A problem whose message begins with its field: `problem("path", { required: "is required" })`. */
export function problem(field: string, broken: TextByRule): Problem {
  const [rule, text] = ruleAndText(broken);
  return { field, rule, message: `${field} ${text}` };
}

/** A problem whose message is the whole text. */
export function statedProblem(field: string, broken: TextByRule): Problem {
  const [rule, message] = ruleAndText(broken);
  return { field, rule, message };
}

/** The names of all rules, see {@link Problem.rule}. */
// biome-ignore format: 120 names, one on each line, are hard to survey
export type RuleName =
  | "alphanumeric-name" | "api-version" | "application" | "attribute" | "binding-kind"
  | "boolean" | "catalogue" | "choice" | "chosen-twice" | "cidr" | "client-sign-in" | "component"
  | "component-name" | "component-type" | "connections" | "consumer" | "container-name" | "count"
  | "credential" | "cycle" | "deduplication-store" | "definition" | "delivery-timeout"
  | "dependable" | "direction" | "duplicate-field" | "empty" | "environment-prefix"
  | "event-catalogue" | "event-type" | "event-type-of-scope" | "exclusive" | "filter-count"
  | "filter-key" | "filter-value-count" | "function" | "header" | "header-count" | "header-value"
  | "hierarchical-namespace" | "host-name" | "https-url" | "identifier" | "inherited-identity"
  | "installed" | "integer-range" | "iterator" | "json" | "json-path" | "key-prefix" | "kind"
  | "known" | "known-at-plan" | "known-early" | "largest-batch" | "length" | "local-auth"
  | "location" | "logger" | "loopback-or-https-url" | "name" | "namespace-id" | "namespace-name"
  | "no-blob" | "non-empty-string" | "number" | "number-range" | "object" | "other-stack"
  | "output-prefix" | "own-path" | "path" | "port" | "positive-integer" | "protected" | "proxy"
  | "publisher" | "reason" | "redis-client" | "relative-path" | "request-bytes" | "required"
  | "requires-container" | "requires-topic" | "reserved-header" | "reserved-name"
  | "resource-group-name" | "resource-id" | "resource-type" | "retention" | "rows"
  | "same-application" | "same-client" | "same-port" | "same-system-topic" | "scope"
  | "scope-key" | "scope-subscription" | "secret" | "secret-reference" | "service-name" | "shape"
  | "signal" | "silent-resource" | "stack" | "storage-account-id" | "subject" | "syntax"
  | "system-topic" | "system-topic-id" | "time" | "topic-id" | "topic-name" | "type" | "unique"
  | "unknown" | "unknown-field" | "unquoted" | "unused" | "uri-reference" | "uuid"
  | "value-or-source" | "version";

/** A text by the name of the one rule that it is about: `{ uuid: "must be a UUID" }`. */
export type TextByRule = { readonly [Name in RuleName]: Readonly<Record<Name, string>> }[RuleName];

/** The name of the rule, and the text about it. */
export function ruleAndText(broken: TextByRule): readonly [rule: RuleName, text: string] {
  const [entry] = Object.entries(broken) as [[RuleName, string]];
  return entry;
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
