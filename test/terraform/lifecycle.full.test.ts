import { DataAzurermClientConfig } from "@cdktf/provider-azurerm/lib/data-azurerm-client-config/index.js";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ORIGIN, Scenario } from "./scenario.js";
import { describeWithTerraform } from "./with-terraform.js";

let shop: Scenario;
beforeEach(async () => {
  shop = await Scenario.start();
});
afterEach(() => shop.stop());

describeWithTerraform("a named writer that is the identity of a new topic", () => {
  it("gets its rights in the apply that creates topic and application", async () => {
    await shop.write((stack) => {
      const topic = shop.topic(stack, {
        identity: { type: "SystemAssigned" },
      });
      const deployer = new DataAzurermClientConfig(stack, "deployer", {}).objectId;
      const principals = [topic.principalId ?? "", deployer];
      shop.binding(stack, {
        scope: topic.id,
        writerPrincipals: principals.map((objectId) => ({
          objectId,
          principalType: "ServicePrincipal",
        })),
      });
    });
    const created = await shop.apply();
    expect(
      created.filter((change) => change === "create azuread_app_role_assignment"),
    ).toHaveLength(4);
    expect(shop.handshakes).toEqual(["/api/events"]);
    expect(await shop.plan()).toEqual([]);
  });
});

describeWithTerraform("a change outside of Terraform", () => {
  it("is corrected by the next apply", async () => {
    const clientId = shop.newApplication();
    const scope = shop.subscription;
    const subscription = {
      name: "orders",
      scope,
      endpointUrl: `${ORIGIN}/api/events`,
      clientId,
    };
    await shop.write((stack) => {
      shop.binding(stack, {
        cloudClientId: clientId,
        scope,
      });
    });
    await shop.apply();

    shop.cloud.eventSubscriptions.delete(scope, "orders");
    expect(await shop.apply()).toEqual(["create azurerm_eventgrid_event_subscription"]);

    await shop.cloud.eventSubscriptions.put({
      ...subscription,
      filter: { subjectBeginsWith: "invoices/" },
    });
    expect(await shop.apply()).toEqual(["update azurerm_eventgrid_event_subscription"]);
    const [right] = shop.cloud.eventSubscriptions.list();
    expect(right?.settings.filter.subjectBeginsWith ?? "").toBe("");
    expect(await shop.plan()).toEqual([]);
  });
});
