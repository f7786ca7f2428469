import { BATCH, type StageEvent } from "../../test/local/parity/stage.js";
import { type Connection, RefusedError } from "./connection.js";

const VERSION = "api-version=2024-06-01";

/** The namespace that rows share. */
export class Namespace {
  private constructor(
    private readonly connection: Connection,
    readonly id: string,
    readonly endpoint: string,
    readonly keys: { readonly key1: string; readonly key2: string },
  ) {}

  static async open(connection: Connection, id: string, location: string): Promise<Namespace> {
    const sku = { name: "Standard", capacity: 1 };
    await connection.done("PUT", id, { location, sku, properties: {} });
    const { properties } = Object(await connection.done("GET", id));
    const keys = Object(await connection.done("POST", `${id}/listKeys`));
    const endpoint = `https://${properties.topicsConfiguration.hostname}`;
    return new Namespace(connection, id, endpoint, keys);
  }

  /** Creates a topic with an event subscription. @throws RefusedError */
  async newQueue(
    topic: string,
    name = "queue",
    properties: object = { deliveryConfiguration: { deliveryMode: "Queue", queue: {} } },
    topicProperties: object = {},
  ): Promise<PullQueue> {
    const id = `${this.id}/topics/${topic}`;
    await this.connection.done("PUT", id, { properties: topicProperties });
    await this.connection.done("PUT", `${id}/eventSubscriptions/${name}`, { properties });
    return new PullQueue(`${this.endpoint}/topics/${topic}`, name, this.keys.key1);
  }
}

interface Received {
  readonly brokerProperties: { readonly lockToken: string; readonly deliveryCount: number };
  readonly event: { readonly id: string };
}

/** The event subscription of a topic of a namespace, over the requests that clients send. */
class PullQueue {
  constructor(
    /** `https://NAMESPACE.REGION-1.eventgrid.azure.net/topics/TOPIC` */
    private readonly topic: string,
    private readonly name: string,
    private readonly key: string,
  ) {}

  /** As many events as there are, because the service may return fewer. */
  async receive({ maxEvents = 1 }: { readonly maxEvents?: number } = {}): Promise<StageEvent[]> {
    const events = await this.receiveSome(maxEvents);
    if (events.length === 0 || events.length >= maxEvents) return events;
    return [...events, ...(await this.receive({ maxEvents: maxEvents - events.length }))];
  }

  /** One request, which waits for the first event for ten seconds. */
  async receiveSome(maxEvents: number): Promise<StageEvent[]> {
    const limits = `maxEvents=${maxEvents}&maxWaitTime=10`;
    const answer = await this.#post(`/eventsubscriptions/${this.name}:receive?${limits}&`);
    return answer.value.map(({ brokerProperties, event }: Received) => ({
      ...brokerProperties,
      event: { id: event.id, schema: "CloudEventSchemaV1_0", json: JSON.stringify(event) },
    }));
  }

  async acknowledge(lockTokens: readonly string[]): Promise<void> {
    await this.#post(`/eventsubscriptions/${this.name}:acknowledge?`, { lockTokens });
  }

  /** Publishes to the topic. */
  async publish(event: object): Promise<void> {
    await this.#post(":publish?", [event], BATCH);
  }

  async #post(operation: string, body?: unknown, type = "application/json") {
    const response = await fetch(`${this.topic}${operation}${VERSION}`, {
      method: "POST",
      headers: { authorization: `SharedAccessKey ${this.key}`, "content-type": type },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (response.ok) return JSON.parse(text);
    throw new RefusedError(response.status, { error: { message: text } }, operation);
  }
}

const MARK = /mark-[a-z]+/;

/** Collects the marks of the events in a queue, for as long as someone waits for one. */
export class Inbox {
  readonly #marks = new Set<string>();
  #receiving: Promise<void> | undefined;

  constructor(readonly queue: PullQueue) {}

  has(mark: string): boolean {
    return this.#marks.has(mark);
  }

  /** Whether the event with the mark comes within a number of receives. */
  async comes(mark: string, receives: number): Promise<boolean> {
    for (let left = receives; left > 0 && !this.has(mark); left--) {
      this.#receiving ??= this.#receive().finally(() => {
        this.#receiving = undefined;
      });
      await this.#receiving;
    }
    return this.has(mark);
  }

  async #receive(): Promise<void> {
    const events = await this.queue.receiveSome(100);
    for (const { event } of events) this.#marks.add(MARK.exec(event.json)?.[0] ?? "");
    if (events.length > 0) await this.queue.acknowledge(events.map((each) => each.lockToken));
  }
}
