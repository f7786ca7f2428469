import type { EventCatalogue, EventPayloads } from "../events/index.js";
import type { EventsToCreate, Invocation, InvocationResult, Operation } from "./event/index.js";
import type { CreateOptions } from "./settings/index.js";

/** Publishes events to a binding's topic. */
export interface Publisher<P extends EventPayloads = EventPayloads> extends AsyncDisposable {
  /**
   * Publishes an event, or an array of events.
   *
   * Events are encoded when `create` is called; changing an object later has no effect. Calls that
   * share a request are settled in the order in which they were made, others in the order of their
   * responses.
   *
   * @returns the IDs of the events in the order of the arguments, once the topic has accepted them all
   * @throws {InvalidEventError} when an event is invalid; nothing of the call was sent
   * @throws {PublishError} when events of the call were not accepted, saying which
   */
  create(events: EventsToCreate<P>, options?: CreateOptions): Promise<string[]>;
  /** Resolves when every call made so far is settled, successfully or not; never rejects. */
  flush(): Promise<void>;
  /** Refuses further calls, waits until earlier ones are settled, and closes all connections. */
  close(): Promise<void>;
  /** The operations that `invoke` supports. */
  readonly operations: readonly Operation[];
  /**
   * Runs an operation by name, as the component's binding interface defines it.
   *
   * @throws {UnsupportedOperationError} for operations other than `create`
   * @throws {PublishError} as {@link create} does
   */
  invoke(invocation: Invocation, options?: CreateOptions): Promise<InvocationResult>;
}

/**
 * A publisher of the events of a catalogue, for parameters and fields.
 *
 * @example
 * ```ts
 * async function place(publisher: PublisherOf<typeof orders>, order: Order) {}
 * ```
 */
export type PublisherOf<Catalogue extends EventCatalogue> = Publisher<
  NonNullable<Catalogue["~payloads"]>
>;
