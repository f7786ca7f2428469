import {
  type BindingProps,
  cloudEnvironments,
  DEFAULT_EVENTS_PATH,
  defaultSubscriptionName,
  eventsUrl,
  type PullRuntimeBinding,
  type RuntimeBinding,
} from "cloud-eventgrid-binding-runtime/internal";
import type { CloudName } from "../cloud.js";
import { subscriptionOf, trimmedId } from "../resource-id.js";

/** The deployment to inspect. Unknown properties are missing or undefined. */
export interface Deployment {
  /** Its name in reports. */
  readonly name: string;
  readonly cloud: CloudName;
  readonly subscriptionId: string | undefined;
  readonly input?: DeployedInput;
  readonly output?: DeployedOutput;
  /** An event subscription of a namespace; then there is no other input or output. */
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

/** The queue that a service receives from. */
export interface DeployedPull {
  readonly namespaceEndpoint: string;
  readonly namespaceId: string | undefined;
  readonly topicName: string;
  readonly eventSubscriptionName: string;
  /** The lock that the receiver expects, in seconds. */
  readonly receiveLockSeconds: number | undefined;
  readonly usesEntra: boolean;
  readonly accessKey: string | undefined;
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
  const cloud = props.cloudEnvironment ?? "public";
  const place = placeOf(options);
  const { subscriberEndpoint, topicEndpoint } = props;
  return {
    name,
    cloud,
    subscriptionId: props.cloudSubscriptionId ?? options.azureSubscription,
    ...(subscriberEndpoint !== undefined && {
      input: {
        tenantId: props.cloudTenantId,
        clientId: props.cloudClientId,
        endpoint: eventsUrl(subscriberEndpoint).href,
        scope: trimmedId(props.scope),
        eventSubscriptionName: props.eventSubscriptionName ?? defaultSubscriptionName(name),
        ...place,
        ...writerOf(options, props.writer === "client"),
        eventTypes: options.eventTypes,
        eventGridApplicationId: cloudEnvironments[cloud].eventGridApplicationId,
      },
    }),
    ...(topicEndpoint !== undefined && {
      output: outputOf(topicEndpoint, props.publishWith, accessKey, options),
    }),
  };
}

/** The deployment that a service's environment describes; the scope comes from the options. */
export function deploymentOfBinding(
  name: string,
  binding: RuntimeBinding,
  options: DeploymentOptions,
): Deployment {
  const cloud = binding.cloudEnvironment ?? "public";
  const place = placeOf(options);
  return {
    name,
    cloud,
    subscriptionId: options.azureSubscription ?? subscriptionIdOf(place.scope),
    ...("handshakePort" in binding && {
      input: {
        tenantId: binding.cloudTenantId,
        clientId: binding.cloudClientId,
        path: binding.path ?? DEFAULT_EVENTS_PATH,
        ...place,
        ...writerOf(options, false),
        eventTypes: options.eventTypes,
        eventGridApplicationId: cloudEnvironments[cloud].eventGridApplicationId,
      },
    }),
    ...("topicEndpoint" in binding && {
      output: outputOf(binding.topicEndpoint, binding.publishWith, binding.accessKey, options),
    }),
  };
}

/** The deployment that the environment of a receiver describes. */
export function deploymentOfPull(
  name: string,
  binding: PullRuntimeBinding,
  {
    scope,
    eventSubscription,
    azureSubscription,
    receiver,
    publisher,
    eventTypes,
  }: DeploymentOptions,
): Deployment {
  const [namespaceId] =
    /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/Microsoft\.EventGrid\/namespaces\/[^/]+/i.exec(
      eventSubscription ?? trimmedId(scope ?? ""),
    ) ?? [];
  return {
    name,
    cloud: binding.cloudEnvironment ?? "public",
    subscriptionId: azureSubscription ?? subscriptionIdOf(namespaceId),
    pull: {
      namespaceEndpoint: binding.namespaceEndpoint,
      topicName: binding.topicName,
      eventSubscriptionName: binding.eventSubscriptionName,
      usesEntra: binding.receiveWith !== "accessKey",
      eventTypes,
      namespaceId,
      receiveLockSeconds: binding.receiveLockSeconds,
      accessKey: binding.accessKey,
      receiver,
      publisher,
    },
  };
}

function subscriptionIdOf(scope = ""): string | undefined {
  return subscriptionOf(scope)?.split("/")[2];
}

function outputOf(
  topicEndpoint: string,
  publishWith: string | undefined,
  accessKey: string | undefined,
  { publisher }: DeploymentOptions,
): DeployedOutput {
  return { topicEndpoint, usesEntra: publishWith === "entra", accessKey, publisher };
}

function placeOf({ scope, eventSubscription }: DeploymentOptions) {
  const [, at, name] =
    /^(.*\/providers\/Microsoft\.EventGrid\/systemTopics\/[^/]+)\/eventSubscriptions\/([^/]+)$/i.exec(
      eventSubscription ?? "",
    ) ??
    /^(.*)\/providers\/Microsoft\.EventGrid\/eventSubscriptions\/([^/]+)$/i.exec(
      eventSubscription ?? "",
    ) ??
    [];
  return {
    ...(scope !== undefined && { scope: trimmedId(scope) }),
    ...(at !== undefined && name !== undefined && { scope: at, eventSubscriptionName: name }),
  };
}

function writerOf(
  { writer }: DeploymentOptions,
  isApplication: boolean,
): Pick<DeployedInput, "writer"> {
  if (writer !== undefined) return { writer: { objectId: writer } };
  return isApplication ? { writer: "application" } : {};
}
