import { ResourceGroup } from "@cdktf/provider-azurerm/lib/resource-group/index.js";
import { CloudEventGridBinding, WebhookApplication } from "cloud-eventgrid-binding";
import { afterEach, beforeEach, expect, it } from "vitest";
import { later, ORIGIN, Scenario } from "./scenario.js";
import { describeWithTerraform } from "./with-terraform.js";

let shop: Scenario;
beforeEach(async () => {
  shop = await Scenario.start();
});
afterEach(() => shop.stop());

const names = () =>
  shop.cloud.eventSubscriptions
    .list()
    .map(({ name }) => name)
    .sort();

describeWithTerraform("several bindings in one stack", () => {
  it("can have their own applications, and be destroyed separately", async () => {
    const build = (...ids: string[]) =>
      shop.write((stack) => {
        for (const id of ids) {
          new CloudEventGridBinding(stack, id, {
            ...shop.place,
            application: new WebhookApplication(stack, `${id}-webhook`, { displayName: id }),
            eventSubscriptionName: id,
            scope: shop.subscription,
          });
        }
      });
    await build("orders", "invoices");
    await shop.applyCleanly();
    await build("orders");
    const deletions = await shop.apply();
    expect(deletions.every((each) => each.startsWith("delete "))).toBe(true);
    expect(names()).toEqual(["orders"]);
    expect(await shop.plan()).toEqual([]);
    await shop.destroyAll();
  });
});

describeWithTerraform("values that are known only at apply", () => {
  it("can be used in every prop that allows tokens", async () => {
    await shop.write((stack) => {
      const group = new ResourceGroup(stack, "group", { name: "shop", location: "westeurope" });
      shop.binding(stack, {
        subscriberEndpoint: later(stack, "endpoint", `${ORIGIN}/api/events`),
        handshakePort: later(stack, "port", "9000"),
        eventSubscriptionName: later(stack, "name", "orders"),
        scope: group.id,
      });
    });
    await shop.apply();
    expect(names()).toEqual(["orders"]);
    expect(await shop.plan()).toEqual([]);
    await shop.destroyAll();
  });
});
