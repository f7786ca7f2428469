import type { StorageAccount } from "../../storage/index.js";
import type { AcceptedEvent, BoundedHistory } from "../events/index.js";
import { destinationId, type EventDestination, timeToLiveOf } from "./destination.js";

/** A message that Event Grid sent to a queue, a Service Bus topic or an event hub. */
export interface Message {
  /** Name of the event subscription. */
  readonly subscription: string;
  /** Resource ID of the event subscription. */
  readonly subscriptionId: string;
  readonly destinationType: EventDestination["endpointType"];
  /** Resource ID of the queue, topic or event hub, or the action groups of an alert. */
  readonly destination: string;
  readonly event: AcceptedEvent;
  /** The event as JSON in the delivery schema. Storage queues carry it in Base64. */
  readonly body: string;
  /** Properties of the message, delivery properties included. Storage queues have none. */
  readonly properties: Readonly<Record<string, string>>;
  /** Milliseconds since 1970, on the cloud's clock. */
  readonly at: number;
}

export type NewMessage = Omit<Message, "destinationType" | "destination" | "at">;

export interface MessageResponse {
  readonly status: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Keeps messages, and sends those for storage queues to a real storage account if there is one. */
export class Messages {
  constructor(
    private readonly history: BoundedHistory<Message>,
    private readonly options: {
      readonly now: () => number;
      readonly subscriptionId: string;
      readonly storage: StorageAccount | undefined;
    },
  ) {}

  /** Rejects if the storage account does not respond. */
  async send(
    destination: EventDestination,
    message: NewMessage,
    signal: AbortSignal,
  ): Promise<MessageResponse> {
    const { now, storage } = this.options;
    const { endpointType, properties } = destination;
    const id = destinationId(destination);
    const answer =
      endpointType === "StorageQueue" && storage
        ? await storage.putMessage(
            String(properties.queueName),
            message.body,
            timeToLiveOf(properties),
            signal,
          )
        : { status: 201, url: id, headers: {}, body: "" };
    if (answer.status === 201) {
      const stored = { ...message, destinationType: endpointType, destination: id, at: now() };
      this.history.add(stored, message.event.sizeInBytes);
    }
    return answer;
  }

  list(): Message[] {
    return this.history.list();
  }

  clear(): void {
    this.history.clear();
  }
}
