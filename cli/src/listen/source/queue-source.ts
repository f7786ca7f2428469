import { SECOND_MS } from "cloud-eventgrid-binding-runtime/internal";
import { droppedSince } from "../../azure/index.js";
import { type Account, queueError, reasonOf } from "./account.js";
import { basicFilter, type ReadFilter } from "./filter.js";
import { Refused } from "./rights.js";
import type { Scope } from "./scope.js";
import { type SubscriptionServices, TemporarySubscription } from "./subscription.js";

/** The most messages that a queue hands out at once. */
const MAX_MESSAGES = 32;

/** Seconds after which a queue deletes a message that nobody reads. */
const TIME_TO_LIVE_SECONDS = 86_400;

/** Milliseconds between looks at an empty queue. */
const IDLE_MS = SECOND_MS;

/** An event that the queue hides until it is settled. */
export interface ReceivedEvent {
  /** The same whenever the queue hands the same message out. */
  readonly key: string;
  /** The receipt that settles the message. Each time that it is handed out, it gets another one. */
  readonly receipt: string;
  /** The event as JSON. */
  readonly text: string;
  /** How often the message was handed out, from 1. */
  readonly attempt: number;
}

export interface QueueOptions {
  readonly filter: ReadFilter;
  readonly labels: readonly string[];
  /** Seconds until a message that was handed out appears again. @default 300 */
  readonly visibilitySeconds: number | undefined;
}

/**
 * Events of a scope, which Event Grid sends to a storage queue.
 *
 * Nothing renews the visibility of a message: when it appears again, `receive` returns it with a new
 * receipt, and until then the old one is valid.
 */
export class QueueSource {
  readonly #subscription: TemporarySubscription;
  readonly #startedAt: number;
  #mayExist = false;

  constructor(
    private readonly account: Account,
    scope: Scope,
    private readonly name: string,
    private readonly options: QueueOptions,
    private readonly services: SubscriptionServices,
  ) {
    this.#startedAt = services.now();
    this.#subscription = new TemporarySubscription(
      scope,
      name,
      {
        destination: {
          endpointType: "StorageQueue",
          properties: {
            resourceId: account.id,
            queueName: name,
            queueMessageTimeToLiveInSeconds: TIME_TO_LIVE_SECONDS,
          },
        },
        eventDeliverySchema: "CloudEventSchemaV1_0",
        filter: basicFilter(options.filter),
        labels: options.labels,
      },
      services,
    );
  }

  /** The rows of the summary that the user sees. */
  get rows(): readonly (readonly [name: string, value: string])[] {
    return [
      ["subscription", this.name],
      ["queue", this.#queue.url],
      ["limit", "events above 48 KB are lost: a queue message holds 64 KB, in Base64"],
    ];
  }

  get #queue() {
    return this.account.queues.getQueueClient(this.name);
  }

  /** Creates queue and subscription. @throws {CommandError} when that is refused */
  async open(): Promise<void> {
    this.#mayExist = true;
    await this.#called(this.#queue.create(), "cannot be created", "write").catch((error) => {
      this.#mayExist = !(error instanceof Refused);
      throw error;
    });
    await this.#subscription.write();
  }

  /**
   * The next events; none after a while without any.
   *
   * @throws {Refused} if it will never succeed
   * @throws {CommandError} when Azure cannot be reached
   */
  async receive(signal: AbortSignal): Promise<readonly ReceivedEvent[]> {
    const receiving = this.#queue.receiveMessages({
      numberOfMessages: MAX_MESSAGES,
      visibilityTimeout: this.options.visibilitySeconds ?? 300,
      abortSignal: signal,
    });
    const { receivedMessageItems } = await this.#called(
      receiving,
      "cannot be read",
      "messages/process/action",
    );
    if (receivedMessageItems.length === 0) await this.services.wait(IDLE_MS);
    return receivedMessageItems.map(({ messageId, popReceipt, messageText, dequeueCount }) => ({
      key: messageId,
      receipt: popReceipt,
      text: eventText(messageText),
      attempt: dequeueCount,
    }));
  }

  /** Removes the message. @returns false if it will be handed out again */
  async settle({ key, receipt }: ReceivedEvent): Promise<boolean> {
    try {
      await this.#queue.deleteMessage(key, receipt);
      return true;
    } catch {
      return false;
    }
  }

  /** Postpones the expiry. @returns the time in milliseconds at which it had expired before, if it had */
  renew(): Promise<number | undefined> {
    return this.#subscription.renew();
  }

  /** The number of events that were too large for a message; undefined when it is not known. */
  lost(): Promise<number | undefined> {
    const { azure, now } = this.services;
    return droppedSince(azure, this.#subscription.id, this.#startedAt, now());
  }

  /** Deletes what it created. @returns what is left behind, and why */
  async close(): Promise<string[]> {
    const left: string[] = [];
    const problem = await this.#subscription.delete();
    if (problem !== undefined) left.push(`the event subscription ${this.name}: ${problem}`);
    if (this.#mayExist) {
      const { url } = this.#queue;
      await this.#queue.deleteIfExists().catch((error: Error) => {
        left.push(`the queue ${url}: ${reasonOf(error)}`);
      });
    }
    return left;
  }

  /** Explains an error of the queue service. */
  async #called<T>(answer: Promise<T>, what: string, action: string): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      throw queueError(error, `the queue ${this.#queue.url} ${what}`, {
        account: this.account,
        caller: this.services.caller,
        action,
      });
    }
  }
}

/** The text of a message, which Event Grid encodes in Base64. */
function eventText(message: string): string {
  if (message.trimStart().startsWith("{")) return message;
  return Buffer.from(message, "base64").toString("utf8");
}
