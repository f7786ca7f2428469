import { ResourceGroup } from "@cdktf/provider-azurerm/lib/resource-group/index.js";
import { StorageAccount } from "@cdktf/provider-azurerm/lib/storage-account/index.js";
import { StorageContainer } from "@cdktf/provider-azurerm/lib/storage-container/index.js";
import {
  CloudEventGridBinding,
  CloudEventGridTopic,
  WebhookApplication,
} from "cloud-eventgrid-binding";
import { afterEach, expect, it } from "vitest";
import { Scenario } from "./scenario.js";
import { describeWithTerraform } from "./with-terraform.js";

let shop: Scenario;
afterEach(() => shop.stop());

/** A topic that dead-letters with its own identity, created in one apply. */
async function write(roleEffectSeconds: number): Promise<void> {
  await shop.write((stack) => {
    const group = new ResourceGroup(stack, "group", { name: "shop", location: "westeurope" });
    const place = { resourceGroupName: group.name, location: "westeurope" };
    const topic = new CloudEventGridTopic(stack, "topic", {
      ...place,
      topicName: "orders",
      identity: { type: "SystemAssigned" },
    });
    const account = new StorageAccount(stack, "letters", {
      ...place,
      name: "letters",
      accountTier: "Standard",
      accountReplicationType: "LRS",
    });
    const container = new StorageContainer(stack, "dead", {
      name: "dead",
      storageAccountId: account.id,
    });
    new CloudEventGridBinding(stack, "orders", {
      ...shop.place,
      application: new WebhookApplication(stack, "webhook", { displayName: "orders" }),
      eventSubscriptionName: "orders",
      scope: topic.id,
      deadLetter: {
        storageAccount: account,
        container,
        identity: { type: "SystemAssigned", principalId: topic.principalId },
      },
      roleEffectSeconds,
    });
  });
}

describeWithTerraform("a topic's system-assigned identity for dead letters", () => {
  it("gets its role in the same apply, which waits until the role has taken effect", async () => {
    shop = await Scenario.start({ roleAssignmentDelaySeconds: 3 });
    await write(4);
    await shop.apply();
    expect(shop.cloud.eventSubscriptions.list()).toMatchObject([
      { provisioningState: "Succeeded", settings: { deadLetter: { container: "dead" } } },
    ]);
    expect(await shop.plan()).toEqual([]);
    await shop.terraform.destroy();
    expect(await shop.terraform.state()).toEqual([]);
    expect(shop.cloud.control.roleAssignments.list()).toHaveLength(1);
  });

  it("is refused by Azure if roleEffectSeconds is 0", async () => {
    shop = await Scenario.start({ roleAssignmentDelaySeconds: 600 });
    await write(0);
    expect(await shop.failedApply()).toContain("is not allowed to dead-letter into");
    expect(shop.webhook.handshakes).toEqual([]);
  });
});
