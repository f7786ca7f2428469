import type { Keys } from "../validation/index.js";
import type { CloudEnvironmentName } from "./cloud-environment.js";

/** Whether a binding receives events, publishes them, or both. */
export type Direction = "input" | "output" | "input, output";

/**
 * Who creates and updates the event subscription: the identity that runs Terraform, or the
 * application with its client ID and secret, as in the original component.
 */
export type Writer = "deployer" | "client";

/** How a service authenticates to a topic: with an access key, or with an Entra token. */
export type AuthenticationMethod = "accessKey" | "entra";

interface CommonFields {
  /** @default "public" */
  cloudEnvironment?: CloudEnvironmentName;
  /**
   * Base URL of the token issuer if it is not the cloud's own, for example a local Azure's.
   * An https URL; http is accepted for loopback addresses only.
   *
   * @default the login host of `cloudEnvironment`
   */
  cloudAuthorityHost?: string | undefined;
}

interface InputFieldsBase {
  /** Tenant ID of the Event Grid resource: a UUID. */
  cloudTenantId: string;
  /** Subscription ID of the Event Grid resource: a UUID, the one that `scope` names. */
  cloudSubscriptionId: string;
  /** Client ID of the application that deliveries are authenticated with: a UUID. */
  cloudClientId: string;
  /**
   * Public https URL of the webhook, without credentials and fragment; without a path it gets
   * `/api/events`. A query string is sent with every delivery and counts as a secret.
   */
  subscriberEndpoint: string;
  /** Port on which the listener receives webhook traffic: a string holding 1 to 65535. */
  handshakePort: string;
  /**
   * Resource whose events are received: the ID of a subscription, a resource group, a top-level
   * resource or a topic.
   */
  scope: string;
  /**
   * Name of the event subscription: 3 to 64 letters and digits.
   *
   * @default the name of the component, or the construct's path in its stack. If Azure refuses that name: its
   * letters and digits, and a hash
   */
  eventSubscriptionName?: string;
}

type InputFields = InputFieldsBase &
  (
    | {
        writer: "client";
        /** Client secret belonging to `cloudClientId`. */
        cloudClientSecret: string;
      }
    // The usual case comes last, because compiler messages explain the last member of a union.
    | {
        /** @default "deployer" */
        writer?: "deployer";
        /** Client secret belonging to `cloudClientId`; used only with `writer: "client"`. */
        cloudClientSecret?: string;
      }
  );

interface OutputFieldsBase {
  /** Endpoint of the topic that `create` publishes to: an https URL (http on loopback only). */
  topicEndpoint: string;
}

type OutputFields = OutputFieldsBase &
  (
    | {
        publishWith: "entra";
        accessKey?: never;
      }
    | {
        /** @default "accessKey" */
        publishWith?: "accessKey";
        /** Access key of the topic. */
        accessKey: string;
      }
  );

type None<T> = { [Field in Keys<T>]?: never };

/** The definition of a binding that receives events. */
export type InputBindingProps = CommonFields &
  InputFields &
  None<OutputFields> & { direction?: "input" };

/** The definition of a binding that publishes events. */
export type OutputBindingProps = CommonFields &
  OutputFields &
  None<InputFields> & { direction?: "output" };

/** The definition of a binding that does both. */
export type InputOutputBindingProps = CommonFields &
  InputFields &
  OutputFields & { direction?: "input, output" };

/**
 * The definition of a binding, shared by the construct and the runtime.
 *
 * Without `direction`, the fields that are set decide.
 */
export type BindingProps = InputBindingProps | OutputBindingProps | InputOutputBindingProps;

/** Fields of props as a service reads them. */
type Read<Fields, Name extends keyof Fields> = { readonly [N in Name]: Fields[N] };
type MayRead<Fields, Name extends keyof Fields> = { readonly [N in Name]?: Fields[N] | undefined };

interface ServiceFields extends MayRead<CommonFields, keyof CommonFields> {
  /** Name of the binding: the default `source` of the events that it publishes; also for log lines. */
  readonly name?: string | undefined;
}

interface TwoDirections {
  /** The directions that the binding has. */
  readonly direction?: Direction | undefined;
}

/**
 * The fields of a binding that a listener needs: the props of a binding that receives events can be
 * used as one. If there is an `eventSubscriptionName` or a `scope`, events from elsewhere are reported.
 */
export interface InputRuntimeBinding
  extends ServiceFields,
    TwoDirections,
    Read<InputFieldsBase, "cloudTenantId" | "cloudClientId" | "handshakePort">,
    MayRead<InputFieldsBase, "subscriberEndpoint" | "eventSubscriptionName" | "scope"> {
  /**
   * Path that the listener serves.
   *
   * @default the path of `subscriberEndpoint`; one of the two is required
   */
  readonly path?: string | undefined;
}

/**
 * The fields of a binding that a publisher needs: the props of a binding that publishes events can be
 * used as one.
 */
export interface OutputRuntimeBinding
  extends ServiceFields,
    TwoDirections,
    Read<OutputFieldsBase, "topicEndpoint"> {
  /** @default "accessKey" */
  readonly publishWith?: AuthenticationMethod | undefined;
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

interface NamespaceFields extends ServiceFields {
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
  readonly receiveWith?: AuthenticationMethod | undefined;
}

/**
 * A topic of a namespace to which a publisher publishes. `namespaceTopicFromEnvironment` returns one.
 */
export interface NamespaceTopicRuntimeBinding extends NamespaceFields {
  /** @default "entra" */
  readonly publishWith?: AuthenticationMethod | undefined;
}
