import { isCloudEnvironmentName } from "./cloud-environment.js";
import { isDirection } from "./direction.js";
import { type Environment, EnvironmentReader } from "./environment-reader.js";
import { variableName } from "./environment-variables.js";
import { fieldProblem } from "./field-rules.js";
import { nearName } from "./near-name.js";
import { otherPrefixHints } from "./other-prefixes.js";
import { BindingConfigurationError, type BindingProblem } from "./problem.js";
import type { Direction } from "./props.js";
import type { RuntimeBinding } from "./runtime-binding.js";
import { shownValue } from "./shown-value.js";

/** How a binding is read from the environment. */
export interface EnvironmentOptions<D extends Direction = Direction> {
  /**
   * The halves that the service uses; what only another half needs may be missing.
   *
   * @default "input, output"
   */
  readonly direction?: D;
  /** @default process.env */
  readonly env?: Environment;
}

/**
 * Reads a binding from the environment variables that `bindingEnvironment` writes.
 *
 * A service that uses one half of the binding only says so with `direction`; the environment may
 * hold both.
 *
 * @example
 * ```ts
 * const binding = bindingFromEnvironment("ORDERS");
 * const incoming = bindingFromEnvironment("ORDERS", { direction: "input" });
 * ```
 *
 * @param prefix what the variables' names begin with, in upper snake case
 * @throws {BindingConfigurationError} naming every variable that is missing or wrong
 */
export function bindingFromEnvironment<D extends Direction = "input, output">(
  prefix: string,
  options?: EnvironmentOptions<D>,
): RuntimeBinding<D>;
export function bindingFromEnvironment(
  prefix: string,
  options: EnvironmentOptions = {},
): RuntimeBinding {
  const wrong = optionProblems(options);
  if (wrong.length > 0) {
    throw new BindingConfigurationError(wrong, "The call of bindingFromEnvironment");
  }
  const { direction = "input, output", env = process.env } = options;
  const reader = new EnvironmentReader(prefix, env);
  const written = reader.choice("direction", isDirection);
  const lacks = written !== undefined && written !== "input, output" && written !== direction;
  if (lacks) reader.problems.push(halfMissing(prefix, written));
  const binding = readBinding(lacks ? written : direction, reader);
  if (reader.problems.length > 0) {
    const hints = otherPrefixHints(prefix, env);
    throw new BindingConfigurationError(
      [...hints, ...reader.problems],
      `The environment of "${prefix}"`,
    );
  }
  return binding;
}

/** What is wrong with the options: only callers without types can make those mistakes. */
function optionProblems(options: unknown): BindingProblem[] {
  if (!isObject(options)) {
    const sentence = 'the options must be an object such as { direction: "input" }, but are';
    return [wrongType("options", sentence, options)];
  }
  const problems = Object.keys(options).flatMap((field): BindingProblem[] => {
    const meant = OPTIONS.includes(field) ? undefined : nearName(field, OPTIONS);
    if (meant === undefined) return [];
    return [{ field, rule: "unused", message: `${field} is unknown: did you mean ${meant}?` }];
  });
  const { direction, env } = options;
  if (direction !== undefined)
    problems.push(...[fieldProblem("direction", direction) ?? []].flat());
  if (env !== undefined && !isObject(env)) {
    problems.push(wrongType("env", "env must be an object such as process.env, but is", env));
  }
  return problems;
}

const OPTIONS: readonly string[] = ["direction", "env"] satisfies (keyof EnvironmentOptions)[];

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function wrongType(field: string, sentence: string, value: unknown): BindingProblem {
  const received = shownValue(value);
  return { field, rule: "type", message: `${sentence} ${received}`, received };
}

function halfMissing(prefix: string, written: "input" | "output"): BindingProblem {
  const field = variableName(prefix, "direction");
  const absent = written === "input" ? "output" : "input";
  const message =
    `${field} is "${written}": this binding has no ${absent} half. A service that uses only what ` +
    `is there reads it with bindingFromEnvironment("${prefix}", { direction: "${written}" })`;
  return { field, rule: "direction", message };
}

function readBinding(direction: Direction, reader: EnvironmentReader): RuntimeBinding {
  const common = readCommon(reader);
  if (direction === "input") return { direction, ...common, ...readInput(reader) };
  if (direction === "output") return { direction, ...common, ...readOutput(reader) };
  return { direction, ...common, ...readInput(reader), ...readOutput(reader) };
}

function readCommon(reader: EnvironmentReader) {
  const name = reader.optional("name");
  const cloudEnvironment = reader.choice("cloudEnvironment", isCloudEnvironmentName) ?? "public";
  return { cloudEnvironment, ...(name !== undefined && { name }) };
}

function readInput(reader: EnvironmentReader) {
  const why = "to receive events";
  const cloudAuthorityHost = reader.optional("cloudAuthorityHost");
  return {
    cloudTenantId: reader.required("cloudTenantId", why),
    cloudClientId: reader.required("cloudClientId", why),
    handshakePort: reader.required("handshakePort", why),
    path: reader.required("path", why),
    ...(cloudAuthorityHost !== undefined && { cloudAuthorityHost }),
  };
}

function readOutput(reader: EnvironmentReader) {
  const topicEndpoint = reader.required("topicEndpoint", "to publish events");
  const publishWith = reader.choice("publishWith", isPublishWith) ?? "accessKey";
  if (publishWith === "entra") return { topicEndpoint, publishWith };
  const accessKey = reader.required("accessKey", "to publish events with the access key");
  return { topicEndpoint, publishWith, accessKey };
}

function isPublishWith(value: unknown): value is "accessKey" | "entra" {
  return value === "accessKey" || value === "entra";
}
