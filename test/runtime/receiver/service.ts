import type {
  CloudEvent,
  EventContext,
  Log,
  PullRuntimeBinding,
  Receiver,
  ReceiverOptions,
} from "cloud-eventgrid-binding-runtime";
import { LocalCloud } from "cloud-eventgrid-local";
import { afterAll, expect, onTestFinished, vi } from "vitest";
import { createReceiverWith } from "../../../runtime/src/receiver/create-receiver.js";
import { deadLettersTo } from "../../local/support/dead-letters.js";
import { ManualClock } from "../../support/manual-clock.js";

const SECOND = 1_000;

/** A namespace of a local Azure whose clock only the test moves. Each test gets a topic of its own. */
export async function startNamespace() {
  const cloud = await LocalCloud.start({ clock: "stepped" });
  afterAll(() => cloud.close());
  const namespace = cloud.namespaces.create({ name: "shop" });
  let topics = 0;

  async function newQueue(settings: { maxDeliveryCount?: number } = {}) {
    topics += 1;
    const topicName = `orders-${topics}`;
    const queue = await namespace.topics
      .create({ name: topicName })
      .subscriptions.create({ name: "shipping", ...deadLettersTo("dead"), ...settings });
    const binding: PullRuntimeBinding = {
      namespaceEndpoint: namespace.endpoint,
      topicName,
      eventSubscriptionName: "shipping",
      receiveWith: "accessKey",
      accessKey: namespace.accessKey,
    };
    return {
      queue,
      binding,
      publish: (...events: object[]) => publish(namespace, topicName, events),
      publishText: (json: string) => publishText(namespace, topicName, `[${json}]`),
    };
  }

  return { cloud, namespace, newQueue };
}

let lastId = 0;

async function publish(
  namespace: { endpoint: string; accessKey: string },
  topic: string,
  events: readonly object[],
): Promise<void> {
  const complete = events.map((event) => {
    lastId += 1;
    return {
      specversion: "1.0",
      id: `event-${lastId}`,
      source: "/shop",
      type: "shop.order.placed",
      data: { orderId: "17" },
      ...event,
    };
  });
  await publishText(namespace, topic, JSON.stringify(complete));
}

async function publishText(
  { endpoint, accessKey }: { endpoint: string; accessKey: string },
  topic: string,
  body: string,
): Promise<void> {
  const { status } = await fetch(`${endpoint}/topics/${topic}:publish?api-version=2024-06-01`, {
    method: "POST",
    headers: {
      authorization: `SharedAccessKey ${accessKey}`,
      "content-type": "application/cloudevents-batch+json",
    },
    body,
  });
  expect(status).toBe(200);
}

export class CollectingLog implements Log {
  constructor(
    readonly lines: { level: string; msg: string; [field: string]: unknown }[] = [],
    private readonly fields: object = {},
  ) {}

  debug = (details: object | string, message?: string) => this.#add("debug", details, message);
  info = (details: object | string, message?: string) => this.#add("info", details, message);
  warn = (details: object | string, message?: string) => this.#add("warn", details, message);
  error = (details: object | string, message?: string) => this.#add("error", details, message);

  child(fields: object): Log {
    return new CollectingLog(this.lines, { ...this.fields, ...fields });
  }

  withMessage(msg: string) {
    return this.lines.filter((line) => line.msg === msg);
  }

  #add(level: string, details: object | string, message = ""): void {
    const line = typeof details === "string" ? { msg: details } : { ...details, msg: message };
    this.lines.push({ level, ...this.fields, ...line });
  }
}

export interface Service {
  readonly receiver: Receiver;
  /** The events that reached the default handler, with their contexts. */
  readonly handled: { event: CloudEvent; context: EventContext }[];
  readonly ids: () => string[];
  readonly log: CollectingLog;
  /** The receiver's time. */
  readonly clock: ManualClock;
}

/** A running receiver. The test closes it at its end. */
export async function startReceiver(
  binding: PullRuntimeBinding,
  options: Partial<ReceiverOptions> = {},
): Promise<Service> {
  const clock = new ManualClock();
  const log = new CollectingLog();
  const handled: Service["handled"] = [];
  const receiver = createReceiverWith(
    binding,
    {
      on: { "*": (event, context) => void handled.push({ event, context }) },
      logger: log,
      ...options,
    },
    { timer: clock, random: () => 0 },
  );
  onTestFinished(() => clock.advanceUntil(receiver.close(), SECOND));
  await receiver.start();
  return { receiver, handled, ids: () => handled.map(({ event }) => event.id), log, clock };
}

/** Waits until a condition holds. */
export function until(holds: () => void): Promise<void> {
  return vi.waitFor(holds, { interval: 5, timeout: 60_000 });
}
