import type { LocalCloud } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { cloudEvent, post, publishTo, startCloud } from "../../support/cloud.js";
import { outputOf, startCommand } from "../../support/command.js";
import { startFunctionsHost } from "./functions-host.js";

const SITES =
  "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop/providers/Microsoft.Web/sites";
const resourceId = `${SITES}/shop/functions/Ship`;

const EVENT_GRID_EVENT = {
  id: "1",
  subject: "orders/17",
  data: { total: 5 },
  eventType: "shop.order.placed",
  eventTime: "2026-01-31T07:00:00Z",
  dataVersion: "1.0",
};

function subscribe(cloud: LocalCloud, scope: string, properties = {}) {
  const destination = {
    endpointType: "AzureFunction",
    properties: { resourceId, ...properties },
  } as const;
  return cloud.eventSubscriptions.create({ name: "ship", scope, destination });
}

describe("a function as the destination", () => {
  it.each([
    ["CloudEventSchemaV1_0", cloudEvent({ subject: "orders/17" }), "application/cloudevents+json"],
    ["EventGridSchema", EVENT_GRID_EVENT, "application/json"],
  ] as const)("consents and gets events in %s", async (inputSchema, event, type) => {
    const host = await startFunctionsHost("Ship");
    const cloud = await startCloud({ functionApps: { shop: host.url } });
    const topic = cloud.topics.create({ name: "orders", inputSchema });
    await subscribe(cloud, topic.id);
    const body = JSON.stringify(type === "application/json" ? [event] : event);
    expect((await post(topic, body, type)).status).toBe(200);
    await cloud.drain();
    expect(host.invocations).toMatchObject([
      { name: "Ship", event, headers: { "aeg-event-type": "Notification" } },
    ]);
    // The host answers 202, which is a success.
    expect(cloud.deliveries()).toMatchObject([{ status: 202, outcome: "delivered" }]);
  });

  it("gets the events of a deployment slot's app at its own address", async () => {
    const host = await startFunctionsHost("Ship");
    const cloud = await startCloud({ functionApps: { "shop-staging": host.url } });
    const topic = cloud.topics.create({ name: "orders" });
    const slot = `${SITES}/shop/slots/staging/functions/Ship`;
    await subscribe(cloud, topic.id, { resourceId: slot });
    await publishTo(topic);
    await cloud.drain();
    expect(host.invocations).toHaveLength(1);
  });

  it("is refused without a local address, and when the host does not know the function", async () => {
    const host = await startFunctionsHost("Other");
    const cloud = await startCloud({ functionApps: { shop: host.url } });
    const topic = cloud.topics.create({ name: "orders" });
    await expect(subscribe(cloud, topic.id)).rejects.toThrow(
      "Webhook validation handshake failed for https://shop.azurewebsites.net/runtime/webhooks/EventGrid. Http OPTIONS request failed with response code NotFound",
    );
    const unknown = { resourceId: `${SITES}/none/functions/Ship` };
    await expect(subscribe(cloud, topic.id, unknown)).rejects.toThrow(
      "The function app 'none' has no local address. Start the local Azure with --function-app none=http://127.0.0.1:7071",
    );
    const invalid = { resourceId: `${SITES}/shop` };
    await expect(subscribe(cloud, topic.id, invalid)).rejects.toThrow(
      `The resource ID '${SITES}/shop' is invalid for a destination of the type AzureFunction.`,
    );
    await expect(startCloud({ functionApps: { shop: "127.0.0.1:7071" } })).rejects.toThrow(
      "functionApps.shop must be the address of the app's host",
    );
  });

  it("is configured on the command line as in az", async () => {
    const host = await startFunctionsHost("Ship");
    const { directory } = await startCommand([
      ...["--topic", "orders", "--function-app", `shop=${host.url}`],
    ]);
    const create = ["subscriptions", "create", "ship", "--topic", "orders"];
    const endpoint = ["--endpoint-type", "azurefunction", "--endpoint", resourceId];
    await outputOf(directory, ...create, ...endpoint);
    await outputOf(directory, "publish", "--topic", "orders", "--type", "shop.order.placed");
    await outputOf(directory, "drain");
    expect(host.invocations).toMatchObject([{ event: { type: "shop.order.placed" } }]);
  });
});
