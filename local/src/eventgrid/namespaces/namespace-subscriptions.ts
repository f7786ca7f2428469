import { invalidRequest, ResourceStore, serviceError } from "../../base/index.js";
import type { Subscriber } from "../subscriber.js";
import {
  checkExpiration,
  type Properties,
  type WebhookSubscription,
} from "../subscriptions/index.js";
import {
  isReady,
  NamespaceSubscription,
  type NamespaceSubscriptionContent,
  pushSubscription,
} from "./namespace-subscription.js";
import {
  checkNewNamespaceSubscription,
  type NamespaceSubscriptionSettings,
  type NewNamespaceSubscription,
  nameProblems,
  propertiesOf,
  settingsOf,
} from "./settings.js";

/** The parts of the cloud that subscriptions use. */
export interface SubscriptionServices {
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly clock: { now(): number };
  readonly running: { check(): void };
  readonly subscriberFactory: {
    byNamespaceSubscription(subscription: NamespaceSubscription): Subscriber;
  };
  /** Asks the webhook of a subscription for its consent. Rejects with a ServiceError. */
  readonly handshakes: { ofNamespace(subscription: WebhookSubscription): Promise<void> };
}

export interface SubscriptionWrite {
  readonly subscription: NamespaceSubscription;
  /** Missing for a queue, which is ready at once. Rejects with a ServiceError if the webhook refuses. */
  readonly completed?: Promise<NamespaceSubscription>;
}

/** The event subscriptions to one namespace topic. */
export class NamespaceSubscriptions {
  readonly #all = new ResourceStore<NamespaceSubscription>();

  /** @internal */
  constructor(
    private readonly topic: { readonly id: string; readonly eventRetentionInDays: number },
    private readonly services: SubscriptionServices,
  ) {}

  /**
   * Creates a subscription: a queue, or with an `endpointUrl` a webhook that has to consent.
   *
   * @throws ServiceError if the name is taken, a setting is invalid or the webhook refuses
   * @throws LocalCloudError `ERR_OPTIONS` for a setting that is unknown or of the wrong type
   */
  async create(props: NewNamespaceSubscription): Promise<NamespaceSubscription> {
    checkNewNamespaceSubscription(props);
    const existing = this.get(props.name);
    if (existing && existing.provisioningState !== "CreateFailed") {
      throw serviceError.ResourceAlreadyExists(
        `The event subscription '${existing.id}' already exists. Delete it first, or change it with put() or Resource Manager.`,
      );
    }
    return this.put(props);
  }

  /**
   * Creates or changes a subscription. Its events stay.
   *
   * @throws ServiceError and LocalCloudError as `create`
   */
  async put(props: NewNamespaceSubscription): Promise<NamespaceSubscription> {
    checkNewNamespaceSubscription(props);
    const properties = propertiesOf(props, this.services.subscriptionId);
    const { subscription, completed } = this.write(props.name, properties);
    await completed;
    return subscription;
  }

  /**
   * @internal As `put`, from the properties that Resource Manager stores.
   *
   * @param check throws to refuse the settings
   */
  write(
    name: string,
    properties: Properties,
    check: (settings: NamespaceSubscriptionSettings) => void = () => {},
  ): SubscriptionWrite {
    this.services.running.check();
    const content = this.#checked(name, properties);
    check(content.settings);
    const existing = this.get(name);
    if (existing && existing.settings.deliveryMode !== content.settings.deliveryMode) {
      throw invalidRequest(
        `The delivery mode of '${name}' cannot be changed from ${existing.settings.deliveryMode} to ${content.settings.deliveryMode}. Create another event subscription.`,
      );
    }
    if (content.settings.deliveryMode === "Queue") {
      return { subscription: this.#put(name, { ...content, provisioningState: "Succeeded" }) };
    }
    const before = existing?.content;
    const isNew = before === undefined || before.provisioningState === "CreateFailed";
    const subscription = isNew
      ? this.#put(name, { ...content, provisioningState: "Creating" })
      : this.#put(name, { ...before, provisioningState: "Updating" });
    const completed = this.#complete(subscription, content, isNew ? undefined : before);
    // Callers that poll do not await it: a rejection must not end the process.
    completed.catch(() => {});
    return { subscription, completed };
  }

  get(name: string): NamespaceSubscription | undefined {
    return this.#all.get(`${this.topic.id}/eventSubscriptions/${name}`);
  }

  list(): NamespaceSubscription[] {
    return this.#all.list();
  }

  /** Drops the events of the subscription. `false` if it does not exist. */
  delete(name: string): boolean {
    const subscription = this.get(name);
    if (!subscription) return false;
    subscription.subscriber.close();
    return this.#all.delete(subscription.id);
  }

  /** @internal */
  snapshot() {
    return this.list().map(({ name, properties, provisioningState }) => ({
      name,
      properties,
      provisioningState,
    }));
  }

  /** @internal Restores subscriptions without a handshake. */
  restore(subscriptions: ReturnType<NamespaceSubscriptions["snapshot"]>): void {
    for (const { name, properties, provisioningState } of subscriptions) {
      const settings = settingsOf(properties, this.#defaults);
      // An operation that the end of the process interrupted has failed.
      const state = isReady(provisioningState) ? "Succeeded" : "CreateFailed";
      this.#put(name, { properties, settings, provisioningState: state });
    }
  }

  get #defaults() {
    const { eventRetentionInDays } = this.topic;
    return { tenantId: this.services.tenantId, eventRetentionInDays };
  }

  #checked(
    name: string,
    properties: Properties,
  ): Omit<NamespaceSubscriptionContent, "provisioningState"> {
    const problems = [...nameProblems("Event subscription", name)];
    if (problems.length > 0) throw invalidRequest(problems.join(" "));
    const settings = settingsOf(properties, this.#defaults);
    checkExpiration(settings, this.services.clock);
    return { properties, settings };
  }

  #put(name: string, content: NamespaceSubscriptionContent): NamespaceSubscription {
    const existing = this.get(name);
    if (existing) {
      existing.content = content;
      existing.subscriber.settingsChanged();
      return existing;
    }
    const subscription = new NamespaceSubscription(
      this.topic.id,
      name,
      content,
      this.services.subscriberFactory,
    );
    this.#all.put(subscription);
    subscription.subscriber.settingsChanged();
    return subscription;
  }

  async #complete(
    subscription: NamespaceSubscription,
    content: Omit<NamespaceSubscriptionContent, "provisioningState">,
    before: NamespaceSubscriptionContent | undefined,
  ): Promise<NamespaceSubscription> {
    const { id, name, topicId } = subscription;
    const wanted = pushSubscription({ id, name, topicId, settings: content.settings });
    try {
      await this.services.handshakes.ofNamespace(wanted);
    } catch (error) {
      subscription.content = before ?? { ...content, provisioningState: "CreateFailed" };
      throw error;
    }
    subscription.content = { ...content, provisioningState: "Succeeded" };
    subscription.subscriber.settingsChanged();
    return subscription;
  }
}
