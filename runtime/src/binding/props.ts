import type { CloudEnvironmentName } from "./cloud-environment.js";
import type { FieldOf } from "./field-of.js";

/** Which halves of a binding run: events come in, go out, or both. */
export type Direction = "input" | "output" | "input, output";

/**
 * Who writes the event subscription: whoever runs Terraform, or the application itself with its
 * client ID and secret, as the original component does.
 */
export type Writer = "deployer" | "client";

/** How `create` authenticates to the topic: with the topic's access key, or with an Entra token. */
export type PublishWith = "accessKey" | "entra";

/** What both directions have in common. */
export interface CommonFields {
  /** @default "public" */
  cloudEnvironment?: CloudEnvironmentName;
  /**
   * Base URL of the token issuer where it is not the cloud's own, such as a local Azure's.
   * An https URL; http is accepted for loopback addresses only.
   *
   * @default the login host of `cloudEnvironment`
   */
  cloudAuthorityHost?: string | undefined;
}

interface InputFieldsBase {
  /** Tenant ID of the event-routing resource: a UUID. */
  cloudTenantId: string;
  /** Subscription ID of the event-routing resource: a UUID, the one that `scope` names. */
  cloudSubscriptionId: string;
  /** Client ID of the application that incoming deliveries are authenticated with: a UUID. */
  cloudClientId: string;
  /**
   * Public https URL of the webhook. It has no credentials and no fragment; without a path it
   * gets `/api/events`. A query string goes along with every delivery and counts as a secret.
   */
  subscriberEndpoint: string;
  /** Port on which the listener takes webhook traffic: a string holding 1 to 65535. */
  handshakePort: string;
  /**
   * Resource on which the event subscription is made: the ID of a subscription, a resource group,
   * a top-level resource or a topic.
   */
  scope: string;
  /**
   * Name of the event subscription: 3 to 64 letters and digits.
   *
   * @default made by the construct from its id and a short hash of its place in the app
   */
  eventSubscriptionName?: string;
}

/** The fields of the input direction. */
export type InputFields = InputFieldsBase &
  (
    | {
        writer: "client";
        /** Client secret belonging to `cloudClientId`. */
        cloudClientSecret: string;
      }
    // The usual case comes last: of a union the compiler explains the last member.
    | {
        /** @default "deployer" */
        writer?: "deployer";
        /** Client secret belonging to `cloudClientId`; nothing needs it while the deployer writes. */
        cloudClientSecret?: string;
      }
  );

interface OutputFieldsBase {
  /** Endpoint of the topic that `create` publishes to: an https URL (http on loopback only). */
  topicEndpoint: string;
}

/** The fields of the output direction. */
export type OutputFields = OutputFieldsBase &
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

type None<T> = { [Field in FieldOf<T>]?: never };

/** A binding that receives events. */
export type InputBindingProps = CommonFields &
  InputFields &
  None<OutputFields> & { direction?: "input" };

/** A binding that publishes events. */
export type OutputBindingProps = CommonFields &
  OutputFields &
  None<InputFields> & { direction?: "output" };

/** A binding that does both. */
export type InputOutputBindingProps = CommonFields &
  InputFields &
  OutputFields & { direction?: "input, output" };

/**
 * The definition of a binding, shared by the construct and the runtime.
 *
 * Without `direction` the fields that are there decide.
 */
export type BindingProps = InputBindingProps | OutputBindingProps | InputOutputBindingProps;

/** The props of one direction. */
export type BindingPropsOf<D extends Direction> = D extends "input"
  ? InputBindingProps
  : D extends "output"
    ? OutputBindingProps
    : InputOutputBindingProps;
