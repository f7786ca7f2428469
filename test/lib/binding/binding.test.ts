import { CloudEventGridBinding, WebhookApplication } from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { Synthesized, stackWithProviders, synthesized } from "../../support/synthesized.js";
import { existing, published, received, receivedWithoutApplication } from "../fixtures.js";
import { mainShapes } from "./main-shapes.js";

describe("synthesized bindings", () => {
  it.each(Object.entries(mainShapes))("%s matches its snapshot", async (name, build) => {
    const { json } = synthesized(build);
    const file = `./__snapshots__/${name}.json`;
    await expect(`${JSON.stringify(json, null, 2)}\n`).toMatchFileSnapshot(file);
  });
});

describe("the setup that the specification describes, for an existing application", () => {
  it("does not change with other constructs in the stack", () => {
    const alone = synthesized((scope) => void new CloudEventGridBinding(scope, "orders", received));
    const second = synthesized((scope) => {
      new CloudEventGridBinding(scope, "parcels", received);
      new CloudEventGridBinding(scope, "orders", received);
    });
    expect(second.shape).toEqual(expect.arrayContaining(alone.shape));
    expect(second.one("azurerm_eventgrid_event_subscription", "orders/subscription")).toEqual(
      alone.one("azurerm_eventgrid_event_subscription"),
    );
  });
});

describe("a binding that only publishes", () => {
  it("provisions no resources", () => {
    const stack = synthesized((scope) => {
      const binding = new CloudEventGridBinding(scope, "orders", published);
      expect(binding.application).toBeUndefined();
      expect(binding.subscriptions).toEqual([]);
    });
    expect(stack.shape).toEqual([]);
  });
});

describe("the definition of a binding", () => {
  it("contains the client ID of its application and the name of its event subscription", () => {
    const stack = stackWithProviders();
    const binding = new CloudEventGridBinding(stack, "orders", {
      ...receivedWithoutApplication,
      labels: ["north"],
      application: WebhookApplication.fromClientId(stack, "webhook", {
        clientId: existing.clientId,
      }),
    });
    expect(binding.definition).toEqual({ ...received, eventSubscriptionName: "orders" });
    expect(new Synthesized(stack).one("azurerm_eventgrid_event_subscription").name).toBe("orders");
  });
});
