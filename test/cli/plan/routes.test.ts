import { Testing, Token } from "cdktf";
import { routesOf } from "cloud-eventgrid/routes";
import {
  CloudEventGridBinding,
  CloudEventGridNamespace,
  CloudEventGridPullBinding,
  CloudEventGridTopic,
  WebhookApplication,
  where,
} from "cloud-eventgrid-binding";
import { ConfigurationError } from "cloud-eventgrid-binding-runtime";
import { describe, expect, it } from "vitest";
import { stackWithProviders } from "../../support/synthesized.js";

const cloud = {
  cloudTenantId: "11111111-1111-4111-8111-111111111111",
  cloudSubscriptionId: "22222222-2222-4222-8222-222222222222",
};

/** A team's stack: a topic with two bindings, and a storage account. */
function shop(total: number): string {
  const stack = stackWithProviders("shop");
  const topic = new CloudEventGridTopic(stack, "topic", {
    resourceGroupName: "shop",
    location: "westeurope",
  });
  const common = {
    direction: "input",
    ...cloud,
    application: new WebhookApplication(stack, "webhook", { displayName: "orders" }),
    subscriberEndpoint: "https://orders.example.com/api/events",
    handshakePort: "9000",
    scope: topic.id,
  } as const;
  new CloudEventGridBinding(stack, "orders", {
    ...common,
    includedEventTypes: ["shop.order.placed"],
    additionalScopes: { group: `/subscriptions/${cloud.cloudSubscriptionId}/resourceGroups/shop` },
  });
  new CloudEventGridBinding(stack, "large", {
    ...common,
    eventSubscriptionName: "large",
    advancedFilters: [where("data.total").numberGreaterThan(total)],
  });
  return Testing.synth(stack, true);
}

const placed = (total: number) => ({
  specversion: "1.0",
  id: "1",
  source: "/shop",
  type: "shop.order.placed",
  data: { total },
});

describe("routesOf", () => {
  it("names the bindings of a topic that get an event", () => {
    const routes = routesOf(shop(100));
    expect(routes.of(placed(1), { topic: "shop/topic" })).toEqual(["orders"]);
    expect(routes.of(placed(101), { topic: "shop/topic" })).toEqual(["large", "orders"]);
    expect(routes.of({ ...placed(101), type: "x" }, { topic: "shop/topic" })).toEqual(["large"]);
  });

  it("finds a scope by its resource ID", () => {
    const group = `/SUBSCRIPTIONS/${cloud.cloudSubscriptionId}/resourceGroups/shop/`;
    const written = { ...placed(1), type: "Microsoft.Resources.ResourceWriteSuccess" };
    expect(routesOf(shop(1)).of(written, { topic: group })).toEqual(["orders_subscription-group"]);
  });

  it("names the queues of a namespace's topic", () => {
    const stack = stackWithProviders("shop");
    const namespace = new CloudEventGridNamespace(stack, "namespace", {
      resourceGroupName: "shop",
      location: "westeurope",
    });
    new CloudEventGridPullBinding(stack, "work", {
      topic: namespace.addTopic("orders"),
      eventSubscriptionName: "work",
      includedEventTypes: ["shop.order.placed"],
      filters: [where("subject").stringBeginsWith("orders/")],
    });
    const routes = routesOf(Testing.synth(stack, true));
    const [topic, event] = [{ topic: "shop/namespace/orders" }, placed(1)];
    expect(routes.of({ ...event, subject: "orders/1" }, topic)).toEqual(["work"]);
    expect(routes.of({ ...event, subject: "parcels/1" }, topic)).toEqual([]);
  });

  it("names no subscription of which there are no instances", () => {
    const routed = (settings: object) => () =>
      routesOf({
        resource: { azurerm_eventgrid_event_subscription: { work: { scope: "/a", ...settings } } },
      }).of(placed(1), { topic: "/a" });
    for (const none of [{ count: 0 }, { for_each: {} }, { for_each: "${toset([])}" }]) {
      expect(routed(none)()).toEqual([]);
    }
    expect(routed({ count: 2 })()).toEqual(["work"]);
    expect(routed({ count: "${var.count}" })).toThrow(ConfigurationError);
  });

  it("fails for text that is no JSON", () => {
    expect(() => routesOf("resource {}")).toThrow(ConfigurationError);
  });

  it("fails for a topic that does not exist, and for a value that is known only later", () => {
    expect(() => routesOf(shop(1)).of(placed(1), { topic: "shop/topics" })).toThrow(
      ConfigurationError,
    );
    const later = shop(Token.asNumber("${var.total}"));
    expect(() => routesOf(later).of(placed(1), { topic: "shop/topic" })).toThrow(
      /large has conditions that are known only when Terraform plans: data.total NumberGreaterThan/,
    );
  });
});
