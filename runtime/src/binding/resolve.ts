import type { CloudEnvironmentName } from "./cloud-environment.js";
import type { DirectionOf } from "./direction.js";
import { registeredEndpoint } from "./endpoint.js";
import { BindingConfigurationError } from "./problem.js";
import type {
  BindingProps,
  CommonFields,
  Direction,
  InputBindingProps,
  InputOutputBindingProps,
  OutputBindingProps,
} from "./props.js";
import { formatScope, parseScope } from "./rules/index.js";
import { type ValidationOptions, validateBinding } from "./validate.js";

// Not interfaces: what infers them could not be exported where declarations are written.

type ResolvedCommon = {
  readonly cloudEnvironment: CloudEnvironmentName;
  /** Without a trailing slash. */
  readonly cloudAuthorityHost?: string;
};

type ResolvedInput = {
  readonly cloudTenantId: string;
  readonly cloudSubscriptionId: string;
  readonly cloudClientId: string;
  /** With its path, as it is registered; as it was given where it is unresolved. */
  readonly subscriberEndpoint: string;
  readonly handshakePort: string;
  /** Normalised; where it is unresolved, as it was given but for slashes at its end. */
  readonly scope: string;
  readonly eventSubscriptionName?: string;
};

type ResolvedWriter =
  | { readonly writer: "deployer"; readonly cloudClientSecret?: string }
  | { readonly writer: "client"; readonly cloudClientSecret: string };

type ResolvedOutput = { readonly topicEndpoint: string } & (
  | { readonly publishWith: "accessKey"; readonly accessKey: string }
  | { readonly publishWith: "entra" }
);

/** A binding with its direction told, its defaults filled in and its values in their normal form. */
export type ResolvedBinding<D extends Direction = Direction> = D extends "input"
  ? { readonly direction: "input" } & ResolvedCommon & ResolvedInput & ResolvedWriter
  : D extends "output"
    ? { readonly direction: "output" } & ResolvedCommon & ResolvedOutput
    : { readonly direction: "input, output" } & ResolvedCommon &
        ResolvedInput &
        ResolvedWriter &
        ResolvedOutput;

type IsUnresolved = (value: unknown) => boolean;

/**
 * Validates props and gives them in their normal form; resolving the outcome again changes nothing.
 *
 * @throws {BindingConfigurationError} with everything that {@link validateBinding} finds
 */
export function resolveBinding<Props extends BindingProps>(
  props: Props,
  options?: ValidationOptions,
): ResolvedBinding<DirectionOf<Props>>;
export function resolveBinding(
  props: BindingProps,
  options: ValidationOptions = {},
): ResolvedBinding {
  const problems = validateBinding(props, options);
  if (problems.length > 0) throw new BindingConfigurationError(problems);
  const { isUnresolved = () => false } = options;

  // Valid props have a half whole or not at all, so that one field stands for each.
  const common = resolveCommon(props, isUnresolved);
  if (props.cloudTenantId === undefined) {
    return { direction: "output", ...common, ...resolveOutput(props) };
  }
  const input = resolveInput(props, isUnresolved);
  if (props.topicEndpoint === undefined) {
    return { direction: "input", ...common, ...input };
  }
  return { direction: "input, output", ...common, ...input, ...resolveOutput(props) };
}

function resolveCommon(props: CommonFields, isUnresolved: IsUnresolved): ResolvedCommon {
  const { cloudEnvironment = "public", cloudAuthorityHost: host } = props;
  if (host === undefined) return { cloudEnvironment };
  const cloudAuthorityHost = isUnresolved(host) ? host : host.replace(/\/+$/, "");
  return { cloudEnvironment, cloudAuthorityHost };
}

function resolveInput(
  props: InputBindingProps | InputOutputBindingProps,
  isUnresolved: IsUnresolved,
): ResolvedInput & ResolvedWriter {
  const { subscriberEndpoint, scope, eventSubscriptionName } = props;
  return {
    cloudTenantId: props.cloudTenantId,
    cloudSubscriptionId: props.cloudSubscriptionId,
    cloudClientId: props.cloudClientId,
    subscriberEndpoint: isUnresolved(subscriberEndpoint)
      ? subscriberEndpoint
      : registeredEndpoint(subscriberEndpoint),
    handshakePort: props.handshakePort,
    scope: isUnresolved(scope) ? scope.replace(/\/+$/, "") : formatScope(parseScope(scope)),
    ...(eventSubscriptionName !== undefined && { eventSubscriptionName }),
    ...resolveWriter(props),
  };
}

function resolveWriter(props: InputBindingProps | InputOutputBindingProps): ResolvedWriter {
  const { writer = "deployer", cloudClientSecret } = props;
  if (cloudClientSecret === undefined) return { writer: "deployer" };
  return { writer, cloudClientSecret };
}

function resolveOutput(props: OutputBindingProps | InputOutputBindingProps): ResolvedOutput {
  const { topicEndpoint } = props;
  if (props.publishWith === "entra") return { topicEndpoint, publishWith: "entra" };
  return { topicEndpoint, publishWith: "accessKey", accessKey: props.accessKey };
}
