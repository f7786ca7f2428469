import { LocalCloudError, ServiceError, scopeAndAbove } from "../base/index.js";
import type { Acceptance } from "./acceptance.js";
import { refusalOf } from "./data-plane-error.js";
import { type AcceptedEvent, deliveredJson, type ReadEvent } from "./events/index.js";
import { NamespaceTopic, readRoutedEvent } from "./namespaces/index.js";
import { type Redelivery, scopeOfSubscription } from "./redelivery.js";
import type { Stores } from "./stores.js";
import type { Reach } from "./subscriptions/index.js";
import { type RecordedSchema, readRecordedEvent, type Topic } from "./topics/index.js";

/** Where a recorded event is accepted again. */
export type RecordedTarget =
  | { readonly topic: Topic; readonly domainTopicId?: string | undefined }
  | { readonly topic: NamespaceTopic }
  /** The resource ID of the Azure service that the event comes from. */
  | { readonly resource: string }
  /** Resource ID or name of the only event subscription to deliver to, without regard to its filter. */
  | { readonly subscription: string };

export interface RecordedEvent {
  /** The event to the byte. */
  readonly json: string;
  readonly schema: RecordedSchema;
  /** How many attempts Event Grid had made before the recorded one. */
  readonly deliveryCount: number;
}

interface Offering extends Reach {
  readonly topic: Topic | NamespaceTopic | undefined;
  readonly ignoresFilters?: boolean;
}

/** Accepts events that another Event Grid accepted before. They keep their source, id and time. */
export class RecordedEvents {
  constructor(
    private readonly eventGrid: {
      readonly clock: { now(): number };
      readonly running: { check(): void };
      readonly stores: Stores;
      readonly redelivery: Redelivery;
      readonly acceptance: Acceptance;
    },
  ) {}

  /**
   * @throws LocalCloudError `ERR_EVENT` if the target cannot accept the event
   * @throws ServiceError if the subscription is unknown, or the event cannot be stored
   */
  accept(recorded: RecordedEvent, target: RecordedTarget): AcceptedEvent {
    const { running, clock, acceptance } = this.eventGrid;
    running.check();
    const { topic, deliverers, unready, ignoresFilters } = this.#offeringTo(target);
    const read = readRecordedEvent(recorded, topic?.id ?? "", clock.now());
    const accepted =
      topic instanceof NamespaceTopic && !ignoresFilters
        ? inNamespace(read.event, clock.now())
        : read;
    acceptance.offer([{ ...accepted, deliverers, unready }], topic, "replayed", {
      deliveryCount: recorded.deliveryCount,
      ignoresFilters,
    });
    return accepted.event;
  }

  #offeringTo(target: RecordedTarget): Offering {
    const { redelivery, stores } = this.eventGrid;
    const { eventSubscriptions } = stores;
    if ("subscription" in target) {
      const [deliverer, other] = redelivery.deliverersOf(target.subscription);
      if (other || !deliverer) {
        throw new ServiceError(
          409,
          "Conflict",
          `Several event subscriptions have the name '${target.subscription}'. Use the resource ID, for example ${other?.subscription.id}`,
        );
      }
      const topic = stores.topicAt(scopeOfSubscription(deliverer.subscription.id));
      return { topic, deliverers: [deliverer], unready: [], ignoresFilters: true };
    }
    if ("resource" in target) {
      const reach = eventSubscriptions.reach(scopeAndAbove(target.resource));
      return { topic: undefined, ...reach };
    }
    const { topic, domainTopicId } = { domainTopicId: undefined, ...target };
    return { topic, ...stores.reachOf(topic, domainTopicId) };
  }
}

/** A namespace takes CloudEvents only, and writes them anew. */
function inNamespace(event: AcceptedEvent, now: number): ReadEvent {
  try {
    return readRoutedEvent(deliveredJson(event, "CloudEventSchemaV1_0"), now);
  } catch (error) {
    throw new LocalCloudError("ERR_EVENT", refusalOf(error).message);
  }
}
