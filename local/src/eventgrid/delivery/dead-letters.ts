import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { createDirectory } from "../../base/index.js";
import type { StorageAccount } from "../../storage/index.js";
import type { DeadLetterDestination } from "../destinations/index.js";
import {
  type AcceptedEvent,
  type BoundedHistory,
  type DeliveryProgress,
  type DeliverySchema,
  deliveredJson,
} from "../events/index.js";
import type { SubscriptionDeadLetters } from "../subscriber.js";
import type { EventSubscription } from "../subscriptions/index.js";

/**
 * An undeliverable event in its subscription's dead-letter container. The fields in lower case have
 * the names of Event Grid's blobs, and say why it could not be delivered.
 */
export interface DeadLetter {
  /** Name of the event subscription. */
  readonly subscription: string;
  readonly event: AcceptedEvent;
  /** Name of the blob in the container. */
  readonly blob: string;
  readonly deadletterreason: string;
  readonly deliveryattempts: number;
  readonly lastdeliveryoutcome: string;
  /** ISO 8601. */
  readonly publishtime: string;
  /** ISO 8601. Missing for an event without an attempt, whose time to live passed before. */
  readonly lastdeliveryattempttime?: string;
}

/** Where and how the dead letters of a subscription are written. */
export interface DeadLetterTarget {
  /** Name of the event subscription. */
  readonly subscription: string;
  /** `undefined` if there is no container: events are dropped. */
  readonly destination: () => DeadLetterDestination | undefined;
  /** Why the container cannot take events now: they are dropped. */
  readonly problem: () => string | undefined;
  /** Folder in the container, in which there are folders by time. */
  readonly folder: string;
  /** The words for a reason. @default the name of the reason */
  readonly reasonOf?: (reason: string) => string;
  /** The JSON of an event in the blob. */
  readonly recordOf: (deadLetter: DeadLetter) => string;
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
      readonly storage: Pick<StorageAccount, "putBlob"> | undefined;
      readonly stages: {
        report(stage: "deadLettered", deadLetter: DeadLetter): void;
        report(stage: "deadLettersCleared"): void;
      };
    },
  ) {}

  of(target: DeadLetterTarget): SubscriptionDeadLetters {
    return {
      takes: () => target.destination() !== undefined && target.problem() === undefined,
      problem: () => (target.destination() ? target.problem() : undefined),
      put: (events, reason, progress) => this.#put(target, events, reason, progress),
    };
  }

  async #put(
    { subscription, destination, problem, folder, recordOf, reasonOf = String }: DeadLetterTarget,
    events: readonly AcceptedEvent[],
    reason: string,
    { attempts, lastOutcome, lastAttemptAt }: Omit<DeliveryProgress, "nextAttemptAt">,
  ): Promise<void> {
    const place = destination();
    if (!place || problem() !== undefined) return;
    const { history, clock, stages } = this.services;
    const blob = blobName(folder, clock.now(), randomUUID());
    const deadLetters = events.map(
      (event): DeadLetter => ({
        subscription,
        event,
        blob,
        deadletterreason: reasonOf(reason),
        deliveryattempts: attempts,
        lastdeliveryoutcome: lastOutcome,
        publishtime: new Date(event.publishedAt).toISOString(),
        ...(lastAttemptAt !== 0 && {
          lastdeliveryattempttime: new Date(lastAttemptAt).toISOString(),
        }),
      }),
    );
    for (const deadLetter of deadLetters) {
      history.add(deadLetter, deadLetter.event.sizeInBytes);
      stages.report("deadLettered", deadLetter);
    }
    const content = `[${deadLetters.map(recordOf).join(",")}]`;
    await Promise.all([
      this.#writeFile(place, blob, content),
      this.#writeBlob(place, blob, content),
    ]);
  }

  async #writeFile(
    { properties }: DeadLetterDestination,
    blob: string,
    content: string,
  ): Promise<void> {
    const { deadLetterDirectory } = this.services;
    if (deadLetterDirectory === undefined) return;
    const account = properties.resourceId?.split("/").at(-1) ?? "local";
    const root = resolve(deadLetterDirectory);
    const file = join(root, account, properties.blobContainerName, blob);
    try {
      // Names are checked when a subscription is created, but a restored state may contain any.
      if (!file.startsWith(`${root}${sep}`)) throw new Error("the path is outside the directory");
      createDirectory(dirname(file));
      await writeFile(file, content);
    } catch (error) {
      warn(file, error);
    }
  }

  async #writeBlob(
    { properties: { blobContainerName: container } }: DeadLetterDestination,
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

  /** Clears the history; files stay. */
  clear(): void {
    this.services.history.clear();
    this.services.stages.report("deadLettersCleared");
  }
}

/** Azure drops the events; a developer wants to know why. */
function warn(place: string, problem: unknown): void {
  process.emitWarning(`Dead letters could not be written to ${place}: ${problem}`);
}

/**
 * The dead letters of topics, domains and system topics.
 *
 * @param problem why the container cannot take them
 */
export function basicDeadLetters(
  current: { readonly subscription: EventSubscription },
  problem: (subscription: EventSubscription) => string | undefined,
): DeadLetterTarget {
  const { name } = current.subscription;
  return {
    subscription: name,
    destination: () => current.subscription.settings.deadLetter,
    problem: () => problem(current.subscription),
    folder: name.toUpperCase(),
    recordOf: (deadLetter) => recordOf(deadLetter, current.subscription.settings.deliverySchema),
  };
}

/**
 * The event in the delivery schema, or in the Event Grid schema where that is the custom one, with
 * the reason's fields appended.
 *
 * @see https://learn.microsoft.com/azure/event-grid/delivery-and-retry#delivery-event-formats
 */
function recordOf(deadLetter: DeadLetter, deliverySchema: DeliverySchema): string {
  const { event, subscription: _, blob: __, ...reason } = deadLetter;
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
