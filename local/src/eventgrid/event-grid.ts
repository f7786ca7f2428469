import { LocalCloudError, ServiceError } from "../base/index.js";
import type { Directory } from "../directory/index.js";
import type { Tokens } from "../entra/index.js";
import { EndpointClient, type Ingress } from "../network/index.js";
import type { Faults, TimerClock } from "../simulation/index.js";
import {
  type DeadLetter,
  DeadLetters,
  type DeliveryAttempt,
  DeliveryQueue,
  DeliveryTokens,
  Dispatch,
} from "./delivery/index.js";
import { type AcceptedEvent, Counter, History } from "./events/index.js";
import {
  checkWebhookApplication,
  type EventSubscription,
  EventSubscriptions,
  type Handshake,
  handshakeError,
  shakeHands,
  withoutQuery,
} from "./subscriptions/index.js";
import {
  type SystemEventOptions,
  type SystemEventType,
  systemEvent,
} from "./system-events/index.js";
import { type PublishedEvent, type Topic, Topics } from "./topics/index.js";

export interface EventGridOptions {
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly directory: Directory;
  readonly tokens: Tokens;
  readonly ingress: Ingress;
  readonly faults: Faults;
  readonly random: () => number;
  /** Creates the clock, which waits for `settle` before it moves. */
  readonly clock: (settle: () => Promise<void>) => TimerClock;
  /** The wall clock. */
  readonly now: () => number;
  readonly origin: () => string;
  /** Certificates to trust for webhooks outside the ingress table, in addition to public ones. */
  readonly endpointCa: readonly string[];
  readonly deadLetterDirectory: string | undefined;
  /** Whether the subscription's identity may write to the dead-letter container. */
  readonly mayDeadLetter: (subscription: EventSubscription) => boolean;
  /** Maximum number of entries of each history. */
  readonly history: number;
  readonly onHandshake: ((handshake: Handshake) => void) | undefined;
  readonly onDelivery: ((attempt: DeliveryAttempt) => void) | undefined;
  /** How long a stepped clock waits for responses in flight, in real milliseconds. */
  readonly stepTimeoutMs: number;
}

const MAX_HISTORY_BYTES = 64 * 1024 * 1024;

/** Event Grid: topics, event subscriptions and deliveries. */
export class EventGrid {
  readonly topics: Topics;
  readonly eventSubscriptions: EventSubscriptions;
  readonly clock: TimerClock;
  readonly handshakes: History<Handshake>;
  readonly attempts: History<DeliveryAttempt>;
  readonly #deadLetters: DeadLetters;
  readonly #client: EndpointClient;
  readonly #backlog = new Counter();
  readonly #busy = new Counter();
  readonly #dispatch: Dispatch;
  #stopped = false;

  constructor(private readonly options: EventGridOptions) {
    const history = <Entry>(onAdd?: (entry: Entry) => void) =>
      new History<Entry>(options.history, MAX_HISTORY_BYTES, onAdd);
    this.clock = options.clock(() => this.#busy.zero(options.stepTimeoutMs));
    this.handshakes = history(options.onHandshake);
    this.attempts = history(options.onDelivery);
    this.#client = new EndpointClient(options.ingress, options.endpointCa);
    this.#dispatch = new Dispatch({
      clock: this.clock,
      client: this.#client,
      faults: options.faults,
      busy: this.#busy,
    });
    this.#deadLetters = new DeadLetters(
      history<DeadLetter>(),
      () => this.clock.now(),
      options.deadLetterDirectory,
      options.mayDeadLetter,
    );
    this.topics = new Topics({
      ...options,
      checkRunning: () => this.#checkRunning(),
      newHistory: () => history<AcceptedEvent>(),
      onDelete: (topic) => this.#deleteSubscriptionsAt(topic.id),
    });
    this.eventSubscriptions = new EventSubscriptions({
      ...options,
      checkRunning: () => this.#checkRunning(),
      checkScopeExists: (scope) => this.#checkScopeExists(scope),
      checkApplication: (subscription) => checkWebhookApplication(subscription, options.directory),
      shakeHands: (subscription) => this.#shakeHands(subscription),
      newDeliverer: (subscription) => this.#newQueue(subscription),
    });
  }

  /** Accepts published events and offers them to the topic's subscriptions. */
  accept(topic: Topic, events: readonly PublishedEvent[]): void {
    const deliverers = this.eventSubscriptions.deliverersAt(topic.id);
    for (const { event, content } of events) {
      topic.remember(event);
      for (const deliverer of deliverers) deliverer.offer(event, content);
    }
  }

  /** Simulates an event of an Azure service for subscriptions at its scope and above. */
  emit(type: SystemEventType, options: SystemEventOptions): AcceptedEvent {
    this.#checkRunning();
    const { subscriptionId } = this.options;
    const { event, content } = systemEvent(type, options, {
      subscriptionId,
      now: this.clock.now(),
    });
    for (const deliverer of this.eventSubscriptions.deliverersAtOrAbove(event.source)) {
      deliverer.offer(event, content);
    }
    return event;
  }

  /**
   * Resolves when every event is delivered, dead-lettered or dropped.
   *
   * @param withinMs real milliseconds
   * @throws LocalCloudError `ERR_NOT_DRAINED` if it takes longer
   */
  async drain(withinMs?: number): Promise<void> {
    const started = performance.now();
    while (this.#backlog.count > 0) {
      const left = withinMs === undefined ? undefined : started + withinMs - performance.now();
      if (left !== undefined && left <= 0) throw this.#notDrained(withinMs);
      if (!(await this.clock.step())) await this.#backlog.zero(left);
    }
  }

  #notDrained(withinMs = 0): LocalCloudError {
    const { count } = this.#backlog;
    const failed = this.attempts.list().findLast(({ outcome }) => outcome === "retrying");
    const last = failed
      ? ` The last failed attempt was for '${failed.subscription}': ${failed.status ?? failed.error}.`
      : "";
    return new LocalCloudError(
      "ERR_NOT_DRAINED",
      `After ${withinMs} ms ${count} ${count === 1 ? "event is" : "events are"} not delivered yet.${last}`,
    );
  }

  deadLetters(): DeadLetter[] {
    return this.#deadLetters.list();
  }

  /** Makes the next delivery fetch a new token. */
  forgetTokens(): void {
    for (const deliverer of this.eventSubscriptions.deliverers()) deliverer.forgetToken();
  }

  /** Clears histories and pending deliveries; topics and subscriptions stay. */
  async reset(): Promise<void> {
    for (const deliverer of this.eventSubscriptions.deliverers()) deliverer.clear();
    this.#dispatch.end();
    await this.#busy.zero();
    for (const topic of this.topics.list()) topic.forgetEvents();
    this.handshakes.clear();
    this.attempts.clear();
    this.#deadLetters.clear();
  }

  stop(): void {
    this.#stopped = true;
    this.#deleteSubscriptionsAt();
    this.#dispatch.end();
    this.clock.clear();
    this.#client.close();
  }

  #checkRunning(): void {
    if (!this.#stopped) return;
    throw new LocalCloudError(
      "ERR_STOPPED",
      "This local Azure is stopped. Start another one with LocalCloud.start().",
    );
  }

  #deleteSubscriptionsAt(atScope?: string): void {
    for (const { scope, name } of this.eventSubscriptions.list(atScope)) {
      this.eventSubscriptions.delete(scope, name);
    }
  }

  #newQueue(subscription: () => EventSubscription): DeliveryQueue {
    const { faults, random, tokens, now } = this.options;
    return new DeliveryQueue(subscription, new DeliveryTokens(tokens, now), {
      clock: this.clock,
      backlog: this.#backlog,
      busy: this.#busy,
      attempts: this.attempts,
      deadLetters: this.#deadLetters,
      dispatch: this.#dispatch,
      copies: () => (faults.isDuplicated(subscription().name) ? 2 : 1),
      pick: (inLine) => (faults.isReordering ? Math.floor(random() * inLine) : 0),
    });
  }

  async #shakeHands(subscription: EventSubscription): Promise<void> {
    const url = subscription.settings.endpointUrl;
    const handshake = await shakeHands(this.#client, url);
    const at = this.clock.now();
    const { name } = subscription;
    this.handshakes.add({ subscription: name, url: withoutQuery(url), at, ...handshake }, 0);
    if (handshake.reason !== undefined) throw handshakeError(url, handshake.reason);
  }

  /** Only topics must exist; other resources are not known here. */
  #checkScopeExists(scope: string): void {
    const isTopic = /\/providers\/microsoft\.eventgrid\/topics\/[^/]+$/i.test(scope);
    if (!isTopic || this.topics.get(scope)) return;
    throw new ServiceError(
      404,
      "ResourceNotFound",
      `The Resource '${scope}' was not found. Create the topic first.`,
    );
  }
}
