import type { DirectionOf } from "./direction.js";
import { webhookPath } from "./endpoint.js";
import { fieldProblem } from "./field-rules.js";
import { BindingConfigurationError, type BindingProblem } from "./problem.js";
import type { BindingProps, Direction } from "./props.js";
import { type ResolvedBinding, resolveBinding } from "./resolve.js";
import type { RuntimeBinding } from "./runtime-binding.js";
import type { ValidationOptions } from "./validate.js";

/** What a running service needs beyond the props. */
export interface RuntimeBindingOptions extends ValidationOptions {
  /**
   * Path that the listener serves. Needed where `subscriberEndpoint` is unresolved, and where a
   * gateway rewrites the public path.
   *
   * @default the path of `subscriberEndpoint`
   */
  readonly path?: string;
  /** What the binding is called: the default `source` of the events it publishes. */
  readonly name?: string;
}

/**
 * What a running service reads of a binding, and nothing else: no client secret, no scope, no host
 * name of the webhook and no query string.
 *
 * @throws {BindingConfigurationError} with everything that is wrong with the props, or when the
 * listener's path is needed and cannot be told
 */
export function runtimeBinding<Props extends BindingProps>(
  props: Props,
  options?: RuntimeBindingOptions,
): RuntimeBinding<DirectionOf<Props>>;
export function runtimeBinding(
  props: BindingProps,
  options: RuntimeBindingOptions = {},
): RuntimeBinding {
  const binding: ResolvedBinding = resolveBinding(props, options);
  const problems = optionProblems(options);
  if (problems.length > 0) throw new BindingConfigurationError(problems);

  const { name } = options;
  const { cloudEnvironment } = binding;
  const named = { cloudEnvironment, ...(name !== undefined && { name }) };
  switch (binding.direction) {
    case "input":
      return { direction: "input", ...named, ...inputHalf(binding, options) };
    case "output":
      return { direction: "output", ...named, ...outputHalf(binding) };
    case "input, output":
      return {
        direction: "input, output",
        ...named,
        ...inputHalf(binding, options),
        ...outputHalf(binding),
      };
  }
}

function inputHalf(
  binding: ResolvedBinding<Exclude<Direction, "output">>,
  options: RuntimeBindingOptions,
) {
  const { cloudTenantId, cloudClientId, handshakePort, cloudAuthorityHost } = binding;
  return {
    cloudTenantId,
    cloudClientId,
    handshakePort,
    path: options.path ?? pathOf(binding.subscriberEndpoint, options),
    ...(cloudAuthorityHost !== undefined && { cloudAuthorityHost }),
  };
}

function outputHalf(binding: ResolvedBinding<Exclude<Direction, "input">>) {
  const { topicEndpoint, publishWith } = binding;
  if (binding.publishWith === "entra") return { topicEndpoint, publishWith };
  return { topicEndpoint, publishWith, accessKey: binding.accessKey };
}

function pathOf(endpoint: string, { isUnresolved }: RuntimeBindingOptions): string {
  if (!isUnresolved?.(endpoint)) return webhookPath(endpoint);
  const message =
    "path is required where subscriberEndpoint is known only after deployment: " +
    "say which path the listener serves, such as /api/events";
  throw new BindingConfigurationError([{ field: "path", rule: "required", message }]);
}

function optionProblems(options: RuntimeBindingOptions): BindingProblem[] {
  const { isUnresolved = () => false } = options;
  return (["path", "name"] as const).flatMap((option) => {
    const value = options[option];
    if (value === undefined || isUnresolved(value)) return [];
    return fieldProblem(option, value) ?? [];
  });
}
