import { at, listAt, textAt } from "../../azure/index.js";
import { type CloudName, eventGridAudience } from "../../cloud.js";
import { CommandError } from "../../terminal/index.js";
import type { EventSource, ReceivedEvent } from "./event-source.js";
import { type FilterFlags, namespaceFilter } from "./filter.js";
import { Refused, refusal } from "./rights.js";
import type { Scope } from "./scope.js";
import { type SubscriptionServices, TemporarySubscription } from "./subscription.js";

const DATA_API = "2024-06-01";

/** The longest lock of a received event. */
const LOCK_SECONDS = 300;

/** Seconds for which a request waits for an event. The transport gives up after 30. */
const WAIT_SECONDS = 20;
const MAX_EVENTS = 32;

/**
 * Events of a namespace's topic, which are pulled from an event subscription.
 *
 * Locks are not renewed: an event that is handed out again is the same event with a new lock.
 */
export class NamespaceSource implements EventSource {
  readonly #subscription: TemporarySubscription;
  readonly #namespace: { readonly id: string; readonly topic: string };
  #operations = "";

  constructor(
    private readonly scope: Scope & Required<Pick<Scope, "namespace">>,
    name: string,
    filter: FilterFlags,
    private readonly cloud: CloudName,
    private readonly services: SubscriptionServices,
  ) {
    this.#namespace = scope.namespace;
    const queue = { receiveLockDurationInSeconds: LOCK_SECONDS, maxDeliveryCount: 10 };
    this.#subscription = new TemporarySubscription(
      scope,
      name,
      {
        deliveryConfiguration: { deliveryMode: "Queue", queue },
        eventDeliverySchema: "CloudEventSchemaV1_0",
        filtersConfiguration: namespaceFilter(filter),
      },
      services,
    );
  }

  get rows(): EventSource["rows"] {
    return [["subscription", this.#subscription.name]];
  }

  async open(): Promise<void> {
    const { azure } = this.services;
    const { id, topic } = this.#namespace;
    const answer = await azure.arm(id, this.scope.apiVersion);
    const hostname = textAt(answer.body, "properties", "topicsConfiguration", "hostname");
    if (hostname === undefined) {
      const right = {
        action: "Microsoft.EventGrid/namespaces/read",
        role: "Reader",
        scope: id,
      };
      throw refusal(`the namespace ${id} cannot be read`, answer, right, this.services.caller);
    }
    this.#operations = `https://${hostname}/topics/${topic}/eventsubscriptions/${this.#subscription.name}`;
    await this.#subscription.write();
  }

  async receive(signal: AbortSignal): Promise<readonly ReceivedEvent[]> {
    const query = { maxEvents: String(MAX_EVENTS), maxWaitTime: String(WAIT_SECONDS) };
    const answer = await this.#operate("receive", query, undefined, signal);
    return listAt(answer, "value").map((item) => {
      const event = at(item, "event");
      const id = [textAt(event, "source"), textAt(event, "id")].join("\n");
      return {
        key: id,
        receipt: textAt(item, "brokerProperties", "lockToken") ?? "",
        text: JSON.stringify(event),
        attempt: Number(at(item, "brokerProperties", "deliveryCount") ?? 1),
      };
    });
  }

  async settle({ receipt }: ReceivedEvent): Promise<boolean> {
    try {
      const answer = await this.#operate("acknowledge", {}, { lockTokens: [receipt] });
      return listAt(answer, "succeededLockTokens").length === 1;
    } catch {
      return false;
    }
  }

  renew(): Promise<number | undefined> {
    return this.#subscription.renew();
  }

  /** Events of a namespace are at most as large as a subscription hands over. */
  lost(): Promise<number> {
    return Promise.resolve(0);
  }

  async close(): Promise<string[]> {
    const problem = await this.#subscription.delete();
    if (problem === undefined) return [];
    return [`the event subscription ${this.#subscription.name}: ${problem}`];
  }

  /** @throws {Refused} when the right to receive is missing */
  async #operate(
    operation: "receive" | "acknowledge",
    query: Readonly<Record<string, string>>,
    body?: object,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const { azure, caller } = this.services;
    const parameters = new URLSearchParams({ "api-version": DATA_API, ...query });
    const answer = await azure.call({
      method: "POST",
      url: `${this.#operations}:${operation}?${parameters}`,
      audience: eventGridAudience(this.cloud),
      body,
      signal,
    });
    if (answer.status === 200) return answer.body;
    const right = {
      action: "Microsoft.EventGrid/events/receive/action",
      role: "EventGrid Data Receiver",
      scope: this.#namespace.id,
    };
    const what = `events of ${this.scope.id} cannot be received`;
    const { message } = refusal(what, answer, right, caller);
    if (answer.status === 401 || answer.status === 403) throw new Refused(message);
    throw new CommandError(message);
  }
}
