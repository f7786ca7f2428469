import { connect } from "node:net";
import { LocalCloud } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { publishTo, startCloud, startShop } from "./support/cloud.js";

describe("starting a cloud", () => {
  it.each([
    ["127.0.0.2", "127.0.0.2"],
    ["::1", "[::1]"],
    ["localhost", "localhost"],
    ["0.0.0.0", "127.0.0.1"],
  ])("has addresses at which it answers: --host %s", async (host, name) => {
    const cloud = await startCloud({ host, control: true });
    expect(new URL(cloud.httpOrigin).hostname).toBe(name);
    expect((await fetch(cloud.httpOrigin)).status).toBe(200);
    const topic = cloud.topics.create({ name: "orders" });
    expect((await publishTo(topic)).status).toBe(200);
    const secure = new URL(cloud.control.origin).hostname;
    expect(secure).toBe(name === "127.0.0.1" ? "localhost" : name);
  });

  it("lets clients keep idle connections for two minutes", async () => {
    const { httpOrigin } = await startCloud();
    const { headers } = await fetch(httpOrigin);
    expect(headers.get("keep-alive")).toBe("timeout=120");
  });

  it("serves an Azure error for an unknown path", async () => {
    const { httpOrigin } = await startCloud();
    const response = await fetch(`${httpOrigin}/nothing`);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      error: {
        code: "NotFound",
        message: "Nothing is served at /nothing. GET / lists the services.",
      },
    });
  });

  it("serves a list of its services at /, without keys", async () => {
    const cloud = await startCloud();
    const { accessKey } = cloud.topics.create({ name: "orders" });
    const { httpOrigin, tenantId } = cloud;
    const text = await (await fetch(httpOrigin)).text();
    expect(text).not.toContain(accessKey);
    expect(JSON.parse(text)).toEqual({
      name: "cloud-eventgrid-local",
      tenantId,
      subscriptionId: "22222222-2222-4222-8222-222222222222",
      entra: [
        `GET ${httpOrigin}/${tenantId}/.well-known/openid-configuration`,
        `GET ${httpOrigin}/${tenantId}/v2.0/.well-known/openid-configuration`,
        `POST ${httpOrigin}/${tenantId}/oauth2/v2.0/token`,
      ],
      topics: [{ name: "orders", publish: `POST ${cloud.topics.list()[0]?.endpoint}` }],
      local: expect.arrayContaining([
        `GET ${httpOrigin}/local/deliveries`,
        `POST ${httpOrigin}/local/emit`,
        `DELETE ${httpOrigin}/local/faults`,
      ]),
    });
  });
});

describe("a request with an invalid host", () => {
  it("gets a response", async () => {
    const { httpOrigin, tenantId } = await startCloud();
    const path = `/${tenantId}/.well-known/openid-configuration`;
    const { port } = new URL(httpOrigin);
    const socket = connect(Number(port), "127.0.0.1");
    socket.end(`GET ${path} HTTP/1.1\r\nHost: a b:c\r\nConnection: close\r\n\r\n`);
    let answer = "";
    for await (const chunk of socket) answer += chunk;
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe("stopping a cloud", () => {
  it("happens at the end of an await using block", async () => {
    let origin = "";
    {
      await using cloud = await LocalCloud.start();
      origin = cloud.httpOrigin;
      expect((await fetch(`${origin}/${cloud.tenantId}/discovery/keys`)).status).toBe(200);
    }
    await expect(fetch(origin)).rejects.toThrow();
  });

  it("ends retries and connections", async () => {
    const { cloud, webhook, publish } = await startShop({ clock: { scale: 1000 } });
    webhook.answerDeliveries(() => 500);
    await publish();
    await cloud.close();
    await expect(fetch(cloud.httpOrigin)).rejects.toThrow();
    // Nothing is pending, although the webhook never accepted the event.
    await cloud.drain();
  });

  it("makes it refuse further calls, except another stop", async () => {
    const { cloud, topic } = await startShop();
    await cloud.close();
    await cloud.close();
    const stopped = {
      code: "ERR_STOPPED",
      message: "This local Azure is closed. Start another one with LocalCloud.start().",
    };
    expect(() => cloud.topics.create({ name: "late" })).toThrow(expect.objectContaining(stopped));
    const subscription = { name: "late", scope: topic.id, endpointUrl: "https://a.invalid" };
    await expect(cloud.eventSubscriptions.create(subscription)).rejects.toMatchObject(stopped);
    await expect(
      cloud.emit("Microsoft.Cache.PatchingCompleted", { scope: "/subscriptions/x" }),
    ).rejects.toMatchObject(stopped);
  });
});
