import type { CloudEnvironmentName } from "./cloud-environment.js";
import type { FieldOf } from "./field-of.js";
import type { BindingProps, Direction, PublishWith } from "./props.js";

/** What the listener reads of a binding. Any `BindingProps` with an input half will do, too. */
export interface ListenerBinding {
  /** Tenant whose tokens are let in: a UUID. */
  readonly cloudTenantId: string;
  /** Client ID of the application that deliveries are authenticated with: a UUID. */
  readonly cloudClientId: string;
  /** Port on which the listener takes webhook traffic: a string holding 1 to 65535. */
  readonly handshakePort: string;
  /** Path that the listener serves; without it, the path of `subscriberEndpoint`. */
  readonly path?: string;
  /** Public URL of the webhook; the listener takes its path. */
  readonly subscriberEndpoint?: string;
  /** @default "public" */
  readonly cloudEnvironment?: CloudEnvironmentName;
  /**
   * Base URL of the token issuer where it is not the cloud's own, such as a local Azure's.
   *
   * @default the login host of `cloudEnvironment`
   */
  readonly cloudAuthorityHost?: string | undefined;
}

/** What the publisher reads of a binding. Any `BindingProps` with an output half will do, too. */
export interface PublisherBinding {
  /** Endpoint of the topic, path included: an https URL (http on loopback only). */
  readonly topicEndpoint: string;
  /** @default "accessKey" */
  readonly publishWith?: PublishWith;
  /** Access key of the topic; needed unless the publisher is given one, or publishes with Entra. */
  readonly accessKey?: string;
  /** Default `source` of published events. */
  readonly name?: string;
  /** @default "public" */
  readonly cloudEnvironment?: CloudEnvironmentName;
}

/**
 * The rest of the fields that a whole set of props has: whoever reads one half of a binding takes
 * them along unread. One type instead of a union, so that the compiler names the field that lacks.
 */
export type UnreadFields = { readonly [Field in FieldOf<BindingProps> | "direction"]?: unknown };

interface Described<D extends Direction> {
  readonly direction: D;
  /** What the binding is called: the default `source` of the events it publishes. */
  readonly name?: string;
}

type InputHalf = Required<Pick<ListenerBinding, "cloudEnvironment" | "path">> &
  Omit<ListenerBinding, "cloudEnvironment" | "path" | "subscriberEndpoint">;

type OutputHalf = Required<Pick<PublisherBinding, "cloudEnvironment" | "publishWith">> &
  Omit<PublisherBinding, "cloudEnvironment" | "publishWith" | "name">;

// Interfaces, because the compiler and the editor call those by their names.

/** A running service's binding that receives. */
export interface InputRuntimeBinding extends Described<"input">, InputHalf {}

/** A running service's binding that publishes. */
export interface OutputRuntimeBinding extends Described<"output">, OutputHalf {}

/** A running service's binding that does both. */
export interface InputOutputRuntimeBinding
  extends Described<"input, output">,
    InputHalf,
    OutputHalf {}

/**
 * A binding as a running service knows it: what the listener and the publisher read, and nothing
 * of what only the infrastructure needs. `bindingFromEnvironment` gives one.
 */
export type RuntimeBinding<D extends Direction = Direction> = D extends "input"
  ? InputRuntimeBinding
  : D extends "output"
    ? OutputRuntimeBinding
    : InputOutputRuntimeBinding;
