import { createRemoteJWKSet, jwtVerify } from "jose";
import { describe, expect, it } from "vitest";
import { post, startShop } from "../../support/cloud.js";

describe("a published event", () => {
  it("is delivered byte for byte with Azure's headers", async () => {
    const { cloud, webhook, topic } = await startShop();
    const body =
      '{ "specversion":"1.0","id":"A-1","source":"/shop","type":"placed","data":{"price":1.10,"big":12345678901234567890} }';
    const response = await post(topic, body);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("");
    expect(response.headers.get("x-ms-request-id")).toMatch(/^[-0-9a-f]{36}$/);
    await cloud.drain();

    expect(webhook.deliveries).toHaveLength(1);
    expect(webhook.deliveries[0]).toMatchObject({
      path: "/api/events",
      body,
      headers: {
        host: "orders.example.com",
        "content-type": "application/cloudevents+json; charset=utf-8",
        "aeg-event-type": "Notification",
        "aeg-subscription-name": "ORDERS-SUB",
        "aeg-delivery-count": "0",
      },
    });
  });

  it("is delivered with a token that the tenant's keys verify", async () => {
    const { cloud, webhook, application, publish } = await startShop();
    await publish();
    await cloud.drain();

    const token = webhook.deliveries[0]?.headers.authorization?.replace("Bearer ", "") ?? "";
    const metadata = await fetch(
      `${cloud.authorityHost}/${cloud.tenantId}/.well-known/openid-configuration`,
    ).then((response) => response.json() as Promise<{ issuer: string; jwks_uri: string }>);
    const { payload } = await jwtVerify(token, createRemoteJWKSet(new URL(metadata.jwks_uri)), {
      issuer: metadata.issuer,
      audience: application.clientId,
      algorithms: ["RS256"],
    });
    expect(metadata.issuer).toBe(`${cloud.authorityHost}/${cloud.tenantId}/`);
    expect(payload).toMatchObject({
      appid: "4962773b-9cdb-44cf-a8bf-237846a00ab7",
      roles: ["AzureEventGridSecureWebhookSubscriber"],
      tid: cloud.tenantId,
      ver: "1.0",
    });
    const lifetime = Number(payload.exp) - Number(payload.iat);
    expect(lifetime).toBeGreaterThanOrEqual(3600);
    expect(lifetime).toBeLessThanOrEqual(5400);
  });
});

it("a webhook that resets a connection that it kept open gets one call for each attempt in the log", async () => {
  const { webhook, cloud, publish } = await startShop();
  const resets = [true];
  webhook.answer = (request) => {
    if (request.method === "POST" && resets.shift()) request.reset();
    return { headers: { "webhook-allowed-origin": "*" } };
  };
  await publish();
  await cloud.drain();
  expect(cloud.deliveries()).toMatchObject([
    { outcome: "retrying", status: undefined },
    { outcome: "delivered" },
  ]);
  expect(webhook.deliveries).toHaveLength(2);
});

it("a delivery whose token cannot be issued fails, and the next attempt requests a token again", async () => {
  const { cloud, webhook, application, publish } = await startShop();
  const tenant = cloud.directory.createTenant({ tenantId: cloud.tenantId });
  tenant.deleteApplication(application.objectId);
  await publish();
  await cloud.clock.advance({ seconds: 1 });
  expect(cloud.deliveries()).toMatchObject([
    { outcome: "retrying", error: expect.stringContaining("has no application") },
  ]);
  const { clientId } = application;
  cloud.applications.create({ displayName: "again", clientId });
  await cloud.drain();
  expect(webhook.deliveries).toHaveLength(1);
});
