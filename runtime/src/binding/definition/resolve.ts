import type { CloudEnvironmentName } from "../cloud-environment.js";
import { BindingConfigurationError } from "../configuration-error.js";
import type {
  BindingProps,
  Direction,
  InputBindingProps,
  InputOutputBindingProps,
  OutputBindingProps,
} from "../props.js";
import { eventsUrl, formatScope, parseScope } from "../rules/index.js";
import { type ValidationOptions, validateBinding } from "./validate.js";

interface ResolvedCommon {
  readonly cloudEnvironment: CloudEnvironmentName;
  /** Without a trailing slash. */
  readonly cloudAuthorityHost?: string;
}

interface ResolvedInput {
  readonly cloudTenantId: string;
  readonly cloudSubscriptionId: string;
  readonly cloudClientId: string;
  /** With its path, as it is registered; an unresolved one is unchanged. */
  readonly subscriberEndpoint: string;
  readonly handshakePort: string;
  /** Normalised; of an unresolved one only slashes at the end are removed. */
  readonly scope: string;
  readonly eventSubscriptionName?: string;
}

type ResolvedWriter =
  | { readonly writer: "deployer"; readonly cloudClientSecret?: string }
  | { readonly writer: "client"; readonly cloudClientSecret: string };

type ResolvedOutput = { readonly topicEndpoint: string } & (
  | { readonly publishWith: "accessKey"; readonly accessKey: string }
  | { readonly publishWith: "entra" }
);

/** A binding with its direction, its defaults filled in and its values in normal form. */
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
 * Validates props and returns them in normal form. Resolving the result again changes nothing.
 *
 * @throws {BindingConfigurationError} with everything that {@link validateBinding} reports
 */
export function resolveBinding(
  props: BindingProps,
  options: ValidationOptions = {},
): ResolvedBinding {
  const problems = validateBinding(props, options);
  if (problems.length > 0) throw new BindingConfigurationError(problems);
  const { isUnresolved = () => false } = options;

  // Valid props have all fields of a direction or none, so one field is enough to detect each.
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

function resolveCommon(props: BindingProps, isUnresolved: IsUnresolved): ResolvedCommon {
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
      : eventsUrl(subscriberEndpoint).href,
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
