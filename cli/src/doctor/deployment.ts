import {
  type BindingProps,
  cloudEnvironments,
  DEFAULT_EVENTS_PATH,
  defaultSubscriptionName,
  eventsUrl,
  type NamespaceTopicRuntimeBinding,
  type PullRuntimeBinding,
  type RuntimeBinding,
} from "cloud-eventgrid-binding-runtime/internal";
import type { CloudName } from "../cloud.js";
import { subscriptionIdOf, trimmedId } from "../resource-id.js";

/** The deployment to inspect. Unknown properties are missing or undefined. */
export interface Deployment {
  /** Its name in reports. */
  readonly name: string;
  readonly cloud: CloudName;
  readonly subscriptionId: string | undefined;
  readonly input?: DeployedInput;
  readonly output?: DeployedOutput;
  /** An event subscription or a topic of a namespace; then there is no other input or output. */
  readonly pull?: DeployedPull;
}

export interface DeployedInput {
  readonly tenantId: string;
  readonly clientId: string;
  /** The webhook's URL; its query may be a secret. */
  readonly endpoint?: string;
  /** The path that the listener serves, if the URL is unknown. */
  readonly path?: string;
  /** The scope and the name of the event subscription. */
  readonly scope?: string;
  readonly eventSubscriptionName?: string;
  /** Object ID of the principal that writes the subscription, or the application itself. */
  readonly writer?: { readonly objectId: string } | "application";
  /** The event types that the service handles. */
  readonly eventTypes: readonly string[];
  /** Application ID of Event Grid itself; unknown in the China cloud. */
  readonly eventGridApplicationId: string | undefined;
}

export interface DeployedOutput {
  readonly topicEndpoint: string;
  readonly accessKey: string | undefined;
  /** Object ID of the principal that publishes with Entra. */
  readonly publisher: string | undefined;
  readonly usesEntra: boolean;
}

/** The queue that a service receives from, or the topic that it publishes to. */
export interface DeployedPull
  extends NamespaceTopicRuntimeBinding,
    Partial<Omit<PullRuntimeBinding, keyof NamespaceTopicRuntimeBinding>> {
  readonly namespaceId: string | undefined;
  /** Object IDs of the principals that receive and publish with Entra. */
  readonly receiver: string | undefined;
  readonly publisher: string | undefined;
  /** The event types that the service handles. */
  readonly eventTypes: readonly string[];
}

/** The options of the command line that complete a definition. */
export interface DeploymentOptions {
  readonly scope?: string;
  /** Resource ID of the event subscription. */
  readonly eventSubscription?: string;
  readonly azureSubscription?: string | undefined;
  /** Object IDs. */
  readonly writer?: string;
  readonly publisher?: string;
  readonly receiver?: string;
  readonly eventTypes: readonly string[];
}

/**
 * The deployment that a component document describes.
 *
 * @param accessKey the topic's access key, if the document contains it
 */
export function deploymentOfProps(
  name: string,
  props: BindingProps,
  accessKey: string | undefined,
  options: DeploymentOptions,
): Deployment {
  const { subscriberEndpoint, topicEndpoint, writer } = props;
  return {
    name,
    cloud: props.cloudEnvironment ?? "public",
    subscriptionId: props.cloudSubscriptionId ?? options.azureSubscription,
    ...(subscriberEndpoint !== undefined && {
      input: {
        endpoint: eventsUrl(subscriberEndpoint).href,
        scope: trimmedId(props.scope),
        eventSubscriptionName: props.eventSubscriptionName ?? defaultSubscriptionName(name),
        ...inputOf(props, options),
        ...(writer === "client" && options.writer === undefined && { writer: "application" }),
      },
    }),
    ...(topicEndpoint !== undefined && {
      output: outputOf({ ...props, topicEndpoint, accessKey }, options),
    }),
  };
}

/** The deployment that a service's environment describes; the scope comes from the options. */
export function deploymentOfBinding(
  name: string,
  binding: RuntimeBinding,
  options: DeploymentOptions,
): Deployment {
  return {
    name,
    cloud: binding.cloudEnvironment ?? "public",
    subscriptionId: options.azureSubscription ?? subscriptionIdOf(placeOf(options).scope),
    ...("handshakePort" in binding && {
      input: { path: binding.path ?? DEFAULT_EVENTS_PATH, ...inputOf(binding, options) },
    }),
    ...("topicEndpoint" in binding && { output: outputOf(binding, options) }),
  };
}

const NAMESPACE = /.*\/providers\/Microsoft\.EventGrid\/namespaces\/[^/]*/i;

/** The deployment that the environment of a namespace's client describes. */
export function deploymentOfPull(
  name: string,
  binding: PullRuntimeBinding | NamespaceTopicRuntimeBinding,
  options: DeploymentOptions,
): Deployment {
  const { receiver, publisher, eventTypes } = options;
  const namespaceId = NAMESPACE.exec(
    trimmedId(String(options.eventSubscription ?? options.scope)),
  )?.[0];
  return {
    name,
    cloud: binding.cloudEnvironment ?? "public",
    subscriptionId: options.azureSubscription ?? subscriptionIdOf(namespaceId),
    pull: { ...binding, namespaceId, receiver, publisher, eventTypes },
  };
}

interface Input {
  readonly cloudTenantId: string;
  readonly cloudClientId: string;
  readonly cloudEnvironment?: CloudName | undefined;
}

function inputOf(binding: Input, options: DeploymentOptions): DeployedInput {
  const { writer, eventTypes } = options;
  return {
    tenantId: binding.cloudTenantId,
    clientId: binding.cloudClientId,
    ...placeOf(options),
    ...(writer !== undefined && { writer: { objectId: writer } }),
    eventTypes,
    eventGridApplicationId:
      cloudEnvironments[binding.cloudEnvironment ?? "public"].eventGridApplicationId,
  };
}

type Output = Pick<DeployedOutput, "topicEndpoint"> & {
  readonly publishWith?: string | undefined;
  readonly accessKey?: string | undefined;
};

function outputOf(
  { topicEndpoint, publishWith, accessKey }: Output,
  { publisher }: DeploymentOptions,
): DeployedOutput {
  return { topicEndpoint, usesEntra: publishWith === "entra", accessKey, publisher };
}

function placeOf({ scope, eventSubscription }: DeploymentOptions) {
  // Of a topic or a domain, Azure shows an event subscription below it and as an extension.
  const [at, name] = trimmedId(String(eventSubscription)).split(
    /(?:\/providers\/Microsoft\.EventGrid)?\/eventSubscriptions\//i,
  );
  return {
    ...(scope !== undefined && { scope: trimmedId(scope) }),
    ...(name !== undefined && !name.includes("/") && { scope: at, eventSubscriptionName: name }),
  };
}
