import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cloudEvent, RealAzure, Service } from "./real-azure.js";

let azure: RealAzure;
beforeAll(async () => {
  azure = await RealAzure.start({ storage: false });
});
afterAll(() => azure[Symbol.asyncDispose]());

function namespace(name: string) {
  const created = azure.cloud.namespaces.create({ name, resourceGroupName: "shop" });
  const topic = created.topics.create({ name: "orders" });
  const publish = async (event: object) => {
    const url = `${created.endpoint}/topics/orders:publish?api-version=2024-06-01`;
    const { status } = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/cloudevents+json",
        authorization: `SharedAccessKey ${created.accessKey}`,
      },
      body: JSON.stringify(event),
    });
    expect(status).toBe(200);
  };
  return { id: created.id, topic, publish };
}

describe("cloud-eventgrid listen at the topic of a namespace", () => {
  it("pulls events, acknowledges those that the service accepts, and deletes its subscription", async () => {
    const { id, topic, publish } = namespace("shop");
    azure.allowDeployer("EventGrid Data Receiver", id);
    await using service = await Service.start();
    await using listening = azure.listen([
      String(service.port),
      "--scope",
      `${id}/topics/orders`,
      "--event-types",
      "shop.order.placed",
      "--subject-begins-with",
      "orders/",
    ]);
    await listening.printed("the service consents");
    const [subscription] = topic.subscriptions.list();
    const expiry = Date.parse(subscription?.settings.expiresAt ?? "");
    expect(expiry).toBeLessThanOrEqual(Date.now() + 3_600_000);
    const event = cloudEvent({ data: "x".repeat(100_000) });
    await publish(event);
    await publish(cloudEvent({ subject: "returns/1" }));
    await expect.poll(() => service.ids()).toEqual([event.id]);
    await listening.printed(/200, in/);
    expect(JSON.parse(service.deliveries[0]?.body ?? "")).toEqual(event);
    expect(await listening.interrupt()).toBe(0);
    expect(listening.out).toContain("1 event arrived: 1 accepted.");
    expect(topic.subscriptions.list()).toEqual([]);
  });

  it("names the missing right to receive with the command that grants it", async () => {
    const { id, topic } = namespace("closed");
    const { clientId, servicePrincipal } = azure.cloud.applications.create({
      displayName: "contributor",
      secret: "hush",
    });
    azure.cloud.control.assignRole("Contributor", servicePrincipal.objectId, id);
    await using service = await Service.start();
    const as = { clientId, secret: "hush" };
    const args = [String(service.port), "--scope", `${id}/topics/orders`];
    const listening = azure.listen(args, { as });
    expect(await listening.end()).toBe(1);
    expect(listening.error).toContain(
      `az role assignment create --role "EventGrid Data Receiver" --assignee ${servicePrincipal.objectId} --scope "${id}"`,
    );
    expect(topic.subscriptions.list()).toEqual([]);
  });
});
