import type { CloudEnvironmentName } from "./cloud-environment.js";
import type { Direction, PublishWith } from "./props.js";

/** What the listener reads of a binding. Any `BindingProps` with an input half will do, too. */
export interface ListenerBinding {
  readonly cloudTenantId: string;
  readonly cloudClientId: string;
  readonly handshakePort: string;
  /** Path that the listener serves; without it, the path of `subscriberEndpoint`. */
  readonly path?: string;
  readonly subscriberEndpoint?: string;
  readonly cloudEnvironment?: CloudEnvironmentName;
  readonly cloudAuthorityHost?: string;
}

/** What the publisher reads of a binding. Any `BindingProps` with an output half will do, too. */
export interface PublisherBinding {
  readonly topicEndpoint: string;
  readonly publishWith?: PublishWith;
  readonly accessKey?: string;
  /** Default `source` of published events. */
  readonly name?: string;
  readonly cloudEnvironment?: CloudEnvironmentName;
}

interface Described<D extends Direction> {
  readonly direction: D;
}

type Input = Omit<ListenerBinding, "subscriberEndpoint" | "path"> & { readonly path: string };

/**
 * A binding as a running service knows it: what the listener and the publisher read, and nothing
 * of what only the infrastructure needs. `bindingFromEnvironment` gives one.
 */
export type RuntimeBinding<D extends Direction = Direction> = D extends "input"
  ? Described<"input"> & Input & { readonly name?: string }
  : D extends "output"
    ? Described<"output"> & PublisherBinding
    : Described<"input, output"> & Input & PublisherBinding;
