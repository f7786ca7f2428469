import { DataAzureadApplication } from "@cdktf/provider-azuread/lib/data-azuread-application/index.js";
import { DataAzureadClientConfig } from "@cdktf/provider-azuread/lib/data-azuread-client-config/index.js";
import { DataAzurermClientConfig } from "@cdktf/provider-azurerm/lib/data-azurerm-client-config/index.js";
import { DataAzurermEventgridTopic } from "@cdktf/provider-azurerm/lib/data-azurerm-eventgrid-topic/index.js";
import { DataAzurermResourceGroup } from "@cdktf/provider-azurerm/lib/data-azurerm-resource-group/index.js";
import { EventgridTopic } from "@cdktf/provider-azurerm/lib/eventgrid-topic/index.js";
import { ResourceGroup } from "@cdktf/provider-azurerm/lib/resource-group/index.js";
import { TerraformOutput } from "cdktf";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Scenario } from "./scenario.js";
import { describeWithTerraform } from "./with-terraform.js";

let shop: Scenario;
beforeEach(async () => {
  shop = await Scenario.start({ eventGridRegistered: true });
});
afterEach(() => shop.stop());

describeWithTerraform("data sources", () => {
  it("read the identity that applies, and existing resources", async () => {
    const { clientId, objectId } = shop.cloud.applications.create({ displayName: "orders" });
    await shop.write((stack) => {
      const group = new ResourceGroup(stack, "group", { name: "shop", location: "westeurope" });
      const topic = new EventgridTopic(stack, "topic", {
        name: "orders",
        resourceGroupName: group.name,
        location: group.location,
        tags: { team: "shop" },
      });
      const found = {
        caller: new DataAzurermClientConfig(stack, "caller").objectId,
        callerOfEntra: new DataAzureadClientConfig(stack, "caller-of-entra").objectId,
        group: new DataAzurermResourceGroup(stack, "found-group", {
          name: "shop",
          dependsOn: [group],
        }).location,
        topic: new DataAzurermEventgridTopic(stack, "found-topic", {
          name: "orders",
          resourceGroupName: "shop",
          dependsOn: [topic],
        }).endpoint,
        application: new DataAzureadApplication(stack, "application", { clientId }).objectId,
      };
      for (const [name, value] of Object.entries(found)) {
        new TerraformOutput(stack, `out-${name}`, { value, staticId: true });
      }
    });
    const { outputs } = await shop.terraform.apply();
    const deployer = shop.tenant.servicePrincipals.byClientId(
      shop.providers.environment.ARM_CLIENT_ID ?? "",
    );
    expect(outputs).toEqual({
      "out-caller": deployer?.objectId,
      "out-callerOfEntra": deployer?.objectId,
      "out-group": "westeurope",
      "out-topic": `${shop.cloud.control.origin}${new URL(shop.cloud.topics.list()[0]?.endpoint ?? "").pathname}`,
      "out-application": objectId,
    });
    expect(await shop.plan()).toEqual([]);
  });

  it("fail the plan if the resource is missing", async () => {
    await shop.write((stack) => {
      new DataAzurermResourceGroup(stack, "group", { name: "nowhere" });
    });
    expect(await shop.failedApply()).toMatch(
      /Resource Group \(Subscription: .+\s+Resource Group Name: "nowhere"\) was not found/,
    );
    await shop.write((stack) => {
      new DataAzureadApplication(stack, "application", { clientId: "nobody" });
    });
    expect(await shop.failedApply()).toContain('No application found with client ID: "nobody"');
  });
});
