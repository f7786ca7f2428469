import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AcceptedEvent } from "../event.js";
import type { History } from "../history.js";
import type { EventSubscription } from "../subscriptions/event-subscription.js";
import {
  blobName,
  type DeadLetter,
  type DeadLetterReason,
  deadLetterRecord,
} from "./dead-letter.js";

export interface DeadLettered {
  readonly event: AcceptedEvent;
  readonly reason: DeadLetterReason;
}

/** Takes the events that were given up. */
export class DeadLetterStore {
  constructor(
    private readonly history: History<DeadLetter>,
    private readonly now: () => number,
    /** Where files are written, account by account and container by container. */
    private readonly directory: string | undefined,
    /** Whether the identity that a subscription dead-letters with may write into the container. */
    private readonly mayWrite: (subscription: EventSubscription) => boolean,
  ) {}

  /** Whether the subscription's undeliverable events are kept; without, they are dropped. */
  takes(subscription: EventSubscription): boolean {
    return subscription.settings.deadLetter !== undefined && this.mayWrite(subscription);
  }

  /** Puts events into the subscription's container: one blob, an array. */
  async put(subscription: EventSubscription, entries: readonly DeadLettered[]): Promise<void> {
    const destination = subscription.settings.deadLetter;
    if (!destination || !this.takes(subscription)) return;
    const blob = blobName(subscription.name, this.now(), randomUUID());
    for (const { event, reason } of entries) {
      this.history.add(
        { subscription: subscription.name, event, blob, ...reason },
        event.sizeInBytes,
      );
    }
    if (this.directory === undefined) return;
    const account = destination.storageAccountId?.split("/").at(-1) ?? "local";
    const records = entries.map(({ event, reason }) => deadLetterRecord(event, reason));
    const file = join(this.directory, account, destination.container, blob);
    try {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, `[${records.join(",")}]`);
    } catch (error) {
      // Azure drops what it cannot put into the container; here somebody is to know.
      process.emitWarning(`Dead letters could not be written to ${file}: ${error}`);
    }
  }

  list(): DeadLetter[] {
    return this.history.list();
  }

  /** Forgets them; files stay. */
  clear(): void {
    this.history.clear();
  }
}
