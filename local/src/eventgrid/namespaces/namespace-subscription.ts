import { LocalCloudError } from "../../base/index.js";
import type { Subscriber } from "../subscriber.js";
import { noTarget, type Properties, type WebhookSubscription } from "../subscriptions/index.js";
import type {
  LockResult,
  QueueCounts,
  QueueEntry,
  ReceivedEvent,
  ReceiveOptions,
} from "./locks.js";
import { QueueSubscriber } from "./queue-subscriber.js";
import type { NamespaceSubscriptionSettings } from "./settings.js";

export type NamespaceSubscriptionState =
  | "Creating"
  | "Updating"
  | "Succeeded"
  /** The webhook refused. */
  | "CreateFailed";

/** Whether a subscription in this state gets events. */
export function isReady(state: NamespaceSubscriptionState): boolean {
  return state === "Succeeded" || state === "Updating";
}

/** The part of a subscription that a PUT or PATCH sets. */
export interface NamespaceSubscriptionContent {
  readonly provisioningState: NamespaceSubscriptionState;
  /** The stored properties, as Resource Manager writes them, with their secrets. */
  readonly properties: Properties;
  /** The same properties, parsed. */
  readonly settings: NamespaceSubscriptionSettings;
}

/** An event subscription to a namespace topic: a queue, or a webhook that events are pushed to. */
export class NamespaceSubscription {
  /** The resource ID. */
  readonly id: string;

  /** @internal */
  constructor(
    /** Resource ID of the namespace topic. */
    readonly topicId: string,
    readonly name: string,
    /** @internal */
    public content: NamespaceSubscriptionContent,
    subscriberFactory: { byNamespaceSubscription(subscription: NamespaceSubscription): Subscriber },
  ) {
    this.id = `${topicId}/eventSubscriptions/${name}`;
    this.subscriber = subscriberFactory.byNamespaceSubscription(this);
  }

  /** @internal */
  readonly subscriber: Subscriber;

  get provisioningState(): NamespaceSubscriptionState {
    return this.content.provisioningState;
  }

  get properties(): Properties {
    return this.content.properties;
  }

  get settings(): NamespaceSubscriptionSettings {
    return this.content.settings;
  }

  /** @internal `undefined` if events are pushed */
  get queue(): QueueSubscriber | undefined {
    return this.subscriber instanceof QueueSubscriber ? this.subscriber : undefined;
  }

  /** The numbers of events, also of those that were settled. `undefined` if events are pushed. */
  get counts(): QueueCounts | undefined {
    return this.queue?.counts;
  }

  /** @internal The oldest events of the queue, at most this many. */
  entries(most: number): QueueEntry[] {
    return this.#queue.entries(most);
  }

  /**
   * Locks events as a receiver does, as soon as there is one: perhaps fewer than were asked for.
   *
   * @throws LocalCloudError `ERR_NO_QUEUE` if events are pushed, as the methods below
   */
  receive(options?: ReceiveOptions): Promise<ReceivedEvent[]> {
    return this.#queue.receive(options);
  }

  /** Settles events for good. */
  acknowledge(lockTokens: readonly string[]): LockResult {
    return this.#queue.acknowledge(lockTokens);
  }

  /** Makes events available to receivers again, after a delay in milliseconds. */
  release(lockTokens: readonly string[], delayMs = 0): LockResult {
    return this.#queue.release(lockTokens, delayMs);
  }

  /** Dead-letters events, or drops them. */
  reject(lockTokens: readonly string[]): LockResult {
    return this.#queue.reject(lockTokens);
  }

  /** Locks events for the whole duration again. */
  renewLocks(lockTokens: readonly string[]): LockResult {
    return this.#queue.renewLocks(lockTokens);
  }

  get #queue(): QueueSubscriber {
    if (this.queue) return this.queue;
    throw new LocalCloudError(
      "ERR_NO_QUEUE",
      `The events of '${this.name}' are pushed to a webhook. Create a subscription without an endpointUrl to receive them.`,
    );
  }
}

/** Of a queue, which has none. */
const NO_WEBHOOK = { ...noTarget, endpointUrl: "", tenantId: "" };

/** A subscription whose events are pushed, as the delivery to webhooks sees it. */
export function pushSubscription({
  id,
  name,
  topicId,
  settings,
}: Pick<NamespaceSubscription, "id" | "name" | "topicId" | "settings">): WebhookSubscription {
  const { filter, deadLetter, expiresAt, maxDeliveryCount, eventTimeToLiveInMinutes } = settings;
  const { webhook = NO_WEBHOOK } = settings;
  return {
    id,
    name,
    scope: topicId,
    provisioningState: "Succeeded",
    properties: {},
    settings: {
      ...webhook,
      destination: undefined,
      deliverySchema: "CloudEventSchemaV1_0",
      filter,
      retryPolicy: { maxDeliveryAttempts: maxDeliveryCount, eventTimeToLiveInMinutes },
      deadLetter,
      expiresAt,
      labels: [],
    },
  };
}
