import { describe, expect, it } from "vitest";
import { AttemptSender } from "../../../../local/src/eventgrid/delivery/attempt-sender.js";
import type { AttemptResult } from "../../../../local/src/eventgrid/delivery/retry-policy.js";
import { Counter } from "../../../../local/src/eventgrid/delivery/stages.js";
import type {
  EventDestination,
  EventSubscriptionSettings,
} from "../../../../local/src/eventgrid/index.js";
import { readRecordedEvent } from "../../../../local/src/eventgrid/topics/index.js";
import { Faults } from "../../../../local/src/simulation/index.js";
import { cloudEvent } from "../../support/cloud.js";
import { settings } from "./settings.js";

const GROUP = "/subscriptions/s/resourceGroups/g/providers";
const url = settings.endpointUrl;

const eventGridEvent = (id: string) => ({
  ...{ id, subject: "/orders", eventType: "placed", eventTime: "2026-01-31T07:00:00Z" },
  ...{ data: {}, dataVersion: "2.1" },
});

/** What an endpoint does with a request: it may wait for its end. */
type Answer = (signal: AbortSignal) => Promise<{ status: number }>;

function start(changes: Partial<EventSubscriptionSettings> = {}) {
  const requests: { url: string; headers: object; body: string }[] = [];
  const routed: string[] = [];
  const messages: { properties: Record<string, string> }[] = [];
  const timers: { ms: number; leastRealMs: number | undefined; fire: () => void }[] = [];
  const faults = new Faults();
  const busy = new Counter();
  const given: { answer: Answer; problem?: 401 | 404; token: object | Error; body?: object } = {
    answer: async () => ({ status: 200 }),
    token: { authorization: "Bearer x" },
  };
  const sender = new AttemptSender({
    clock: {
      schedule: (ms, fire, leastRealMs) => {
        const timer = { ms, leastRealMs, fire };
        timers.push(timer);
        return () => void timers.splice(timers.indexOf(timer), 1);
      },
    },
    client: {
      send: async ({ method, url, headers, body, signal }) => {
        requests.push({ url, headers, body: `${method} ${body}` });
        const { status } = await given.answer(signal);
        const text = { text: "done", truncated: false };
        return { status, headers: { "x-a": "b" }, body: text, completed: async () => {} };
      },
    },
    messages: {
      send: async (_, message, signal) => {
        messages.push(message);
        return { ...(await given.answer(signal)), url: "/queue", headers: {}, body: "stored" };
      },
    },
    routing: {
      route: (topicId, json) => {
        routed.push(`${topicId} ${json}`);
        return { status: 200, url: topicId, headers: {}, body: "" };
      },
    },
    faults,
    deliveryProblem: () => given.problem && { status: given.problem, reason: "no role" },
    storedBody: () => given.body,
    busy,
  });
  const send = (events: readonly object[] = [cloudEvent()], deliveryCount = 3) =>
    sender.send({
      subscription: {
        ...{ id: "/s", name: "orders-sub", scope: "/t", properties: {} },
        provisioningState: "Succeeded",
        settings: { ...settings, ...changes },
      },
      events: events.map((event) => {
        const schema = "specversion" in event ? "CloudEventSchemaV1_0" : "EventGridSchema";
        return readRecordedEvent({ json: JSON.stringify(event), schema }, "/t", 0).event;
      }),
      deliveryCount,
      tokens: {
        authorization: async () => {
          if (given.token instanceof Error) throw given.token;
          return { ...given.token };
        },
      },
    });
  return { sender, send, given, requests, routed, messages, timers, faults, busy };
}

/** The requests of one destination, which do without its other settings. */
function startWith(endpointType: EventDestination["endpointType"], resourceId?: string) {
  const properties = { resourceId, queueName: "orders" };
  return start({ endpointUrl: undefined, destination: { endpointType, properties } });
}

const OWN = {
  "aeg-event-type": "Notification",
  "aeg-subscription-name": "ORDERS-SUB",
  "aeg-delivery-count": "3",
  "aeg-data-version": "",
  "aeg-metadata-version": "1",
  "aeg-output-event-id": expect.stringMatching(/^[-0-9a-f]{36}$/),
};
const CLOUD_EVENTS = {
  ...OWN,
  "content-type": "application/cloudevents+json; charset=utf-8",
  "webhook-request-origin": "eventgrid.azure.net",
  authorization: "Bearer x",
};

describe("a delivery to a webhook", () => {
  it("has Azure's headers, and one CloudEvent without an array unless batches are allowed", async () => {
    const one = start();
    const event = JSON.stringify(cloudEvent());
    expect(await one.send()).toEqual({
      status: 200,
      request: expect.objectContaining({ url, headers: CLOUD_EVENTS, body: event }),
      response: { headers: { "x-a": "b" }, body: { text: "done", truncated: false } },
    });
    expect(one.requests).toEqual([{ url, headers: CLOUD_EVENTS, body: `POST ${event}` }]);

    const batching = { maxEventsPerBatch: 2, preferredBatchSizeInKilobytes: 64 };
    const batch = start({ batching });
    await batch.send();
    await batch.send([cloudEvent(), cloudEvent()]);
    expect(batch.requests.map(({ body }) => body)).toEqual([
      `POST [${event}]`,
      `POST [${event},${event}]`,
    ]);
    expect(batch.requests[0]?.headers).toEqual({
      ...CLOUD_EVENTS,
      "content-type": "application/cloudevents-batch+json; charset=utf-8",
    });
  });

  it("has an array in the Event Grid schema, and the version of the first event's data", async () => {
    const { send, requests } = start({ deliverySchema: "EventGridSchema" });
    await send([eventGridEvent("1")]);
    const headers = {
      ...{ ...OWN, "aeg-data-version": "2.1", authorization: "Bearer x" },
      "content-type": "application/json; charset=utf-8",
    };
    expect(requests).toEqual([{ url, headers, body: expect.stringMatching(/^POST \[\{.*\}\]$/) }]);
    const custom = start({ deliverySchema: "CustomInputSchema" });
    await custom.send();
    expect(custom.requests[0]?.headers).toEqual({ ...headers, "aeg-data-version": "" });
  });

  it("has its delivery properties, which replace none of Azure's", async () => {
    const value = (name: string) => ({ type: "Static" as const, name, properties: { value: "v" } });
    const deliveryProperties = [value("x-tenant"), value("aeg-delivery-count")];
    const { send, requests } = start({ deliveryProperties });
    await send();
    expect(requests[0]?.headers).toEqual({ ...CLOUD_EVENTS, "x-tenant": "v" });
  });

  it("is not sent without its token", async () => {
    const { send, given, requests } = start();
    given.token = new Error("no application");
    const message = "could not get a token: Error: no application";
    expect(await send()).toEqual({ failure: "SocketError", message });
    expect(requests).toEqual([]);
  });
});

describe("a message", () => {
  it("has the event, and the properties where the destination takes them", async () => {
    const bus = startWith("ServiceBusQueue", `${GROUP}/Microsoft.ServiceBus/namespaces/n/queues/q`);
    const body = JSON.stringify(cloudEvent());
    expect(await bus.send([cloudEvent(), cloudEvent()])).toEqual({
      status: 200,
      request: { url: "/queue", headers: OWN, body },
      response: { headers: {}, body: { text: "stored", truncated: false } },
    });
    expect(bus.messages).toEqual([
      {
        ...{ subscription: "orders-sub", subscriptionId: "/s", body, properties: OWN },
        event: expect.objectContaining({ id: "1" }),
      },
    ]);
    const queue = startWith("StorageQueue");
    await queue.send();
    expect(queue.messages).toMatchObject([{ body, properties: {} }]);
    expect(queue.messages[0]?.properties).toEqual({});
  });

  it("is published to the topic of a namespace", async () => {
    const { send, routed, messages } = startWith("NamespaceTopic", "/topic");
    await send();
    expect([routed, messages]).toEqual([[`/topic ${JSON.stringify(cloudEvent())}`], []]);
  });

  it("is refused if it is too large, if its queue does not take it, or without a destination", async () => {
    const large = startWith("StorageQueue");
    const text = expect.stringContaining("takes at most 49152 bytes");
    expect(await large.send([cloudEvent({ data: "x".repeat(48 * 1024) })])).toEqual({
      status: 413,
      response: { headers: {}, body: { text, truncated: false } },
    });
    const disabled = startWith("ServiceBusQueue", "/q");
    disabled.given.body = { properties: { status: "Disabled" } };
    expect(await disabled.send()).toMatchObject({ failure: "Disabled" });
    const nowhere = start({ endpointUrl: undefined });
    const result = { failure: "SocketError", message: "no destination" };
    expect(await nowhere.send()).toEqual(result);
    expect([...large.messages, ...disabled.messages, ...nowhere.messages]).toEqual([]);
  });

  it("is refused without the right to send, which a webhook does not need", async () => {
    const queue = startWith("StorageQueue");
    queue.given.problem = 401;
    expect(await queue.send()).toEqual({
      status: 401,
      response: { headers: {}, body: { text: "no role", truncated: false } },
    });
    const webhook = start();
    webhook.given.problem = 401;
    expect(await webhook.send()).toMatchObject({ status: 200 });
    expect([queue.messages.length, webhook.requests.length]).toEqual([0, 1]);
  });
});

/** Ends with the request. */
const untilAborted: Answer = (signal) =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("aborted")));
  });

describe("an attempt without a response", () => {
  it("times out after 30 s on the cloud's clock, of which 5 s are real in any case", async () => {
    const { send, given, timers } = start();
    given.answer = untilAborted;
    const sent = send();
    await expect.poll(() => timers.length).toBe(1);
    expect(timers).toMatchObject([{ ms: 30_000, leastRealMs: 5_000 }]);
    timers[0]?.fire();
    expect(await sent).toEqual({
      ...{ failure: "TimedOut", message: "no response within 30 s" },
      request: expect.objectContaining({ url }),
    });
    expect(timers).toEqual([]);
  });

  it("says why there is none", async () => {
    const { send, given, timers } = start();
    const failing = async (error: unknown) => {
      given.answer = async () => {
        throw error;
      };
      const { request, ...result } = (await send()) as AttemptResult & { request: object };
      expect(request).toMatchObject({ url });
      return result;
    };
    const failure = "SocketError";
    expect(await failing(new Error("reset"))).toEqual({ failure, message: "reset" });
    expect(await failing("odd")).toEqual({ failure, message: "odd" });
    const hidden = new TypeError("fetch failed", { cause: new Error("refused") });
    expect(await failing(hidden)).toEqual({ failure, message: "refused" });
    const unknown = Object.assign(new Error("ENOTFOUND"), { code: "ENOTFOUND" });
    expect(await failing(unknown)).toMatchObject({ failure: "ResolutionError" });
    expect(timers).toEqual([]);
  });

  it("ends with the cloud, as does the delay of a fault", async () => {
    const { sender, send, given, timers, faults } = start();
    given.answer = untilAborted;
    const sent = send();
    await expect.poll(() => timers.length).toBe(1);
    sender.end();
    expect(await sent).toMatchObject({ failure: "TimedOut" });
    faults.deliveries({ delay: { seconds: 7 }, status: 500 });
    const delayed = send();
    expect(timers).toMatchObject([{ ms: 7_000 }]);
    sender.end();
    expect(await delayed).toEqual({ status: 500 });
    expect(timers).toEqual([]);
  });
});

describe("a fault", () => {
  it("answers instead of the webhook, whatever else is wrong", async () => {
    const { send, faults, requests } = start();
    faults.deliveries({ status: 503, times: 1 });
    faults.deliveries({ unreachable: true, times: 1, subscription: "ORDERS-SUB" });
    faults.deliveries({ status: 503, subscription: "another" });
    expect(await send()).toEqual({ status: 503 });
    expect(await send()).toEqual({ failure: "SocketError", message: "simulated fault" });
    expect(requests).toEqual([]);
    expect(await send()).toMatchObject({ status: 200 });
  });

  it("delays a delivery, whose events keep no stepped clock waiting meanwhile", async () => {
    const { send, faults, timers, busy, requests } = start();
    faults.deliveries({ delay: { seconds: 7 } });
    busy.add(2);
    const sent = send([cloudEvent(), cloudEvent()]);
    expect([busy.count, requests]).toEqual([0, []]);
    timers[0]?.fire();
    expect(busy.count).toBe(2);
    expect(await sent).toMatchObject({ status: 200 });
  });

  it("loses the response to a request that arrived", async () => {
    const { send, faults, requests } = start();
    faults.deliveries({ loseResponse: true });
    expect(await send()).toEqual({
      ...{ failure: "TimedOut", message: "the response was lost: simulated fault" },
      request: expect.objectContaining({ url }),
    });
    expect(requests).toHaveLength(1);
  });
});
