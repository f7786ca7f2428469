import * as v from "valibot";
import { fields, number, text } from "../../base/index.js";
import { type AccessKeys, KeyOwner, newAccessKeys } from "../credentials.js";
import type { AcceptedEvent, BoundedHistory } from "../events/index.js";
import type { Deliverer } from "../subscriptions/index.js";
import {
  type NamespaceSubscriptionSnapshot,
  NamespaceSubscriptions,
  type SubscriptionServices,
} from "./namespace-subscriptions.js";
import { namespaceSubscriptionSchema } from "./settings.js";

/** Settings of a new topic of a namespace. */
export interface NewNamespaceTopic {
  /** 3 to 50 letters, digits and hyphens. */
  readonly name: string;
  /** Days for which events are kept at most: 1–7. @default 7 */
  readonly eventRetentionInDays?: number | undefined;
  /** The first key. @default a random one */
  readonly accessKey?: string | undefined;
}

const topicFields = {
  name: text,
  eventRetentionInDays: v.optional(number),
  accessKey: v.optional(text),
};

export const newNamespaceTopic = fields(topicFields);

/** Schema of a topic of a namespace in a configuration file. */
export const namespaceTopicSchema = fields({
  ...topicFields,
  eventSubscriptions: v.optional(v.array(namespaceSubscriptionSchema)),
});

export interface NamespaceTopicSnapshot {
  readonly name: string;
  readonly eventRetentionInDays: number;
  readonly keys: AccessKeys;
  readonly subscriptions: readonly NamespaceSubscriptionSnapshot[];
}

export interface TopicServices extends SubscriptionServices {
  readonly newHistory: () => BoundedHistory<AcceptedEvent>;
}

export const DEFAULT_RETENTION_DAYS = 7;

/** A topic of a namespace. */
export class NamespaceTopic extends KeyOwner {
  /** The resource ID. */
  readonly id: string;
  readonly name: string;
  /** Event subscriptions: queues, and webhooks that events are pushed to. */
  readonly subscriptions: NamespaceSubscriptions;
  /** Days for which events are kept at most. */
  eventRetentionInDays: number;
  readonly #history: BoundedHistory<AcceptedEvent>;

  /** @internal */
  constructor(
    props: NewNamespaceTopic,
    namespaceId: string,
    services: TopicServices,
    keys: AccessKeys = newAccessKeys(props.accessKey),
  ) {
    super(keys);
    const { name, eventRetentionInDays = DEFAULT_RETENTION_DAYS } = props;
    this.id = `${namespaceId}/topics/${name}`;
    this.name = name;
    this.eventRetentionInDays = eventRetentionInDays;
    this.subscriptions = new NamespaceSubscriptions(this, services);
    this.#history = services.newHistory();
  }

  /** The accepted events as receivers get them, oldest first, limited by the cloud's `history`. */
  events(): AcceptedEvent[] {
    return this.#history.list();
  }

  /** @internal */
  deliverers(): Deliverer[] {
    return this.subscriptions.list().flatMap(({ provisioningState, deliverer }) => {
      const isReady = provisioningState === "Succeeded" || provisioningState === "Updating";
      return isReady ? [deliverer] : [];
    });
  }

  /** @internal */
  snapshot(): NamespaceTopicSnapshot {
    const { name, eventRetentionInDays } = this;
    const subscriptions = this.subscriptions.snapshot();
    return { name, eventRetentionInDays, keys: this.keys(), subscriptions };
  }

  /** @internal */
  remember(event: AcceptedEvent): void {
    this.#history.add(event, event.sizeInBytes);
  }

  /** @internal */
  forgetEvents(): void {
    this.#history.clear();
  }
}
