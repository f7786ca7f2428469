import type { CloudEnvironmentName } from "./cloud-environment.js";
import type { Direction, PublishWith } from "./props.js";

interface CommonFields {
  /** Name of the binding: the default `source` of the events that it publishes; also for log lines. */
  readonly name?: string | undefined;
  /** @default "public" */
  readonly cloudEnvironment?: CloudEnvironmentName | undefined;
  /**
   * Base URL of the token issuer if it is not the cloud's own, for example a local Azure's.
   *
   * @default the login host of `cloudEnvironment`
   */
  readonly cloudAuthorityHost?: string | undefined;
}

interface TwoDirections {
  /** The directions that the binding has. */
  readonly direction?: Direction | undefined;
}

/**
 * The properties of a binding that a listener needs. Props with an input direction can be used as
 * one.
 */
export interface InputRuntimeBinding extends CommonFields, TwoDirections {
  /** Tenant whose tokens are accepted: a UUID. */
  readonly cloudTenantId: string;
  /** Client ID of the application that deliveries are authenticated with: a UUID. */
  readonly cloudClientId: string;
  /** Port on which the listener receives webhook traffic: a string holding 1 to 65535. */
  readonly handshakePort: string;
  /**
   * Path that the listener serves.
   *
   * @default the path of `subscriberEndpoint`; one of the two is required
   */
  readonly path?: string | undefined;
  /** Public URL of the webhook, of which the listener uses the path. */
  readonly subscriberEndpoint?: string | undefined;
  /**
   * Name of the event subscription whose deliveries are expected.
   *
   * @default unknown: deliveries of any subscription are expected
   */
  readonly eventSubscriptionName?: string | undefined;
  /**
   * Resource whose events are expected.
   *
   * @default unknown: events of any resource are expected
   */
  readonly scope?: string | undefined;
}

/**
 * The properties of a binding that a publisher needs. Props with an output direction can be used as
 * one.
 */
export interface OutputRuntimeBinding extends CommonFields, TwoDirections {
  /** Endpoint of the topic: an https URL (http on loopback only). */
  readonly topicEndpoint: string;
  /** @default "accessKey" */
  readonly publishWith?: PublishWith | undefined;
  /** Access key of the topic, unless the publisher has another credential. */
  readonly accessKey?: string | undefined;
}

/**
 * A binding as a running service needs it, without the fields that only the infrastructure uses.
 * `bindingFromEnvironment` returns one.
 */
export type RuntimeBinding<D extends Direction = Direction> = D extends "input"
  ? InputRuntimeBinding
  : D extends "output"
    ? OutputRuntimeBinding
    : InputRuntimeBinding & OutputRuntimeBinding;

interface NamespaceFields extends CommonFields {
  /**
   * Endpoint of the namespace, such as `https://shop.westeurope-1.eventgrid.azure.net`: an https URL
   * (http on loopback only).
   */
  readonly namespaceEndpoint: string;
  /** Name of the topic in the namespace. */
  readonly topicName: string;
  /** Access key of the namespace or the topic. */
  readonly accessKey?: string | undefined;
}

/**
 * The event subscription of a namespace topic from which a receiver pulls events.
 * `pullBindingFromEnvironment` returns one.
 */
export interface PullRuntimeBinding extends NamespaceFields {
  /** Name of the event subscription, which is a queue. */
  readonly eventSubscriptionName: string;
  /**
   * How long a received event is locked, in seconds: 60 to 300, as the event subscription says.
   *
   * @default 60
   */
  readonly receiveLockSeconds?: number | undefined;
  /** How the receiver authenticates. @default "entra" */
  readonly receiveWith?: PublishWith | undefined;
}

/**
 * A topic of a namespace to which a publisher publishes. `namespaceTopicFromEnvironment` returns one.
 */
export interface NamespaceTopicRuntimeBinding extends NamespaceFields {
  /** @default "entra" */
  readonly publishWith?: PublishWith | undefined;
}
