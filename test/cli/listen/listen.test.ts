import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createDefaultHttpClient, type HttpClient } from "@azure/core-rest-pipeline";
import { bindingFromEnvironment, createListener } from "cloud-eventgrid-binding-runtime";
import { LocalCloud } from "cloud-eventgrid-local";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../examples/start/free-port.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { cloudEvent, quickWait, RealAzure, Service } from "./real-azure.js";

let azure: RealAzure;
beforeAll(async () => {
  azure = await RealAzure.start();
});
afterAll(() => azure[Symbol.asyncDispose]());

/** What a test creates itself is gone, too: nothing in Azure remains of a `listen`. */
afterEach(async () => {
  expect(azure.subscriptionNames().filter((name) => name !== "archive")).toEqual([]);
  expect(await azure.queueNames()).toEqual([]);
});

describe("cloud-eventgrid listen", () => {
  it("delivers the events of a topic as Event Grid does", async () => {
    await using service = await Service.start();
    await using listening = azure.listen([String(service.port), ...azure.place]);
    await listening.printed("the service consents");
    const event = cloudEvent({ tenant: "north", data: { total: 12.5 } });
    await azure.publish(event);
    await expect.poll(() => service.deliveries.length).toBe(1);
    const [delivery] = service.deliveries;
    expect(JSON.parse(delivery?.body ?? "")).toEqual(event);
    expect(delivery?.headers).toMatchObject({
      authorization: expect.stringMatching(/^Bearer /),
      "content-type": "application/cloudevents+json; charset=utf-8",
      "aeg-event-type": "Notification",
      "aeg-delivery-count": "0",
    });
    expect(await listening.interrupt()).toBe(0);
    expect(listening.out).toMatch(/^ {2}dashboard +http:\/\/127\.0\.0\.1:\d+\/\?token=\w+$/m);
    expect(listening.out).toContain("\n1 event arrived: 1 accepted.\n");
  });

  it("waits for the service, whose listener accepts the tokens with the printed issuer", async () => {
    const env = {
      ORDERS_DIRECTION: "input",
      ORDERS_TENANT_ID: "55555555-5555-4555-8555-555555555555",
      ORDERS_CLIENT_ID: "66666666-6666-4666-8666-666666666666",
      ORDERS_HANDSHAKE_PORT: String(await freePort()),
      ORDERS_WEBHOOK_PATH: "/hooks/orders",
    };
    await using listening = azure.listen(["--env", "ORDERS", ...azure.place], { env });
    await listening.printed("waiting for the service");
    await azure.publish(cloudEvent());
    const [, issuer] = /ORDERS_AUTHORITY_HOST='(.+)'/.exec(listening.out) ?? [];
    const handled: string[] = [];
    const binding = bindingFromEnvironment("ORDERS", {
      direction: "input",
      env: { ...env, ORDERS_AUTHORITY_HOST: issuer },
    });
    const listener = createListener(binding, {
      logger: false,
      signals: [],
      drainLagMs: 0,
      on: { "shop.order.placed": async ({ id }) => void handled.push(id) },
    });
    await listener.listen();
    try {
      await listening.printed(/20[04], in/);
      expect(handled).toHaveLength(1);
    } finally {
      await listener.close();
    }
  });

  it("prints an event on one line, whatever its subject contains", async () => {
    await using service = await Service.start();
    await using listening = azure.listen([String(service.port), ...azure.place]);
    await listening.printed("the service consents");
    await azure.publish(cloudEvent({ subject: "orders/17\n10:42:19  forged" }));
    await listening.printed("forged");
    expect(listening.out).toContain("  orders/17\\n10:42:19  forged  ");
  });

  it("says what to do when the service refuses the token", async () => {
    await using service = await Service.start();
    service.statuses.push(401);
    await using listening = azure.listen([String(service.port), ...azure.place]);
    await listening.printed("the service consents");
    await azure.publish(cloudEvent());
    await listening.printed(
      /The service refuses the token\. Start it with PREFIX_AUTHORITY_HOST=http:\/\/127\.0\.0\.1:\d+,/,
    );
  });

  it("receives only events that the filter includes", async () => {
    await using service = await Service.start();
    await using listening = azure.listen([
      String(service.port),
      ...azure.place,
      "--event-types",
      "shop.order.placed",
      "shop.order.paid",
      "--subject-begins-with",
      "orders/",
      "--subject-ends-with",
      "7",
    ]);
    await listening.printed("the service consents");
    await azure.publish(
      cloudEvent({ type: "shop.order.lost" }),
      cloudEvent({ subject: "returns/17" }),
      cloudEvent({ subject: "orders/18" }),
      cloudEvent({ id: "wanted", type: "shop.order.paid" }),
    );
    await expect.poll(() => service.ids()).toEqual(["wanted"]);
  });

  it("records each event once, with all digits and its time of arrival, for a replay", async () => {
    await using service = await Service.start();
    const file = join(temporaryFolder(), "events.ndjson");
    const now = () => Date.parse("2099-11-22T10:00:00Z");
    await using listening = azure.listen([String(service.port), ...azure.place, "--record", file], {
      environment: { now },
    });
    await listening.printed("the service consents");
    await azure.publishText(
      '{"specversion":"1.0","id":"1","source":"/shop",\n"type":"a.b","data":{"n":12345678901234567890}}',
    );
    await expect.poll(() => service.deliveries.length).toBe(1);
    await listening.interrupt();
    expect(readFileSync(file, "utf8")).toBe(
      `{"recorded":"cloud-eventgrid/1","time":"2099-11-22T10:00:00.000Z","scope":"${azure.topic.id}","attempt":1,"event":{"specversion":"1.0","id":"1","source":"/shop","type":"a.b","data":{"n":12345678901234567890}}}\n`,
    );
    await using local = await LocalCloud.start();
    const topic = local.topics.create({ name: "orders" });
    await local.replay(file, { topic: "orders" });
    expect(topic.events()).toMatchObject([{ id: "1", source: "/shop", type: "a.b" }]);
  });

  it("keeps a message in the queue until the service has accepted its event", async () => {
    await using service = await Service.start();
    service.statuses.push(500);
    await using listening = azure.listen([String(service.port), ...azure.place]);
    await listening.printed("the service consents");
    const [name = ""] = await azure.queueNames();
    const queue = azure.queues.getQueueClient(name);
    const waiting = async () => (await queue.getProperties()).approximateMessagesCount;
    await azure.publish(cloudEvent({ id: "kept" }));
    await listening.printed(/kept {2}500, next attempt at/);
    expect(await waiting()).toBe(1);
    await azure.publish(cloudEvent({ id: "accepted" }));
    await listening.printed(/accepted {2}200/);
    service.statuses.push(400);
    await azure.publish(cloudEvent({ id: "refused" }));
    await listening.printed(/refused {2}400, dead-lettered/);
    await expect.poll(waiting).toBe(1);
    await listening.interrupt();
    expect(listening.out).toContain(
      "3 events arrived: 1 accepted, 1 dead-lettered, 1 not accepted yet.",
    );
  });

  it("delivers an event once that the queue hands out again while the service handles it", async () => {
    await using service = await Service.start();
    let answer = () => {};
    service.gate = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const file = join(temporaryFolder(), "events.ndjson");
    const args = [String(service.port), ...azure.place, "--record", file];
    await using listening = azure.listen(args, { environment: { visibilitySeconds: 1 } });
    await listening.printed("the service consents");
    const [name = ""] = await azure.queueNames();
    await azure.publish(cloudEvent());
    await expect.poll(() => service.deliveries.length).toBe(1);
    const queue = azure.queues.getQueueClient(name);
    const handedOut = async () =>
      (await queue.peekMessages()).peekedMessageItems[0]?.dequeueCount ?? 0;
    await expect.poll(handedOut, { timeout: 20_000 }).toBeGreaterThan(1);
    answer();
    await listening.printed(/200, in/);
    await expect.poll(async () => (await queue.getProperties()).approximateMessagesCount).toBe(0);
    await listening.interrupt();
    expect(listening.out).toContain("1 event arrived: 1 accepted.");
    expect(service.deliveries).toHaveLength(1);
    expect(readFileSync(file, "utf8").split("\n")).toHaveLength(2);
  });

  it("counts messages that are no CloudEvents", async () => {
    await using service = await Service.start();
    await using listening = azure.listen([String(service.port), ...azure.place]);
    await listening.printed("the service consents");
    const [name = ""] = await azure.queueNames();
    await azure.queues.getQueueClient(name).sendMessage("hello");
    await listening.printed("cannot be delivered: it is no CloudEvent");
    await listening.interrupt();
    expect(listening.out).toContain("0 events arrived: 0 accepted, 1 not readable.");
  });

  it("reports events that are too large for a queue message", async () => {
    await using service = await Service.start();
    await using listening = azure.listen([String(service.port), ...azure.place]);
    await listening.printed("the service consents");
    await azure.publish(cloudEvent({ data: "x".repeat(60_000) }));
    await azure.cloud.drain({ within: { seconds: 10 } });
    await listening.interrupt();
    expect(listening.error).toContain("Event Grid dropped 1 event (DroppedEventCount)");
  });

  it("runs beside another one, and both receive an event", async () => {
    await using service = await Service.start();
    const args = [String(service.port), ...azure.place];
    await using first = azure.listen(args);
    await using second = azure.listen(args);
    await Promise.all(
      [first, second].map((listening) => listening.printed("the service consents")),
    );
    await azure.publish(cloudEvent({ id: "twice" }));
    await expect.poll(() => service.ids()).toEqual(["twice", "twice"]);
  });

  it("renews the event subscription before it expires, when Azure can be reached again", async () => {
    await using service = await Service.start();
    let time = Date.now();
    let isAway = false;
    const client = createDefaultHttpClient();
    const httpClient: HttpClient = {
      sendRequest: (request) =>
        isAway && request.method === "PUT"
          ? Promise.reject(new Error("the network is down"))
          : client.sendRequest(request),
    };
    const renewals: (() => void)[] = [];
    await using listening = azure.listen([String(service.port), ...azure.place], {
      environment: {
        httpClient,
        now: () => time,
        wait: (milliseconds, signal) =>
          milliseconds >= 60_000 && !signal.aborted
            ? new Promise((resolve) => {
                renewals.push(resolve);
                signal.addEventListener("abort", () => resolve());
              })
            : quickWait(milliseconds, signal),
      },
    });
    await listening.printed("the service consents");
    const expiry = () =>
      Date.parse(azure.cloud.eventSubscriptions.list()[0]?.settings.expiresAt ?? "");
    const firstExpiry = expiry();
    expect(firstExpiry).toBe(time + 3_600_000);
    time += 900_000;
    isAway = true;
    renewals.shift()?.();
    await listening.printed("cannot be reached: the network is down; trying again");
    isAway = false;
    await listening.printed("Azure can be reached again.");
    await expect.poll(expiry).toBe(firstExpiry + 900_000);
    await expect.poll(() => renewals.length).toBe(1);
    time += 7_200_000;
    renewals.shift()?.();
    await listening.printed("The event subscription had expired at");
    expect(expiry()).toBe(time + 3_600_000);
  });
});
