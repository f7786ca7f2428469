import type { NewNamespaceSubscription } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { cloudEvent, PUBLIC_URL, startWebhook } from "../../support/cloud.js";
import { startNamespace } from "./start-namespace.js";

async function startPush(settings: Partial<NewNamespaceSubscription> = {}) {
  const webhook = await startWebhook();
  const ingress = { "https://orders.example.com": webhook.url };
  const push = { name: "push", endpointUrl: PUBLIC_URL, ...settings };
  const started = await startNamespace(push, { ingress });
  const waits = () => {
    const times = started.cloud.deliveries().map(({ at }) => at / 1000);
    return times.slice(1).map((at, index) => Math.round(at - (times[index] ?? 0)));
  };
  return { ...started, webhook, waits };
}

describe("events that a namespace pushes to a webhook", () => {
  it("arrive as structured CloudEvents, or as batches", async () => {
    const { cloud, publish, publishAll, topic, webhook } = await startPush();
    await publish({ subject: "orders/1" });
    await cloud.drain();
    expect(webhook.deliveries[0]?.headers).toMatchObject({
      "content-type": "application/cloudevents+json; charset=utf-8",
      "aeg-subscription-name": "PUSH",
    });
    expect(JSON.parse(webhook.deliveries[0]?.body ?? "")).toMatchObject({ subject: "orders/1" });
    // Either setting alone turns batches on.
    const batching = { preferredBatchSizeInKilobytes: 64 };
    await topic.subscriptions.put({ name: "push", endpointUrl: PUBLIC_URL, batching });
    await publishAll(["2", "3"].map((id) => cloudEvent({ id, data: 1 })));
    await cloud.drain();
    expect(JSON.parse(webhook.deliveries[1]?.body ?? "")).toHaveLength(2);
  });

  it("stay in the queues of the same topic when all are pushed", async () => {
    const { cloud, publish, topic } = await startPush();
    const queue = await topic.subscriptions.create({ name: "queue" });
    await publish();
    await cloud.drain();
    expect(queue.counts).toMatchObject({ waiting: 1, dropped: 0 });
  });

  it("are retried by the schedule of namespaces, in ten attempts", async () => {
    const { cloud, publish, webhook, waits } = await startPush();
    webhook.answerDeliveries(() => 500);
    await publish();
    await cloud.drain();
    expect(waits()).toEqual([10, 30, 60, 300, 300, 300, 300, 300, 300]);
    expect(cloud.deliveries().at(-1)?.outcome).toBe("dropped");
  });

  it.each([400, 401, 403, 404, 413, 414])("are dead-lettered at once after %i", async (status) => {
    const { cloud, publish, webhook } = await startPush({ deadLetter: { container: "dead" } });
    webhook.answerDeliveries(() => status);
    await publish();
    await cloud.drain();
    expect(cloud.deliveries().map(({ outcome }) => outcome)).toEqual(["deadLettered"]);
    expect(cloud.deadLetters()).toMatchObject([
      { deadletterreason: "Undeliverable due to client error", deliveryattempts: 1 },
    ]);
  });

  it("are lost when nothing answers", async () => {
    const { cloud, publish } = await startPush();
    cloud.faults.deliveries({ unreachable: true, times: 1 });
    await publish();
    await cloud.drain();
    expect(cloud.deliveries().map(({ outcome }) => outcome)).toEqual(["dropped"]);
  });

  it("need the consent of the webhook, also after a change", async () => {
    const { topic, webhook } = await startPush();
    webhook.answer = () => ({ status: 200 });
    const changed = { name: "push", endpointUrl: PUBLIC_URL, maxDeliveryCount: 3 };
    await expect(topic.subscriptions.put(changed)).rejects.toThrow("Webhook validation handshake");
    expect(topic.subscriptions.get("push")).toMatchObject({ provisioningState: "Succeeded" });
    expect(topic.subscriptions.get("push")?.settings.maxDeliveryCount).toBe(10);
    await expect(
      topic.subscriptions.create({ name: "other", endpointUrl: PUBLIC_URL }),
    ).rejects.toThrow("WebHook-Allowed-Origin");
    expect(() => topic.subscriptions.get("push")?.acknowledge(["x"])).toThrow("are pushed");
  });
});
