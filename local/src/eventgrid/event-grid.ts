import { isWithin, LocalCloudError, objectAt, ServiceError, scopeAndAbove } from "../base/index.js";
import type { Directory } from "../directory/index.js";
import type { Tokens } from "../entra/index.js";
import type { Route } from "../http/index.js";
import { EndpointClient, type Ingress } from "../network/index.js";
import type { Faults, TimerClock } from "../simulation/index.js";
import type { StorageAccount } from "../storage/index.js";
import { ActivityLog, type EventOrigin } from "./activity.js";
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
import {
  type AcceptedEvent,
  BoundedHistory,
  Counter,
  type EventContent,
  MAX_HISTORY_BYTES,
  type UnreadySubscription,
} from "./events/index.js";
import {
  checkTopicExists,
  EventQueue,
  type Namespace,
  type NamespaceEvent,
  type NamespaceSubscription,
  Namespaces,
  type NamespaceTopic,
  namespaceDeadLetters,
  pushSubscription,
  route,
} from "./namespaces/index.js";
import { RecordedEvents } from "./recorded-events.js";
import { Redelivery } from "./redelivery.js";
import {
  checkFunctionApp,
  checkWebhookApplication,
  type Deliverer,
  type EventSubscription,
  EventSubscriptions,
  type Handshake,
  handshakeError,
  isWebhookSubscription,
  ManualValidations,
  REQUESTED_RATE,
  sendHandshake,
  type WebhookSubscription,
  withoutQuery,
} from "./subscriptions/index.js";
import {
  acceptedServiceEvent,
  type RaisedEvent,
  raisedContent,
  type SystemEventOptions,
  systemEvent,
} from "./system-events/index.js";
import {
  domainTopicNameOf,
  type PublishedEvent,
  type Topic,
  Topics,
  topicIdOf,
} from "./topics/index.js";

export interface EventGridOptions {
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly directory: Directory;
  readonly tokens: Tokens;
  readonly ingress: Ingress;
  readonly faults: Faults;
  readonly random: () => number;
  readonly clock: TimerClock;
  /** Events that are being sent. A stepped clock waits for them before it moves. */
  readonly busy: Counter;
  /** The wall clock. */
  readonly now: () => number;
  readonly origin: string;
  /** Certificates to trust for webhooks outside the ingress table, in addition to public ones. */
  readonly endpointCa: readonly string[];
  readonly deadLetterDirectory: string | undefined;
  /** The storage account that stands for all, for dead letters and queues. */
  readonly storage: StorageAccount | undefined;
  /** Whether the subscription's identity may write to the dead-letter container. */
  readonly mayDeadLetter: (subscription: EventSubscription) => boolean;
  /** Maximum number of entries of each history. */
  readonly history: number;
  readonly onHandshake: ((handshake: Handshake) => void) | undefined;
  readonly onAwaitingManualAction: ((subscription: EventSubscription) => void) | undefined;
  readonly onDelivery: ((attempt: DeliveryAttempt) => void) | undefined;
  /** @default nothing is kept beyond the process */
  readonly journal: Journal | undefined;
  /** Whether the namespace's identity may write to the dead-letter container of a subscription. */
  readonly mayDeadLetterFromNamespace: (subscription: NamespaceSubscription) => boolean;
  /** Called with a topic, domain or namespace that was created. */
  readonly onTopic: (topic: Topic | Namespace) => void;
  /** Where dead letters are listed. */
  readonly deadLetters: BoundedHistory<DeadLetter>;
  /**
   * Called before events are accepted, with all topics, domains and event subscriptions. It may
   * throw to refuse the events.
   */
  readonly beforeAccepted: (resources: readonly object[]) => void;
}

/** An event with the subscriptions that may get it. */
interface OfferedEvent extends NamespaceEvent {
  readonly deliverers: readonly Deliverer[];
  readonly unready: readonly UnreadySubscription[];
}

interface OfferOptions {
  readonly deliveryCount?: number | undefined;
  readonly ignoresFilters?: boolean | undefined;
}

/** Event Grid: topics, namespaces, event subscriptions and deliveries. */
export class EventGrid {
  readonly topics: Topics;
  readonly domains: Topics;
  readonly namespaces: Namespaces;
  readonly eventSubscriptions: EventSubscriptions;
  readonly clock: TimerClock;
  readonly handshakes: BoundedHistory<Handshake>;
  readonly attempts: BoundedHistory<DeliveryAttempt>;
  /** The activity log. */
  readonly activity: ActivityLog;
  readonly metrics: DeliveryMetrics;
  /** Delivers accepted events again. */
  readonly redelivery: Redelivery;
  /** Accepts events of a recording. */
  readonly recorded: RecordedEvents;
  readonly #deadLetters: DeadLetters;
  readonly #messages: Messages;
  readonly #client: EndpointClient;
  readonly #validations: ManualValidations;
  readonly #backlog = new Counter();
  readonly #dispatch: Dispatch;
  readonly #journal: Journal;
  readonly #keptExchanges = new KeptExchanges();
  /** Of the latest event of an Azure service. */
  #sequence = 0;
  #stopped = false;

  constructor(private readonly options: EventGridOptions) {
    this.#journal = options.journal ?? noJournal;
    const history = <Entry>(onAdd?: (entry: Entry) => void) =>
      new BoundedHistory<Entry>(options.history, MAX_HISTORY_BYTES, onAdd);
    this.clock = options.clock;
    this.activity = new ActivityLog(() => this.clock.now(), options.history, MAX_HISTORY_BYTES);
    this.metrics = new DeliveryMetrics(() => this.clock.now());
    this.handshakes = history((handshake) => {
      this.activity.add({ kind: "handshake", handshake }, 0);
      options.onHandshake?.(handshake);
    });
    this.attempts = history((attempt) => {
      this.activity.add({ kind: "delivery", attempt }, 0);
      this.#keptExchanges.add(attempt);
      options.onDelivery?.(attempt);
    });
    this.#validations = new ManualValidations(options.origin, this.clock);
    this.#client = new EndpointClient(options.ingress, options.endpointCa);
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
          accept: (topic, events) => this.acceptInNamespace(topic, events, "routed"),
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
    this.eventSubscriptions = new EventSubscriptions({
      ...options,
      checkRunning: () => this.#checkRunning(),
      checkScopeExists: (scope) => this.#checkScopeExists(scope),
      checkDestination: (subscription) => {
        checkWebhookApplication(subscription, options.directory);
        checkFunctionApp(subscription, options.ingress);
        checkTopicExists(subscription, this.namespaces);
      },
      onWrite: (scope) => this.#createDomainTopic(scope),
      onDelete: (scope) => this.#deleteDomainTopic(scope),
      inputSchemaOf: (scope) => this.topicOf(scope)?.inputSchema,
      sendHandshake: (subscription, onAwaitingManualAction) =>
        this.#sendHandshake(subscription, onAwaitingManualAction),
      newDeliverer: (subscription) => this.#newQueue(subscription),
    });
    this.namespaces = new Namespaces({
      ...options,
      checkRunning: () => this.#checkRunning(),
      newHistory: () => history<AcceptedEvent>(),
      onCreate: options.onTopic,
      newDeliverer: (subscription) => this.#newNamespaceDeliverer(subscription),
      handshake: (subscription) => this.#namespaceHandshake(pushSubscription(subscription)),
    });
    this.redelivery = new Redelivery({
      activity: this.activity,
      topicName: (id) => (this.topics.get(id) ?? this.namespaces.topic(id))?.name,
      deliverers: () => this.#deliverers(),
      journal: this.#journal,
    });
    this.recorded = new RecordedEvents({
      now: () => this.clock.now(),
      checkRunning: () => this.#checkRunning(),
      eventSubscriptions: this.eventSubscriptions,
      redelivery: this.redelivery,
      topicAt: (id) => this.topicOf(id) ?? this.namespaces.topic(id),
      offer: (event, { topic, deliverers, scopes, ignoresFilters }, origin, deliveryCount) =>
        this.#offer([{ ...event, deliverers, unready: this.#unreadyAt(scopes) }], topic, origin, {
          deliveryCount,
          ignoresFilters,
        }),
    });
  }

  /** The topic or domain whose events a scope has, which may be a domain's topic. */
  topicOf(scope: string): Topic | undefined {
    return this.topics.get(scope) ?? this.domains.get(topicIdOf(scope));
  }

  /** The topic or domain at the path of an endpoint. */
  topicAt(path: string): Topic | undefined {
    return this.topics.atPath(path) ?? this.domains.atPath(path);
  }

  /**
   * Accepts published events and offers them to the subscriptions of the topic or domain.
   *
   * @throws ServiceError 503 if they cannot be stored. None of them is delivered then.
   */
  accept(topic: Topic, events: readonly PublishedEvent[]): void {
    const deliverers = this.eventSubscriptions.deliverersAt(topic.id);
    const unready = this.#unreadyAt([topic.id]);
    const offered = events.map(({ event, content, domainTopicId }) => {
      if (domainTopicId === undefined) return { event, content, deliverers, unready };
      const own = this.eventSubscriptions.deliverersAt(domainTopicId);
      return {
        event,
        content,
        deliverers: [...deliverers, ...own],
        unready: [...unready, ...this.#unreadyAt([domainTopicId])],
      };
    });
    this.#offer(offered, topic, "published");
  }

  #unreadyAt(scopes: readonly string[]): UnreadySubscription[] {
    return this.eventSubscriptions.unreadyAt(scopes).map(({ id, name, provisioningState }) => ({
      subscriptionId: id,
      subscription: name,
      state: provisioningState,
    }));
  }

  /**
   * Accepts events that were published to a topic of a namespace.
   *
   * @throws ServiceError 503 as `accept`
   */
  acceptInNamespace(
    topic: NamespaceTopic,
    events: readonly NamespaceEvent[],
    origin: EventOrigin = "published",
  ): void {
    const deliverers = topic.deliverers();
    this.#offer(
      events.map(({ event, content }) => ({ event, content, deliverers, unready: [] })),
      topic,
      origin,
    );
  }

  #offer(
    events: readonly OfferedEvent[],
    topic: Topic | NamespaceTopic | undefined,
    origin: EventOrigin,
    { deliveryCount, ignoresFilters }: OfferOptions = {},
  ): void {
    this.options.beforeAccepted([
      ...this.topics.list(),
      ...this.domains.list(),
      ...this.eventSubscriptions.list(),
      ...this.namespaces.topics(),
      ...this.namespaces.subscriptions().map(({ content }) => content),
    ]);
    const offers = events.map(({ event, content, deliverers }) =>
      deliverers.map((deliverer) => {
        if (!ignoresFilters) return deliverer.offer(event, content, deliveryCount);
        deliverer.add(event, deliveryCount);
        const { id: subscriptionId, name: subscription } = deliverer.subscription;
        return { subscriptionId, subscription, filteredBy: undefined };
      }),
    );
    try {
      this.#journal.flush();
    } catch (error) {
      const refused = new Set(events.map(({ event }) => event));
      const deliverers = new Set(events.flatMap((each) => each.deliverers));
      for (const deliverer of deliverers) deliverer.withdraw(refused);
      throw error;
    }
    for (const [index, { event, unready }] of events.entries()) {
      topic?.remember(event);
      this.activity.addEvent({
        event,
        topic: topic?.name,
        origin,
        offers: offers[index] ?? [],
        unready,
      });
    }
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

  /** Simulates an event of an Azure service for subscriptions at its scope and above. */
  emit(type: string, options: SystemEventOptions): AcceptedEvent {
    this.#checkRunning();
    const { event, content } = systemEvent(type, options, this.#nextEvent());
    this.#acceptOfService(event, content, "emitted");
    return event;
  }

  /**
   * Accepts an event that a storage account has raised.
   *
   * @throws ServiceError 503 as `accept`
   */
  raise(raised: RaisedEvent): void {
    this.#checkRunning();
    const next = this.#nextEvent();
    const content = raisedContent(raised, next);
    this.#acceptOfService(acceptedServiceEvent(content, next.now), content, "storage");
  }

  /** Numbers the events of Azure services. Those of an earlier process have smaller numbers. */
  #nextEvent() {
    const { subscriptionId } = this.options;
    const now = this.clock.now();
    this.#sequence = Math.max(this.#sequence + 1, Math.floor(now));
    return { subscriptionId, now, sequence: this.#sequence };
  }

  #acceptOfService(event: AcceptedEvent, content: EventContent, origin: EventOrigin): void {
    const deliverers = this.eventSubscriptions.deliverersAtOrAbove(event.source);
    const unready = this.#unreadyAt(scopeAndAbove(event.source));
    this.#offer([{ event, content, deliverers, unready }], undefined, origin);
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
    return [this.#validations.route()];
  }

  stop(): void {
    this.#stopped = true;
    this.#validations.stop();
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
      "This local Azure is stopped. Start another one with LocalCloud.start().",
    );
  }

  #deleteSubscriptionsWithin(id: string): void {
    for (const { scope, name } of this.eventSubscriptions.list()) {
      if (isWithin(scope, id)) this.eventSubscriptions.delete(scope, name);
    }
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

  async #sendHandshake(
    subscription: EventSubscription,
    onAwaitingManualAction: (validationUrl: string) => void,
  ): Promise<void> {
    // Only webhooks have a handshake.
    if (!isWebhookSubscription(subscription)) return;
    await this.#askWebhook(subscription, onAwaitingManualAction, REQUESTED_RATE);
  }

  /** Namespaces ask for no rate. */
  async #namespaceHandshake(subscription: WebhookSubscription): Promise<void> {
    checkWebhookApplication(subscription, this.options.directory);
    await this.#askWebhook(subscription, () => {});
  }

  async #askWebhook(
    subscription: WebhookSubscription,
    onAwaitingManualAction: (validationUrl: string) => void,
    requestedRate?: number,
  ): Promise<void> {
    const { tokens, now } = this.options;
    const { name, id: subscriptionId, settings } = subscription;
    const outcome = await sendHandshake(subscription, {
      client: this.#client,
      validations: this.#validations,
      ...(requestedRate === undefined ? {} : { requestedRate }),
      authorization: () => new DeliveryTokens(tokens, now).authorization(subscription),
      onAwaitingManualAction,
    });
    const url = withoutQuery(settings.endpointUrl);
    const at = this.clock.now();
    this.handshakes.add({ subscription: name, subscriptionId, url, at, ...outcome }, 0);
    if (outcome.reason !== undefined) throw handshakeError(subscription, outcome.reason);
  }

  /** A domain's topic is created with its first event subscription. */
  #createDomainTopic(scope: string): void {
    const name = domainTopicNameOf(scope);
    if (name !== undefined) this.topicOf(scope)?.addDomainTopic(name);
  }

  /** It is deleted with its last one. */
  #deleteDomainTopic(scope: string): void {
    const name = domainTopicNameOf(scope);
    const domain = this.topicOf(scope);
    if (name === undefined || !domain || isOff(domain, AUTO_DELETE)) return;
    if (this.eventSubscriptions.list(scope).length === 0) domain.deleteDomainTopic(name);
  }

  /** Only topics and domains must exist; other resources are not known here. */
  #checkScopeExists(scope: string): void {
    const isTopic = /\/providers\/microsoft\.eventgrid\/(topics|domains)\/[^/]+$/i;
    const topic = this.topicOf(scope);
    const name = domainTopicNameOf(scope) ?? "";
    const isManaged = name === "" || topic?.hasDomainTopic(name) || !isOff(topic, AUTO_CREATE);
    if (!isTopic.test(topicIdOf(scope)) || (topic && isManaged)) return;
    throw new ServiceError(
      404,
      "ResourceNotFound",
      `The Resource '${scope}' was not found. Create it first.`,
    );
  }
}

/** @see https://learn.microsoft.com/dotnet/api/azure.resourcemanager.eventgrid.eventgriddomaindata */
const AUTO_CREATE = "autoCreateTopicWithFirstSubscription";
const AUTO_DELETE = "autoDeleteTopicWithLastSubscription";

/** Whether a domain's property, which is on by default, is off. */
function isOff(domain: Topic | undefined, property: string): boolean {
  return objectAt(domain?.attributes, "properties")[property] === false;
}
