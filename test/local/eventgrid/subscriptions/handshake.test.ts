import { describe, expect, it } from "vitest";
import { PUBLIC_URL, startHooked, startShop } from "../../support/cloud.js";

describe("the handshake", () => {
  it("sends OPTIONS with origin and rate to the exact URL, without a token", async () => {
    const { cloud, webhook } = await startShop({}, { endpointUrl: `${PUBLIC_URL}?code=s3cret` });
    expect(webhook.requests).toHaveLength(1);
    expect(webhook.requests[0]).toMatchObject({
      method: "OPTIONS",
      path: "/api/events?code=s3cret",
      headers: {
        "webhook-request-origin": "eventgrid.azure.net",
        "webhook-request-rate": expect.stringMatching(/^\d+$/),
      },
    });
    expect(webhook.requests[0]?.headers.authorization).toBeUndefined();
    expect(cloud.handshakes()).toMatchObject([
      { subscription: "orders-sub", url: PUBLIC_URL, succeeded: true },
    ]);
  });

  it("is repeated at every update, and keeps the old settings if it fails", async () => {
    const { cloud, webhook, topic, application } = await startShop();
    const change = {
      name: "orders-sub",
      scope: topic.id,
      endpointUrl: "https://orders.example.com/other",
      clientId: application.clientId,
    };
    webhook.answer = () => ({ status: 503 });
    await expect(cloud.eventSubscriptions.put(change)).rejects.toThrow(
      "response code ServiceUnavailable",
    );
    expect(cloud.eventSubscriptions.get(topic.id, "orders-sub")).toMatchObject({
      provisioningState: "Succeeded",
      settings: { endpointUrl: PUBLIC_URL },
    });

    webhook.answerDeliveries(() => 200);
    await cloud.eventSubscriptions.put(change);
    expect(cloud.handshakes().map(({ succeeded, url }) => [succeeded, url])).toEqual([
      [true, PUBLIC_URL],
      [false, "https://orders.example.com/other"],
      [true, "https://orders.example.com/other"],
    ]);
  });

  it("leaves a failed subscription, and does not print the query of the URL", async () => {
    const { cloud, webhook } = await startHooked();
    const origin = "eventgrid.azure.net, other.example";
    webhook.answer = () => ({ headers: { "webhook-allowed-origin": origin } });
    const topic = cloud.topics.create({ name: "orders" });
    const props = { name: "sub", scope: topic.id, endpointUrl: `${PUBLIC_URL}?code=s3cret` };
    const error = await cloud.eventSubscriptions.create(props).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: 400, serviceCode: "Url validation" });
    expect(String(error)).toContain(`Webhook validation handshake failed for ${PUBLIC_URL}. `);
    expect(String(error)).toContain(`allows the origin '${origin}' instead of`);
    expect(String(error)).not.toContain("s3cret");
    expect(cloud.eventSubscriptions.get(topic.id, "sub")?.provisioningState).toBe("Failed");

    webhook.answerDeliveries(() => 200);
    await cloud.eventSubscriptions.create(props);
    expect(cloud.eventSubscriptions.get(topic.id, "sub")?.provisioningState).toBe("Succeeded");
  });
});

describe("a handshake whose validation event is answered without the code", () => {
  async function startSilent() {
    const { cloud, webhook } = await startHooked({ clock: "stepped" });
    webhook.answer = () => ({ status: 200 });
    const { id: scope } = cloud.topics.create({ name: "orders", inputSchema: "EventGridSchema" });
    const props = { name: "sub", scope, endpointUrl: PUBLIC_URL } as const;
    const state = () => cloud.eventSubscriptions.get(scope, "sub")?.provisioningState;
    const create = () => cloud.eventSubscriptions.create(props).catch((error: unknown) => error);
    return { cloud, webhook, props, state, create, began: cloud.clock.now() };
  }

  it("fails after ten minutes of the clock, which drain moves", async () => {
    const { cloud, state, create, began } = await startSilent();
    const creation = create();
    await cloud.drain();
    expect(String(await creation)).toContain("without the validation code");
    expect(state()).toBe("Failed");
    expect(cloud.clock.now() - began).toBe(600_000);
    expect(cloud.handshakes()).toMatchObject([{ status: 200, succeeded: false }]);
  });

  it("is listed, and drain does not resolve, until its URL is opened", async () => {
    const { cloud, state, create } = await startSilent();
    const creation = create();
    await cloud.clock.advance({ minutes: 9 });
    expect(cloud.handshakes()).toMatchObject([
      { status: 200, succeeded: false, reason: expect.stringContaining("no validation code") },
    ]);
    const [subscription] = cloud.eventSubscriptions.list();
    await fetch(subscription?.validationUrl ?? "");
    expect(await creation).toMatchObject({ provisioningState: "Succeeded" });
    await cloud.drain();
    expect(state()).toBe("Succeeded");
    expect(cloud.handshakes()).toMatchObject([{ status: 200, succeeded: true }]);
  });

  it("keeps drain from resolving on a clock that moves by itself", async () => {
    const { cloud, webhook } = await startHooked();
    webhook.answer = () => ({ status: 200 });
    const { id: scope } = cloud.topics.create({ name: "orders", inputSchema: "EventGridSchema" });
    const creation = cloud.eventSubscriptions.create({
      name: "sub",
      scope,
      endpointUrl: PUBLIC_URL,
    });
    await expect.poll(() => cloud.handshakes()).toMatchObject([{ succeeded: false }]);
    await expect(cloud.drain({ within: { seconds: 1 } })).rejects.toThrow(
      "'sub' waits for its validation URL to be opened",
    );
    const refusal = expect(creation).rejects.toThrow("without the validation code");
    cloud.eventSubscriptions.delete(scope, "sub");
    await refusal;
    await cloud.drain();
  });

  it("ends at once when the subscription is written again, whose settings stay", async () => {
    const { cloud, webhook, state, create, props } = await startSilent();
    const creation = create();
    await cloud.clock.advance({ minutes: 1 });
    webhook.answerDeliveries(() => 200);
    await cloud.eventSubscriptions.put({ ...props, eventDeliverySchema: "CloudEventSchemaV1_0" });
    expect(String(await creation)).toContain("without the validation code");
    await cloud.clock.advance({ minutes: 10 });
    expect(state()).toBe("Succeeded");
  });
});
