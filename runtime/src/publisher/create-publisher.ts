import type { NamespaceTopicRuntimeBinding, OutputRuntimeBinding } from "../binding/index.js";
import { LinkedList, SignalListeners } from "../collections.js";
import type { EventCatalogue, EventPayloads } from "../events/index.js";
import { systemClock } from "../time.js";
import { ServiceClient } from "../transport/index.js";
import { BatchSender, Throttle } from "./batch-sender.js";
import { Call } from "./call.js";
import {
  checkPayloads,
  ENCODED_EVENTS,
  type EncodedEvent,
  type EncodedEvents,
  type EventsToCreate,
  type EventToCreate,
  encodeAll,
  type Invocation,
  type InvocationResult,
  invokedEvents,
  OPERATIONS,
  type Operation,
} from "./event/index.js";
import {
  abortFailure,
  CLOSED_FAILURE,
  type CreateOptions,
  checkCallOptions,
  type PublisherOptions,
  type PublisherSettings,
  publisherSettings,
  queueFullFailure,
  timeoutFailure,
} from "./settings.js";
import { type CreateSpan, PublisherTelemetry } from "./telemetry.js";

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

/**
 * Creates a publisher for the topic of a binding, or of a namespace. It connects when the first event is published.
 *
 * @example
 * ```ts
 * const publisher = createPublisher(bindingFromEnvironment("ORDERS"), { events: orders });
 * const [id] = await publisher.create({ type: "shop.order.placed", data: { orderId: "17" } });
 * await publisher.close();
 * ```
 *
 * @throws {ConfigurationError} with all problems of the binding and the options
 */
export function createPublisher<P extends EventPayloads = EventPayloads>(
  binding: OutputRuntimeBinding | NamespaceTopicRuntimeBinding,
  options: PublisherOptions<P> = {},
): Publisher<P> {
  return new EventPublisher(publisherSettings(binding, options, systemClock));
}

export class EventPublisher<P extends EventPayloads> implements Publisher<P> {
  readonly operations = OPERATIONS;
  readonly #settings: PublisherSettings;
  readonly #telemetry: PublisherTelemetry;
  readonly #client: ServiceClient;
  readonly #throttle: Throttle;
  readonly #sender: BatchSender;
  readonly #signals = new SignalListeners();
  /** For an outbox. */
  readonly [ENCODED_EVENTS]: EncodedEvents;
  /** Calls that are not settled. */
  readonly #open = new LinkedList<Call>();
  /** The number of their events, and of their bytes. */
  #events = 0;
  #bytes = 0;
  #isClosed = false;

  constructor(settings: PublisherSettings) {
    this.#settings = settings;
    const { endpoint } = settings.topic;
    this[ENCODED_EVENTS] = {
      topic: endpoint.host + endpoint.pathname,
      encode: (events) => this.#encode(events as readonly EventToCreate[]),
      send: (events, options) => {
        const call = this.#openCall(events, options, undefined);
        if (this.#isClosed) call.giveUp(CLOSED_FAILURE);
        else this.#queue(call);
        return call.promise;
      },
    };
    this.#telemetry = new PublisherTelemetry(settings.topic, settings.telemetry);
    this.#client = new ServiceClient(settings.topic, settings);
    this.#throttle = new Throttle(settings.clock);
    this.#sender = new BatchSender(settings, this.#client, this.#telemetry, this.#throttle);
  }

  create(events: EventsToCreate<P>, options?: CreateOptions): Promise<string[]> {
    return this.#create(events, options);
  }

  async invoke(invocation: Invocation, options?: CreateOptions): Promise<InvocationResult> {
    return { ids: await this.#create(invokedEvents(invocation), options) };
  }

  async flush(): Promise<void> {
    // Not by the calls' promises: awaiting a rejection would count as handling it.
    const settled = (call: Call) => new Promise<void>((resolve) => call.onSettled(resolve));
    await Promise.all([...this.#open].map(settled));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.flush();
    await this.#client.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Encodes the events and queues them. The sender sends them, and the outcome settles the call. */
  #create(
    oneOrMore: EventToCreate | readonly EventToCreate[],
    options: CreateOptions | undefined,
  ): Promise<string[]> {
    const events = isList(oneOrMore) ? oneOrMore : [oneOrMore];
    if (events.length === 0) return Promise.resolve([]);
    const span = this.#telemetry.startCreate();
    const refusal = this.#isClosed ? CLOSED_FAILURE : checkCallOptions(options);
    let encoded: EncodedEvent[];
    try {
      encoded = encodeAll(events, this.#settings.envelope, this.#telemetry.attributes(span));
    } catch (error) {
      this.#telemetry.malformed(events.length, span, error);
      return Promise.reject(error);
    }
    const call = this.#openCall(encoded, refusal ? undefined : options, span);
    const { schemas } = this.#settings;
    if (refusal !== undefined) call.giveUp(refusal);
    else if (schemas === undefined) this.#queue(call);
    else {
      checkPayloads(events, encoded, schemas).then(
        () => this.#queue(call),
        (error) => call.refuse(error),
      );
    }
    return call.promise;
  }

  async #encode(events: readonly EventToCreate[]): Promise<readonly EncodedEvent[]> {
    const { envelope, schemas } = this.#settings;
    const span = this.#telemetry.startCreate();
    try {
      const encoded = encodeAll(events, envelope, this.#telemetry.attributes(span));
      if (schemas !== undefined) await checkPayloads(events, encoded, schemas);
      this.#telemetry.encoded(span);
      return encoded;
    } catch (error) {
      this.#telemetry.malformed(events.length, span, error);
      throw error;
    }
  }

  #openCall(
    encoded: readonly EncodedEvent[],
    options: CreateOptions | undefined,
    span: CreateSpan | undefined,
  ): Call {
    const { clock } = this.#settings;
    const { signal, timeoutMs = this.#settings.timeoutMs } = options ?? {};
    const call = new Call(encoded, clock.now() + timeoutMs, this.#settled, span);
    this.#open.add(call);
    this.#events += encoded.length;
    this.#bytes += call.bytes;
    this.#telemetry.pending(encoded.length);
    const timedOut = () =>
      call.giveUp(timeoutFailure(timeoutMs, call.lastFailure ?? this.#throttle.reason));
    call.onSettled(clock.schedule(timeoutMs, timedOut));
    if (signal) {
      call.onSettled(this.#signals.add(signal, () => call.giveUp(abortFailure(signal))));
    }
    return call;
  }

  #queue(call: Call): void {
    if (call.isSettled) return;
    const { whenFull, limits } = this.#settings;
    // A call that exceeds the limits by itself is sent when there is no other one.
    const isAlone = this.#events === call.events.length;
    const isFull = this.#events > limits.bufferedEvents || this.#bytes > limits.bufferedBytes;
    if (whenFull === "fail" && isFull && !isAlone) call.giveUp(queueFullFailure(limits));
    else this.#sender.submit(call);
  }

  readonly #settled = (call: Call, error: unknown): void => {
    this.#open.remove(call);
    this.#events -= call.events.length;
    this.#bytes -= call.bytes;
    this.#telemetry.settled(call.events.length, call.accepted, call.span, error);
  };
}

function isList(
  events: EventToCreate | readonly EventToCreate[],
): events is readonly EventToCreate[] {
  return Array.isArray(events);
}
