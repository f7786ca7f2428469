import { describe, expect, it } from "vitest";
import type { EventGrid } from "../../../local/src/eventgrid/index.js";
import { publishTo, SUBSCRIPTION, startCloud, startShop } from "../support/cloud.js";

describe("delivery faults", () => {
  it("replace the webhook's response for the given number of times", async () => {
    const { cloud, webhook, publish } = await startShop();
    cloud.faults.deliveries({ status: 500, times: 2 });
    await publish();
    await cloud.drain();
    expect(cloud.deliveries().map(({ status }) => status)).toEqual([500, 500, 200]);
    expect(webhook.deliveries).toHaveLength(1);
  });

  it("are refused without an effect", async () => {
    const cloud = await startCloud();
    expect(() => cloud.faults.deliveries({})).toThrow("needs status, unreachable, loseResponse");
    expect(() => cloud.faults.publishing({ status: 200 })).toThrow("from 400 to 599, not 200");
  });
});

it("an unreachable issuer ends every connection to Entra, while deliveries continue", async () => {
  const { cloud, webhook, publish } = await startShop();
  const keys = `${cloud.authorityHost}/${cloud.tenantId}/discovery/v2.0/keys`;
  const end = cloud.faults.issuerUnreachable();
  await expect(fetch(keys)).rejects.toThrow();
  await publish();
  await cloud.drain();
  expect(webhook.deliveries[0]?.headers.authorization).toMatch(/^Bearer ey/);
  end();
  expect((await fetch(keys)).status).toBe(200);
});

it("publish faults answer with the status, a message and Retry-After", async () => {
  const { cloud, topic } = await startShop();
  cloud.faults.publishing({ status: 429, retryAfterSeconds: 7, times: 1 });
  const response = await publishTo(topic);
  expect(response.status).toBe(429);
  expect(response.headers.get("retry-after")).toBe("7");
  expect(await response.json()).toMatchObject({ error: { code: "TooManyRequests" } });
  expect((await publishTo(topic)).status).toBe(200);
  expect(topic.events()).toHaveLength(1);
});

describe("reset", () => {
  it("clears events, deliveries, retries and faults, and keeps topics and subscriptions", async () => {
    const { cloud, webhook, topic, publish } = await startShop();
    const resourceId = `${SUBSCRIPTION}/resourceGroups/shop/providers/Microsoft.EventHub/namespaces/a/eventhubs/b`;
    const destination = { endpointType: "EventHub", properties: { resourceId } } as const;
    await cloud.eventSubscriptions.create({ name: "hub", scope: topic.id, destination });
    cloud.faults.deliveries({ status: 500, subscription: "orders-sub" });
    await publish({ id: "before" });
    await cloud.clock.advance({ seconds: 1 });
    expect(cloud.deliveries().map(({ outcome }) => outcome)).toEqual(["retrying", "delivered"]);

    const { activity, metrics }: EventGrid = Reflect.get(cloud, "eventGrid");
    const left = () => [
      ...[cloud.deliveries(), cloud.handshakes(), cloud.messages(), topic.events()],
      ...[activity.list(), metrics.total(topic.id, "PublishSuccessCount", 0, Infinity)],
    ];
    expect(left()).not.toContainEqual([]);
    expect(left().at(-1)).toBe(1);
    await cloud.reset();
    expect(left()).toEqual([[], [], [], [], [], 0]);
    expect(cloud.deadLetters()).toEqual([]);
    await publish({ id: "after" });
    await cloud.drain();
    expect(webhook.deliveries.map(({ body }) => JSON.parse(body).id)).toEqual(["after"]);
  });

  it("ends a delivery in progress", async () => {
    const { cloud, webhook, publish } = await startShop();
    const reached = new Promise<void>((resolve) => {
      webhook.answerDeliveries(() => {
        resolve();
        return new Promise(() => {});
      });
    });
    await publish();
    await reached;
    await cloud.reset();
    await cloud.drain();
    expect(cloud.deliveries()).toEqual([]);
  });
});
