import type { CloudEnvironmentName } from "./cloud-environment.js";
import type { PublishWith } from "./props.js";

/** How a receiver authenticates: with an access key, or with an Entra token. */
export type ReceiveWith = PublishWith;

interface NamespaceFields {
  /**
   * Endpoint of the namespace, such as `https://shop.westeurope-1.eventgrid.azure.net`: an https URL
   * (http on loopback only).
   */
  readonly namespaceEndpoint: string;
  /** Name of the topic in the namespace. */
  readonly topicName: string;
  /** Access key of the namespace or the topic. */
  readonly accessKey?: string | undefined;
  /** @default "public" */
  readonly cloudEnvironment?: CloudEnvironmentName | undefined;
  /**
   * Base URL of the token issuer if it is not the cloud's own, for example a local Azure's.
   *
   * @default the login host of `cloudEnvironment`
   */
  readonly cloudAuthorityHost?: string | undefined;
}

/**
 * The event subscription of a namespace topic from which a receiver pulls events.
 * `pullBindingFromEnvironment` returns one.
 */
export interface PullRuntimeBinding extends NamespaceFields {
  /** Name of the binding, for log lines. */
  readonly name?: string | undefined;
  /** Name of the event subscription, which is a queue. */
  readonly eventSubscriptionName: string;
  /**
   * How long a received event is locked, in seconds: 60 to 300, as the event subscription says.
   *
   * @default 60
   */
  readonly receiveLockSeconds?: number | undefined;
  /** @default "entra" */
  readonly receiveWith?: ReceiveWith | undefined;
}

/**
 * A topic of a namespace to which a publisher publishes. `namespaceTopicFromEnvironment` returns one.
 */
export interface NamespaceTopicRuntimeBinding extends NamespaceFields {
  /** Name of the binding: the default `source` of the events that it publishes. */
  readonly name?: string | undefined;
  /** @default "entra" */
  readonly publishWith?: PublishWith | undefined;
}
