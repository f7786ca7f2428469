import { isWithin, LocalCloudError, ServiceError } from "../base/index.js";
import type { Route } from "../http/index.js";
import { EndpointClient } from "../network/index.js";
import type { TimerClock } from "../simulation/index.js";
import { Acceptance } from "./acceptance.js";
import { ActivityLog } from "./activity.js";
import {
  basicPolicy,
  type DeadLetter,
  DeadLetters,
  type DeliveryAttempt,
  DeliveryMetrics,
  DeliveryQueue,
  type DeliveryServices,
  DeliveryTokens,
  Dispatch,
  type Journal,
  KeptExchanges,
  namespacePolicy,
  noJournal,
  type PendingDelivery,
} from "./delivery/index.js";
import { type Message, Messages } from "./destinations/index.js";
import type { EventGridOptions } from "./event-grid-options.js";
import { type AcceptedEvent, BoundedHistory, Counter, MAX_HISTORY_BYTES } from "./events/index.js";
import { deliveryFailures, publishFailure } from "./failure.js";
import { Handshakes } from "./handshakes.js";
import {
  checkTopicExists,
  EventQueue,
  type NamespaceSubscription,
  Namespaces,
  namespaceDeadLetters,
  pushSubscription,
  route,
} from "./namespaces/index.js";
import { RecordedEvents } from "./recorded-events.js";
import { Redelivery } from "./redelivery.js";
import { Scopes } from "./scopes.js";
import {
  checkFunctionApp,
  checkWebhookApplication,
  type Deliverer,
  type EventSubscription,
  EventSubscriptions,
  type Handshake,
} from "./subscriptions/index.js";
import { type PublishError, type Topic, Topics } from "./topics/index.js";

/** Event Grid: topics, namespaces, event subscriptions and deliveries. */
export class EventGrid {
  readonly topics: Topics;
  readonly domains: Topics;
  readonly namespaces: Namespaces;
  readonly eventSubscriptions: EventSubscriptions;
  readonly clock: TimerClock;
  /** Accepts events. */
  readonly acceptance: Acceptance;
  readonly attempts: BoundedHistory<DeliveryAttempt>;
  readonly activity: ActivityLog;
  readonly metrics: DeliveryMetrics;
  /** Delivers accepted events again. */
  readonly redelivery: Redelivery;
  /** Accepts events of a recording. */
  readonly recorded: RecordedEvents;
  readonly #deadLetters: DeadLetters;
  readonly #messages: Messages;
  readonly #client: EndpointClient;
  readonly #scopes: Scopes;
  readonly #handshakes: Handshakes;
  readonly #backlog = new Counter();
  readonly #dispatch: Dispatch;
  readonly #journal: Journal;
  readonly #keptExchanges = new KeptExchanges();
  #stopped = false;

  constructor(private readonly options: EventGridOptions) {
    this.#journal = options.journal ?? noJournal;
    const history = <Entry>(onAdd?: (entry: Entry) => void) =>
      new BoundedHistory<Entry>(options.history, MAX_HISTORY_BYTES, onAdd);
    this.clock = options.clock;
    this.activity = new ActivityLog(() => this.clock.now(), options.history, MAX_HISTORY_BYTES);
    this.metrics = new DeliveryMetrics(() => this.clock.now());
    this.attempts = history((attempt) => {
      this.activity.add({ kind: "delivery", attempt }, 0);
      this.#keptExchanges.add(attempt);
      options.onDelivery?.(attempt);
      for (const failure of deliveryFailures(attempt)) options.onFailure(failure);
    });
    this.#client = new EndpointClient(options.ingress, options.endpointCa);
    this.#handshakes = new Handshakes(
      { ...options, client: this.#client },
      history((handshake) => {
        this.activity.add({ kind: "handshake", handshake }, 0);
        options.onHandshake?.(handshake);
      }),
    );
    this.#messages = new Messages(history<Message>(), {
      ...options,
      now: () => this.clock.now(),
    });
    this.#dispatch = new Dispatch({
      clock: this.clock,
      client: this.#client,
      messages: this.#messages,
      route: (topicId, json) =>
        route(topicId, json, {
          namespaces: this.namespaces,
          now: this.clock.now(),
          accept: (topic, events) => this.acceptance.acceptInNamespace(topic, events, "routed"),
        }),
      faults: options.faults,
      busy: options.busy,
    });
    this.#deadLetters = new DeadLetters(
      options.deadLetters,
      () => this.clock.now(),
      options.deadLetterDirectory,
      options.storage,
      options.mayDeadLetter,
      this.#journal,
    );
    const topics = {
      ...options,
      checkRunning: () => this.#checkRunning(),
      newHistory: () => history<AcceptedEvent>(),
      onCreate: options.onTopic,
      onDelete: (topic: Topic) => this.#deleteSubscriptionsWithin(topic.id),
    };
    this.topics = new Topics({ ...topics, collection: "topics" });
    this.domains = new Topics({ ...topics, collection: "domains" });
    this.#scopes = new Scopes({
      topics: this.topics,
      domains: this.domains,
      hasSubscriptions: (scope) => this.eventSubscriptions.list(scope).length > 0,
    });
    this.eventSubscriptions = new EventSubscriptions({
      ...options,
      checkRunning: () => this.#checkRunning(),
      checkScopeExists: (scope) => this.#scopes.checkExists(scope),
      checkDestination: (subscription) => {
        checkWebhookApplication(subscription, options.directory);
        checkFunctionApp(subscription, options.ingress);
        checkTopicExists(subscription, this.namespaces);
      },
      onWrite: (scope) => this.#scopes.createDomainTopic(scope),
      onDelete: (scope) => this.#scopes.deleteDomainTopic(scope),
      inputSchemaOf: (scope) => this.topicOf(scope)?.inputSchema,
      sendHandshake: (subscription, onAwaitingManualAction) =>
        this.#handshakes.ofSubscription(subscription, onAwaitingManualAction),
      newDeliverer: (subscription) => this.#newQueue(subscription),
    });
    this.namespaces = new Namespaces({
      ...options,
      checkRunning: () => this.#checkRunning(),
      newHistory: () => history<AcceptedEvent>(),
      onCreate: options.onTopic,
      newDeliverer: (subscription) => this.#newNamespaceDeliverer(subscription),
      handshake: (subscription) => this.#handshakes.ofNamespace(pushSubscription(subscription)),
    });
    this.acceptance = new Acceptance({
      subscriptionId: options.subscriptionId,
      now: () => this.clock.now(),
      checkRunning: () => this.#checkRunning(),
      eventSubscriptions: this.eventSubscriptions,
      activity: this.activity,
      journal: this.#journal,
      beforeAccepted: () => options.beforeAccepted(this.#acceptingResources()),
    });
    this.redelivery = new Redelivery({
      activity: this.activity,
      topicIdOf: (scope) => (this.topicOf(scope) ?? this.namespaces.topic(scope))?.id,
      deliverers: () => this.#deliverers(),
      journal: this.#journal,
    });
    this.recorded = new RecordedEvents({
      now: () => this.clock.now(),
      checkRunning: () => this.#checkRunning(),
      eventSubscriptions: this.eventSubscriptions,
      redelivery: this.redelivery,
      topicAt: (id) => this.topicOf(id) ?? this.namespaces.topic(id),
      acceptance: this.acceptance,
    });
  }

  get handshakes(): BoundedHistory<Handshake> {
    return this.#handshakes.history;
  }

  /** The topic or domain whose events a scope has, which may be a domain's topic. */
  topicOf(scope: string): Topic | undefined {
    return this.#scopes.topicOf(scope);
  }

  /** The topic or domain at the path of an endpoint. */
  topicAt(path: string): Topic | undefined {
    return this.topics.atPath(path) ?? this.domains.atPath(path);
  }

  /** Counts a request to a topic. The events of one that was refused may not have been read. */
  published(topic: Topic, outcome: number | PublishError): void {
    if (typeof outcome === "number") {
      this.metrics.add(topic.id, "PublishSuccessCount", outcome);
      return;
    }
    this.metrics.add(topic.id, "PublishFailCount", 1);
    this.options.onFailure(publishFailure(topic, outcome, this.clock.now()));
  }

  /**
   * Continues the deliveries of an earlier process.
   *
   * @returns those whose event subscriptions do not exist
   */
  restore(
    pending: readonly PendingDelivery[],
    deadLetters: readonly DeadLetter[],
  ): PendingDelivery[] {
    this.#deadLetters.restore(deadLetters);
    return this.redelivery.restore(pending);
  }

  /** Number of events that are not yet delivered, dead-lettered or dropped. */
  get pending(): number {
    return this.#backlog.count;
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
      // A needless step would expire what waits in the queues of namespaces.
      const isMoved = await this.clock.step(() => this.#backlog.count > 0);
      if (!isMoved) await this.#backlog.zero(left);
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

  /** Resolves when every delivery is answered or waits for its retry, or after real milliseconds. */
  async settled(timeoutMs?: number): Promise<void> {
    await this.options.busy.zero(timeoutMs);
  }

  deadLetters(): DeadLetter[] {
    return this.#deadLetters.list();
  }

  messages(): Message[] {
    return this.#messages.list();
  }

  /** Writes what operations on locks have changed. The journal repeats a write that fails. */
  saveLocks(): void {
    try {
      this.#journal.flush();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
    }
  }

  /** Makes the next delivery fetch a new token. */
  forgetTokens(): void {
    for (const deliverer of this.#deliverers()) deliverer.forgetToken();
  }

  /** Clears histories and pending deliveries; topics and subscriptions stay. */
  async reset(): Promise<void> {
    for (const deliverer of this.#deliverers()) deliverer.clear();
    this.#dispatch.end();
    await this.options.busy.zero();
    const topics = [...this.topics.list(), ...this.domains.list(), ...this.namespaces.topics()];
    for (const topic of topics) topic.forgetEvents();
    this.handshakes.clear();
    this.attempts.clear();
    this.#keptExchanges.clear();
    this.activity.clear();
    this.metrics.clear();
    this.#deadLetters.clear();
    this.#messages.clear();
  }

  /** Routes for webhooks: validation URLs. */
  routes(): Route[] {
    return [this.#handshakes.route()];
  }

  stop(): void {
    this.#stopped = true;
    this.#handshakes.stop();
    this.#deleteSubscriptionsWithin("/");
    for (const { id } of this.namespaces.list()) this.namespaces.delete(id);
    this.#dispatch.end();
    this.clock.clear();
    this.#client.close();
  }

  #checkRunning(): void {
    if (!this.#stopped) return;
    throw new LocalCloudError(
      "ERR_STOPPED",
      "This local Azure is closed. Start another one with LocalCloud.start().",
    );
  }

  #deleteSubscriptionsWithin(id: string): void {
    for (const { scope, name } of this.eventSubscriptions.all()) {
      if (isWithin(scope, id)) this.eventSubscriptions.delete(scope, name);
    }
  }

  #acceptingResources(): object[] {
    return [
      ...this.topics.list(),
      ...this.domains.list(),
      ...this.eventSubscriptions.all(),
      ...this.namespaces.topics(),
      ...this.namespaces.subscriptions().map(({ content }) => content),
    ];
  }

  #deliverers(): Deliverer[] {
    return [...this.eventSubscriptions.deliverers(), ...this.namespaces.deliverers()];
  }

  #newNamespaceDeliverer(subscription: NamespaceSubscription): Deliverer {
    const { faults, busy, mayDeadLetterFromNamespace } = this.options;
    const deadLetters = namespaceDeadLetters(
      subscription,
      this.#deadLetters,
      mayDeadLetterFromNamespace,
    );
    if (subscription.settings.deliveryMode === "Push") {
      return this.#newQueue(() => pushSubscription(subscription), {
        policy: namespacePolicy,
        deadLetters: {
          takes: () => deadLetters.takes(),
          put: (_, events) => deadLetters.put(events),
        },
      });
    }
    return new EventQueue(() => subscription, {
      clock: this.clock,
      journal: this.#journal,
      copies: () => (faults.isDuplicated(subscription.name) ? 2 : 1),
      deadLetter: (event, reason) => {
        if (!deadLetters.takes()) return false;
        busy.add(1);
        void deadLetters.put([{ event, reason }]).finally(() => busy.add(-1));
        return true;
      },
    });
  }

  #newQueue(
    subscription: () => EventSubscription,
    { policy, deadLetters }: Pick<DeliveryServices, "policy" | "deadLetters"> = {
      policy: basicPolicy,
      deadLetters: this.#deadLetters,
    },
  ): DeliveryQueue {
    const { faults, random, tokens, now } = this.options;
    return new DeliveryQueue(subscription, new DeliveryTokens(tokens, now), {
      policy,
      clock: this.clock,
      backlog: this.#backlog,
      busy: this.options.busy,
      attempts: this.attempts,
      metrics: this.metrics,
      deadLetters,
      dispatch: this.#dispatch,
      journal: this.#journal,
      copies: () => (faults.isDuplicated(subscription().name) ? 2 : 1),
      pick: (inLine) => (faults.isReordering ? Math.floor(random() * inLine) : 0),
    });
  }
}
