import type { EventPayloads } from "../events/index.js";
import type { EventsToCreate } from "./event-to-create.js";
import type { Invocation, InvocationResult, Operation } from "./invocation.js";

/** What can be set of one call. */
export interface CreateOptions {
  /** Gives the call up; events that are on the wire already may be accepted nonetheless. */
  readonly signal?: AbortSignal;
  /** Time for this call, in milliseconds. @default the publisher's `timeoutMs` */
  readonly timeoutMs?: number;
}

/** The output half of a binding, at work. */
export interface Publisher<P extends EventPayloads = EventPayloads> extends AsyncDisposable {
  /**
   * Publishes an event, or an array of them.
   *
   * Events go out as they are when it is called; changing the object later changes nothing. Calls
   * that share a request are settled in the order they were made; others in that of their answers.
   *
   * @returns the events' IDs in the order of the arguments, once the topic has accepted all of them
   * @throws {InvalidEventError} when an event is malformed; then none of the call was sent
   * @throws {PublishError} when events of the call were not accepted, saying which
   */
  create(events: EventsToCreate<P>, options?: CreateOptions): Promise<string[]>;
  /** Resolves when every call made before is settled, whether well or not; never rejects. */
  flush(): Promise<void>;
  /** Takes no more events, and resolves when those that were given are settled. */
  close(): Promise<void>;
  /** The operations that `invoke` knows. */
  readonly operations: readonly Operation[];
  /**
   * Runs an operation by its name, as the component's binding interface has it.
   *
   * @throws {UnsupportedOperationError} for any operation but `create`
   * @throws {PublishError} as {@link create} does
   */
  invoke(invocation: Invocation, options?: CreateOptions): Promise<InvocationResult>;
}
