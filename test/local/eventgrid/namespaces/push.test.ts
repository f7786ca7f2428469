import type { NewNamespaceSubscription } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { cloudEvent, PUBLIC_URL, startWebhook } from "../../support/cloud.js";
import { startNamespace } from "./start-namespace.js";

async function startPush(settings: Partial<NewNamespaceSubscription> = {}) {
  const webhook = await startWebhook();
  const ingress = { "https://orders.example.com": webhook.url };
  const push = { name: "push", endpointUrl: PUBLIC_URL, ...settings };
  const started = await startNamespace(push, { ingress });
  return { ...started, webhook };
}

describe("events that a namespace pushes to a webhook", () => {
  it("arrive as batches, also if only their preferred size is set", async () => {
    const { cloud, publishAll, webhook } = await startPush({ preferredBatchSizeInKilobytes: 64 });
    await publishAll(["2", "3"].map((id) => cloudEvent({ id, data: 1 })));
    await cloud.drain();
    expect(JSON.parse(webhook.deliveries[0]?.body ?? "")).toHaveLength(2);
  });

  it("stay in the queues of the same topic when all are pushed, and in none of their own", async () => {
    const { cloud, publish, topic, queue: push } = await startPush();
    expect(() => push.receive()).toThrow(expect.objectContaining({ code: "ERR_NO_QUEUE" }));
    const queue = await topic.subscriptions.create({ name: "queue" });
    await publish();
    await cloud.drain();
    expect(queue.counts).toMatchObject({ waiting: 1, dropped: 0 });
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
