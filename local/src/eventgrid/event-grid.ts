import type { TimerClock } from "../clock/index.js";
import type { Directory } from "../directory/index.js";
import type { Tokens } from "../entra/index.js";
import { LocalCloudError, ServiceError } from "../errors.js";
import type { Faults } from "../faults.js";
import type { Ingress } from "../ingress.js";
import type { DeadLetter } from "./delivery/dead-letter.js";
import { DeadLetterStore } from "./delivery/dead-letter-store.js";
import type { DeliveryAttempt } from "./delivery/delivery-attempt.js";
import { DeliveryQueue } from "./delivery/delivery-queue.js";
import { DeliveryTokens } from "./delivery/delivery-tokens.js";
import { Dispatch } from "./delivery/dispatch.js";
import { EndpointClient } from "./delivery/endpoint-client.js";
import type { AcceptedEvent } from "./event.js";
import { History } from "./history.js";
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
} from "./system-events/system-events.js";
import { Tally } from "./tally.js";
import { type PublishedEvent, type Topic, Topics } from "./topics/index.js";

export interface EventGridOptions {
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly directory: Directory;
  readonly tokens: Tokens;
  readonly ingress: Ingress;
  readonly faults: Faults;
  readonly random: () => number;
  /** The clock, which waits for `settled` before it moves. */
  readonly clock: (settled: () => Promise<void>) => TimerClock;
  /** The wall's clock. */
  readonly now: () => number;
  readonly origin: () => string;
  /** Certificates that webhooks outside the ingress table may have, beside the public ones. */
  readonly endpointCa: readonly string[];
  readonly deadLetterDirectory: string | undefined;
  /** Whether the identity that a subscription dead-letters with may write into the container. */
  readonly mayDeadLetter: (subscription: EventSubscription) => boolean;
  /** How many deliveries, events and so on are kept to be looked at. */
  readonly history: number;
  readonly onHandshake: ((handshake: Handshake) => void) | undefined;
  readonly onDelivery: ((attempt: DeliveryAttempt) => void) | undefined;
  /** How long a stepped clock waits for answers under way, in real milliseconds. */
  readonly stepPatienceMs: number;
}

const MOST_BYTES = 64 * 1024 * 1024;

/** Event Grid: topics, event subscriptions and what goes from one to the other. */
export class EventGrid {
  readonly topics: Topics;
  readonly eventSubscriptions: EventSubscriptions;
  readonly clock: TimerClock;
  readonly handshakes: History<Handshake>;
  readonly attempts: History<DeliveryAttempt>;
  readonly #deadLetters: DeadLetterStore;
  readonly #client: EndpointClient;
  readonly #backlog = new Tally();
  readonly #busy = new Tally();
  readonly #dispatch: Dispatch;
  #stopped = false;

  constructor(private readonly options: EventGridOptions) {
    const history = <Entry>(onAdd?: (entry: Entry) => void) =>
      new History<Entry>(options.history, MOST_BYTES, onAdd);
    this.clock = options.clock(() => this.#busy.zero(options.stepPatienceMs));
    this.handshakes = history(options.onHandshake);
    this.attempts = history(options.onDelivery);
    this.#client = new EndpointClient(options.ingress, options.endpointCa);
    this.#dispatch = new Dispatch({
      clock: this.clock,
      client: this.#client,
      faults: options.faults,
      busy: this.#busy,
    });
    this.#deadLetters = new DeadLetterStore(
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
      newQueue: (subscription) => this.#newQueue(subscription),
    });
  }

  /** Takes published events in and hands them to the topic's subscriptions. */
  accept(topic: Topic, events: readonly PublishedEvent[]): void {
    const queues = this.eventSubscriptions.queuesAt(topic.id);
    for (const { event, content } of events) {
      topic.remember(event);
      for (const queue of queues) queue.offer(event, content);
    }
  }

  /** Hands an event of one of Azure's services to the subscriptions at its scope and above. */
  emit(type: SystemEventType, options: SystemEventOptions): AcceptedEvent {
    this.#checkRunning();
    const { subscriptionId } = this.options;
    const { event, content } = systemEvent(type, options, {
      subscriptionId,
      now: this.clock.now(),
    });
    for (const queue of this.eventSubscriptions.queuesAtOrAbove(event.source)) {
      queue.offer(event, content);
    }
    return event;
  }

  /**
   * Resolves when every event is delivered, dead-lettered or dropped.
   *
   * @param withinMs real milliseconds
   * @throws LocalCloudError `ERR_NOT_DRAINED` when it takes longer
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
      ? ` The last attempt that failed was for '${failed.subscription}': ${failed.status ?? failed.error}.`
      : "";
    return new LocalCloudError(
      "ERR_NOT_DRAINED",
      `After ${withinMs} ms ${count} ${count === 1 ? "event is" : "events are"} still to be delivered.${last}`,
    );
  }

  deadLetters(): DeadLetter[] {
    return this.#deadLetters.list();
  }

  /** Makes the next delivery fetch a token anew. */
  forgetTokens(): void {
    for (const queue of this.eventSubscriptions.queues()) queue.forgetToken();
  }

  /** Forgets what happened and what is on its way, not what was set up. */
  async reset(): Promise<void> {
    for (const queue of this.eventSubscriptions.queues()) queue.clear();
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

  /** What is made in a cloud that is stopped would be served by nobody. */
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

  /** Other resources are not known here; a topic is. */
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
