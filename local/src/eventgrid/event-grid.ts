import { LocalCloudError, ServiceError } from "../base/index.js";
import type { Directory } from "../directory/index.js";
import type { Tokens } from "../entra/index.js";
import type { Route } from "../http/index.js";
import { EndpointClient, type Ingress } from "../network/index.js";
import type { Faults, TimerClock } from "../simulation/index.js";
import type { StorageAccount } from "../storage/index.js";
import { Acceptance } from "./acceptance.js";
import { ActivityLog, AttemptHistory } from "./activity.js";
import {
  AttemptSender,
  Counter,
  type DeadLetter,
  DeadLetters,
  DeliveryMetrics,
  type DeliveryProblem,
  type EventObserver,
  EventStages,
  type Journal,
  noJournal,
  PendingEvents,
} from "./delivery/index.js";
import { type Message, Messages } from "./destinations/index.js";
import { type AcceptedEvent, BoundedHistory, MAX_HISTORY_BYTES } from "./events/index.js";
import {
  type Namespace,
  type NamespaceSubscription,
  Namespaces,
  Routing,
} from "./namespaces/index.js";
import { Redelivery } from "./redelivery.js";
import { Stores } from "./stores.js";
import { SubscriberFactory } from "./subscriber-factory.js";
import {
  type EventSubscription,
  EventSubscriptions,
  type Handshake,
  Handshakes,
} from "./subscriptions/index.js";
import { type Topic, Topics } from "./topics/index.js";

/** Event Grid: topics, namespaces, event subscriptions and subscriberFactory. */
export class EventGrid {
  readonly topics: Topics;
  readonly domains: Topics;
  readonly namespaces: Namespaces;
  readonly eventSubscriptions: EventSubscriptions;
  readonly clock: TimerClock;
  /** Accepts events. */
  readonly acceptance: Acceptance;
  readonly attempts: AttemptHistory;
  readonly activity: ActivityLog;
  readonly metrics: DeliveryMetrics;
  /** Delivers events again. */
  readonly redelivery: Redelivery;
  /** Tells the observers what happens to events. */
  readonly stages: EventStages;
  readonly #running = new Running();
  /** Event subscriptions that are being created or changed. */
  readonly #operations = new Counter();
  readonly #handshakes: BoundedHistory<Handshake>;
  readonly #stores: Stores;
  readonly #deadLetters: DeadLetters;
  readonly #messages: Messages;
  readonly #client: EndpointClient;
  readonly #handshaking: Handshakes;
  readonly #pending: PendingEvents;
  readonly #sender: AttemptSender;
  readonly #journal: Journal;

  /** Builds each part from those before it. */
  constructor(private readonly options: EventGridOptions) {
    const { clock, history, journal = noJournal } = options;
    this.clock = clock;
    this.#journal = journal;
    this.metrics = new DeliveryMetrics(clock);
    this.attempts = new AttemptHistory(history);
    this.activity = new ActivityLog(clock, history, () =>
      options.deadLetters.list().map(({ event }) => event),
    );
    this.#pending = new PendingEvents(options.busy);
    const { metrics, attempts, activity } = this;
    const handshakes = new BoundedHistory<Handshake>(history, MAX_HISTORY_BYTES);
    this.#handshakes = handshakes;
    this.stages = new EventStages([
      journal,
      metrics,
      attempts,
      { handshaken: (handshake) => handshakes.add(handshake, 0) },
      activity,
      options.observer,
      this.#pending,
    ]);
    const { stages } = this;

    this.#stores = new Stores(clock);
    this.#client = new EndpointClient(options.ingress, options.endpointCa);
    const base = {
      ...options,
      journal,
      stages,
      stores: this.#stores,
      client: this.#client,
      running: this.#running,
      newHistory: () => new BoundedHistory<AcceptedEvent>(history, MAX_HISTORY_BYTES),
    };
    const messageHistory = new BoundedHistory<Message>(history, MAX_HISTORY_BYTES);
    this.#messages = new Messages(messageHistory, { ...options, now: () => clock.now() });
    this.#deadLetters = new DeadLetters({ ...base, history: options.deadLetters });
    this.#handshaking = new Handshakes(base);
    this.acceptance = new Acceptance(base);
    const { acceptance } = this;
    const routing = new Routing({ ...base, namespaces: this.#stores.namespaces, acceptance });
    this.#sender = new AttemptSender({ ...base, messages: this.#messages, routing });
    const [deadLetters, sender] = [this.#deadLetters, this.#sender];
    const subscriberFactory = new SubscriberFactory({ ...base, deadLetters, sender });

    const { topics, domains, namespaces, eventSubscriptions: store } = this.#stores;
    const creation = { ...base, subscriberFactory, handshakes: this.#handshaking };
    const [scopes, operations] = [this.#stores, this.#operations];
    this.eventSubscriptions = new EventSubscriptions({ ...creation, store, scopes, operations });
    const { eventSubscriptions } = this;
    const owning = { ...base, eventSubscriptions };
    this.topics = new Topics({ ...owning, kind: "topic", store: topics });
    this.domains = new Topics({ ...owning, kind: "domain", store: domains });
    this.namespaces = new Namespaces({ ...creation, kind: "namespace", store: namespaces });
    this.redelivery = new Redelivery({ ...base, acceptance, activity });
  }

  /** The topic or domain at the path of an endpoint. */
  topicAt(path: string): Topic | undefined {
    return this.topics.atPath(path) ?? this.domains.atPath(path);
  }

  /** Number of events that are not yet delivered, dead-lettered or dropped. */
  get pending(): number {
    return this.#pending.backlog.count;
  }

  /**
   * Resolves when every event is delivered, dead-lettered or dropped, and every handshake has ended.
   *
   * @param withinMs real milliseconds
   * @throws LocalCloudError `ERR_NOT_DRAINED` if it takes longer
   */
  async drain(withinMs?: number): Promise<void> {
    const started = performance.now();
    const { backlog } = this.#pending;
    const operations = this.#operations;
    while (backlog.count + operations.count > 0) {
      const left = withinMs === undefined ? undefined : started + withinMs - performance.now();
      if (left !== undefined && left <= 0) throw this.#notDrained(withinMs);
      // A needless step would expire what waits in the queues of namespaces.
      const isMoved = await this.clock.step(() => backlog.count + operations.count > 0);
      if (!isMoved) await Promise.all([backlog.zero(left), operations.zero(left)]);
    }
  }

  /** Handshakes that have ended, and then those that wait for a person. */
  handshakes(): Handshake[] {
    return [...this.#handshakes.list(), ...this.#handshaking.awaitingManualAction()];
  }

  #notDrained(withinMs = 0): LocalCloudError {
    const { count } = this.#pending.backlog;
    if (count === 0) {
      const [first] = this.#handshaking.awaitingManualAction();
      const what = first
        ? `'${first.subscription}' waits for its validation URL to be opened`
        : "an event subscription is still being created";
      return new LocalCloudError("ERR_NOT_DRAINED", `After ${withinMs} ms ${what}.`);
    }
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
    for (const subscriber of this.#stores.subscribers()) subscriber.forgetToken();
  }

  /** Clears histories and pending subscriberFactory; topics and subscriptions stay. */
  async reset(): Promise<void> {
    for (const subscriber of this.#stores.subscribers()) subscriber.clear();
    this.#sender.end();
    await this.options.busy.zero();
    const topics = [
      ...this.topics.list(),
      ...this.domains.list(),
      ...this.#stores.namespaceTopics(),
    ];
    for (const topic of topics) topic.history.clear();
    this.#handshakes.clear();
    this.attempts.clear();
    this.activity.clear();
    this.metrics.clear();
    this.#deadLetters.clear();
    this.#messages.clear();
  }

  /** Routes for webhooks: validation URLs. */
  routes(): Route[] {
    return [this.#handshaking.route()];
  }

  stop(): void {
    this.#running.stop();
    this.#handshaking.stop();
    this.eventSubscriptions.deleteWithin("/");
    for (const { id } of this.namespaces.list()) this.namespaces.delete(id);
    this.#sender.end();
    this.clock.clear();
    this.#client.close();
  }
}

class Running {
  #stopped = false;

  stop(): void {
    this.#stopped = true;
  }

  /** @throws LocalCloudError `ERR_STOPPED` */
  check(): void {
    if (!this.#stopped) return;
    throw new LocalCloudError(
      "ERR_STOPPED",
      "This local Azure is closed. Start another one with LocalCloud.start().",
    );
  }
}

export interface EventGridOptions {
  readonly subscriptionId: string;
  readonly subscriptionIds: readonly string[];
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
  /** Why dead letters cannot be written to their container; `undefined` if they can. */
  readonly deadLetterProblem: (subscription: EventSubscription) => string | undefined;
  /** Why the subscription may not send to its destination; `undefined` if it may. */
  readonly deliveryProblem: (subscription: EventSubscription) => DeliveryProblem | undefined;
  /** Finds the body of a resource that Resource Manager stores. */
  readonly storedBody: (id: string) => object | undefined;
  /** Maximum number of entries of each history. */
  readonly history: number;
  readonly onAwaitingManualAction: ((subscription: EventSubscription) => void) | undefined;
  /** Learns what happens to events. */
  readonly observer: EventObserver;
  /** @default nothing is kept beyond the process */
  readonly journal: Journal | undefined;
  readonly namespaceDeadLetterProblem: (subscription: NamespaceSubscription) => string | undefined;
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
