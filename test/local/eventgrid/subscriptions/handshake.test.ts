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

  it.each([
    ["503", { status: 503 }, "Http OPTIONS request failed with response code ServiceUnavailable."],
    ["202", { status: 202 }, "Http OPTIONS request failed with response code Accepted."],
    ["no consent", { status: 200 }, "has no WebHook-Allowed-Origin header."],
    [
      "another origin",
      { headers: { "webhook-allowed-origin": "evil.example" } },
      "allows the origin 'evil.example' instead of eventgrid.azure.net.",
    ],
  ])("fails with %s and leaves a failed subscription", async (_, answer, message) => {
    const { cloud, webhook } = await startHooked();
    webhook.answer = () => answer;
    const topic = cloud.topics.create({ name: "orders" });
    const props = { name: "sub", scope: topic.id, endpointUrl: `${PUBLIC_URL}?code=s3cret` };
    const error = await cloud.eventSubscriptions.create(props).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: 400, serviceCode: "Url validation" });
    expect(String(error)).toContain(`Webhook validation handshake failed for ${PUBLIC_URL}. `);
    expect(String(error)).toContain(message);
    expect(String(error)).not.toContain("s3cret");
    expect(cloud.eventSubscriptions.get(topic.id, "sub")?.provisioningState).toBe("Failed");

    webhook.answerDeliveries(() => 200);
    await cloud.eventSubscriptions.create(props);
    expect(cloud.eventSubscriptions.get(topic.id, "sub")?.provisioningState).toBe("Succeeded");
  });
});
