import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TokenCredential } from "@azure/core-auth";
import { createDefaultHttpClient, type HttpClient } from "@azure/core-rest-pipeline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { cloudEvent, RealAzure, Service } from "./real-azure.js";
import { tokenOf } from "./token.js";

let azure: RealAzure;
beforeAll(async () => {
  azure = await RealAzure.start({ storage: false, clock: "stepped" });
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

  it("delivers an event once that is handed out again while the service handles it", async () => {
    const { id, topic, publish } = namespace("slow");
    azure.allowDeployer("EventGrid Data Receiver", id);
    await using service = await Service.start();
    let answer = () => {};
    service.gate = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const file = join(temporaryFolder(), "events.ndjson");
    const args = [String(service.port), "--scope", `${id}/topics/orders`, "--record", file];
    await using listening = azure.listen(args);
    await listening.printed("the service consents");
    await publish(cloudEvent());
    await expect.poll(() => service.deliveries.length).toBe(1);
    await azure.cloud.clock.advance({ seconds: 301 });
    const [subscription] = topic.subscriptions.list();
    await expect.poll(() => subscription?.counts).toMatchObject({ lockExpired: 1, locked: 1 });
    answer();
    await listening.printed(/200, in/);
    await expect.poll(() => subscription?.counts).toMatchObject({ acknowledged: 1 });
    await listening.interrupt();
    expect(listening.out).toContain("1 event arrived: 1 accepted.");
    expect(service.deliveries).toHaveLength(1);
    expect(readFileSync(file, "utf8").split("\n")).toHaveLength(2);
  });

  it("continues when Azure could not be reached for a while", async () => {
    const { id, publish } = namespace("away");
    azure.allowDeployer("EventGrid Data Receiver", id);
    await using service = await Service.start();
    let isAway = true;
    const client = createDefaultHttpClient();
    const httpClient: HttpClient = {
      sendRequest: (request) =>
        isAway && request.url.includes(":receive")
          ? Promise.reject(new Error("the network is down"))
          : client.sendRequest(request),
    };
    const args = [String(service.port), "--scope", `${id}/topics/orders`];
    await using listening = azure.listen(args, { environment: { httpClient } });
    await listening.printed("cannot be reached: the network is down; trying again");
    isAway = false;
    await publish(cloudEvent());
    await listening.printed(/200, in/);
    expect(listening.error.match(/trying again/g)).toHaveLength(1);
  });

  it("receives with a token for Event Grid of the cloud", async () => {
    const { id } = namespace("government");
    azure.allowDeployer("EventGrid Data Receiver", id);
    await using service = await Service.start();
    const scopes = new Set<string>();
    const credential: TokenCredential = {
      getToken: (scope) => {
        scopes.add(String(scope));
        return tokenOf(azure.cloud, String(scope).replace("azure.us", "azure.net"));
      },
    };
    const args = [String(service.port), "--scope", `${id}/topics/orders`];
    const options = { environment: { credential } };
    await using listening = azure.listen([...args, "--cloud", "usgovernment"], options);
    await listening.printed("the service consents");
    await expect.poll(() => [...scopes]).toContain("https://eventgrid.azure.us/.default");
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
