import { BATCH, type StageEvent } from "../../test/local/parity/stage.js";
import { type Connection, RefusedError } from "./connection.js";

interface Received {
  readonly brokerProperties: { readonly lockToken: string; readonly deliveryCount: number };
  readonly event: { readonly id: string };
}

const MARK = /mark-[a-z]+/;

/**
 * The event subscription of a topic of a namespace. Microsoft's client for JavaScript would drop
 * extension attributes, which rows compare.
 */
export class Queue {
  /** Of the events that came while someone waited for one. */
  readonly marks = new Set<string>();
  #collecting: Promise<void> | undefined;

  /** @param topic its URL: `https://NAMESPACE.REGION-1.eventgrid.azure.net/topics/TOPIC` */
  constructor(
    private readonly connection: Connection,
    private readonly topic: string,
    private readonly name: string,
    private readonly key: string,
  ) {}

  /** As many events as there are, because the service may return fewer. */
  async receive(maxEvents = 1): Promise<StageEvent[]> {
    const events = await this.#receiveSome(maxEvents);
    if (events.length === 0 || events.length >= maxEvents) return events;
    return [...events, ...(await this.receive(maxEvents - events.length))];
  }

  /** Whether an event with this mark comes within that time. */
  async comes(mark: string, milliseconds: number): Promise<boolean> {
    for (const end = Date.now() + milliseconds; Date.now() < end && !this.marks.has(mark); ) {
      this.#collecting ??= this.#collect().finally(() => {
        this.#collecting = undefined;
      });
      await this.#collecting;
    }
    return this.marks.has(mark);
  }

  /** Publishes to the topic. */
  async publish(event: object): Promise<void> {
    await this.#post(":publish", [event], BATCH);
  }

  async #collect(): Promise<void> {
    const events = await this.#receiveSome(100);
    for (const { event } of events) this.marks.add(MARK.exec(event.json)?.[0] ?? "");
    const lockTokens = events.map((each) => each.lockToken);
    if (events.length > 0)
      await this.#post(`/eventsubscriptions/${this.name}:acknowledge`, { lockTokens });
  }

  /** Waits for the first event for ten seconds. */
  async #receiveSome(maxEvents: number): Promise<StageEvent[]> {
    const receive = `/eventsubscriptions/${this.name}:receive?maxEvents=${maxEvents}&maxWaitTime=10`;
    const { value } = await this.#post(receive);
    return value.map(({ brokerProperties, event }: Received) => ({
      ...brokerProperties,
      event: { id: event.id, schema: "CloudEventSchemaV1_0", json: JSON.stringify(event) },
    }));
  }

  async #post(operation: string, content?: unknown, type = "application/json") {
    const version = `${operation.includes("?") ? "&" : "?"}api-version=2024-06-01`;
    const url = `${this.topic}${operation}${version}`;
    const key = async () => `SharedAccessKey ${this.key}`;
    const { status, body } = await this.connection.send("POST", url, key, content, type);
    if (status >= 400) throw new RefusedError(status, body, operation);
    return Object(body);
  }
}
