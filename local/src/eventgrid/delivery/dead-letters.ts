import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import type { StorageAccount } from "../../storage/index.js";
import {
  type AcceptedEvent,
  type BoundedHistory,
  type DeliverySchema,
  deliveredJson,
} from "../events/index.js";
import type { DeadLetterDestination, EventSubscription } from "../subscriptions/index.js";

/** Why an event could not be delivered, with the field names of Event Grid's blobs. */
export interface DeadLetterReason {
  readonly deadletterreason: string;
  readonly deliveryattempts: number;
  readonly lastdeliveryoutcome: string;
  /** ISO 8601. */
  readonly publishtime: string;
  /** ISO 8601. Missing for an event without an attempt, whose time to live passed before. */
  readonly lastdeliveryattempttime?: string;
}

/** @param at milliseconds since 1970; 0 without an attempt */
export function lastAttemptIn(at: number): Pick<DeadLetterReason, "lastdeliveryattempttime"> {
  return at === 0 ? {} : { lastdeliveryattempttime: new Date(at).toISOString() };
}

/** An undeliverable event in its subscription's dead-letter container. */
export interface DeadLetter extends DeadLetterReason {
  /** Name of the event subscription. */
  readonly subscription: string;
  readonly event: AcceptedEvent;
  /** Name of the blob in the container. */
  readonly blob: string;
}

/** Where and how the dead letters of a subscription are written. */
export interface DeadLetterTarget {
  /** Name of the event subscription. */
  readonly subscription: string;
  readonly destination: DeadLetterDestination;
  /** Folder in the container, in which there are folders by time. */
  readonly folder: string;
  readonly recordOf: (undeliverable: UndeliverableEvent) => string;
}

export interface UndeliverableEvent {
  readonly event: AcceptedEvent;
  readonly reason: DeadLetterReason;
}

/** Records dead letters, so that they survive the process. */
export interface DeadLetterJournal {
  deadLettered(deadLetter: DeadLetter): void;
  deadLettersCleared(): void;
}

/** Stores undeliverable events. */
export class DeadLetters {
  constructor(
    private readonly services: {
      readonly history: BoundedHistory<DeadLetter>;
      readonly clock: { now(): number };
      /** Where to write files: a folder per account, in it a folder per container. */
      readonly deadLetterDirectory: string | undefined;
      /** Where to write blobs. */
      readonly storage: StorageAccount | undefined;
      /** Whether the subscription's identity may write to the container. */
      readonly mayDeadLetter: (subscription: EventSubscription) => boolean;
      readonly journal: DeadLetterJournal;
    },
  ) {}

  /** Whether undeliverable events of the subscription are stored instead of dropped. */
  takes(subscription: EventSubscription): boolean {
    return (
      subscription.settings.deadLetter !== undefined && this.services.mayDeadLetter(subscription)
    );
  }

  /** Writes events to the subscription's container: one blob with a JSON array. */
  async put(subscription: EventSubscription, events: readonly UndeliverableEvent[]): Promise<void> {
    const { name, settings } = subscription;
    const { deadLetter: destination, deliverySchema } = settings;
    if (!destination || !this.takes(subscription)) return;
    const target: DeadLetterTarget = {
      subscription: name,
      destination,
      folder: name.toUpperCase(),
      recordOf: (undeliverable) => recordOf(undeliverable, deliverySchema),
    };
    await this.write(target, events);
  }

  /** Writes events to a container: one blob with a JSON array. */
  async write(target: DeadLetterTarget, events: readonly UndeliverableEvent[]): Promise<void> {
    const { subscription, destination } = target;
    const blob = blobName(target.folder, this.services.clock.now(), randomUUID());
    for (const { event, reason } of events) {
      const deadLetter = { subscription, event, blob, ...reason };
      this.services.history.add(deadLetter, event.sizeInBytes);
      this.services.journal.deadLettered(deadLetter);
    }
    const content = `[${events.map(target.recordOf).join(",")}]`;
    await Promise.all([
      this.#writeFile(destination, blob, content),
      this.#writeBlob(destination, blob, content),
    ]);
  }

  async #writeFile(
    { container, storageAccountId }: DeadLetterDestination,
    blob: string,
    content: string,
  ): Promise<void> {
    const { deadLetterDirectory } = this.services;
    if (deadLetterDirectory === undefined) return;
    const account = storageAccountId?.split("/").at(-1) ?? "local";
    const root = resolve(deadLetterDirectory);
    const file = join(root, account, container, blob);
    try {
      // Names are checked when a subscription is created, but a restored state may contain any.
      if (!file.startsWith(`${root}${sep}`)) throw new Error("the path is outside the directory");
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
    } catch (error) {
      warn(file, error);
    }
  }

  async #writeBlob(
    { container }: DeadLetterDestination,
    blob: string,
    content: string,
  ): Promise<void> {
    const { storage } = this.services;
    if (!storage) return;
    try {
      const { url, status, body } = await storage.putBlob(container, blob, content);
      if (status !== 201) warn(url, `${status} ${body}`);
    } catch (error) {
      warn(`the container ${container}`, error instanceof Error ? (error.cause ?? error) : error);
    }
  }

  list(): DeadLetter[] {
    return this.services.history.list();
  }

  /** Adds dead letters of an earlier process. */
  restore(deadLetters: readonly DeadLetter[]): void {
    for (const each of deadLetters) this.services.history.add(each, each.event.sizeInBytes);
  }

  /** Clears the history; files stay. */
  clear(): void {
    this.services.history.clear();
    this.services.journal.deadLettersCleared();
  }
}

/** Azure drops the events; a developer wants to know why. */
function warn(place: string, problem: unknown): void {
  process.emitWarning(`Dead letters could not be written to ${place}: ${problem}`);
}

/**
 * The event in the delivery schema, or in the Event Grid schema where that is the custom one, with
 * the reason's fields appended.
 *
 * @see https://learn.microsoft.com/azure/event-grid/delivery-and-retry#delivery-event-formats
 */
function recordOf({ event, reason }: UndeliverableEvent, deliverySchema: DeliverySchema): string {
  const schema = deliverySchema === "CustomInputSchema" ? "EventGridSchema" : deliverySchema;
  const json = deliveredJson(event, schema);
  const fields = Object.entries(reason).map(
    ([name, value]) => `${JSON.stringify(fieldName(schema, name))}:${JSON.stringify(value)}`,
  );
  return `${json.slice(0, json.lastIndexOf("}"))},${fields.join(",")}}`;
}

/** Attributes of CloudEvents are in lower case; other schemas have Azure's camel case. */
function fieldName(schema: DeliverySchema, name: string): string {
  return schema === "CloudEventSchemaV1_0" ? name : (CAMEL_CASE[name] ?? name);
}

const CAMEL_CASE: Readonly<Record<string, string>> = {
  deadletterreason: "deadLetterReason",
  deliveryattempts: "deliveryAttempts",
  lastdeliveryoutcome: "lastDeliveryOutcome",
  publishtime: "publishTime",
  lastdeliveryattempttime: "lastDeliveryAttemptTime",
};

/** `FOLDER/2026/1/31/7/<uuid>.json`: numbers without leading zeros. */
function blobName(folder: string, at: number, id: string): string {
  const date = new Date(at);
  const segments = [
    folder,
    date.getUTCFullYear(),
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    `${id}.json`,
  ];
  return segments.join("/");
}
