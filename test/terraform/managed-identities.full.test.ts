import { StorageAccount } from "@cdktf/provider-azurerm/lib/storage-account/index.js";
import { UserAssignedIdentity } from "@cdktf/provider-azurerm/lib/user-assigned-identity/index.js";
import { CloudEventGridTopic } from "cloud-eventgrid-binding";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Scenario } from "./scenario.js";
import type { ShopStack } from "./synthesize.js";
import { describeWithTerraform } from "./with-terraform.js";

let shop: Scenario;
beforeEach(async () => {
  shop = await Scenario.start();
  await shop.createGroup();
});
afterEach(() => shop.stop());

const place = { resourceGroupName: "shop", location: "westeurope" };

const storage = (stack: ShopStack) =>
  new StorageAccount(stack, "files", {
    ...place,
    name: "files",
    accountTier: "Standard",
    accountReplicationType: "LRS",
  });

describeWithTerraform("managed identities", () => {
  it("publish and dead-letter with the roles that they need", async () => {
    await shop.write((stack) => {
      const identity = new UserAssignedIdentity(stack, "identity", { ...place, name: "courier" });
      const topic = new CloudEventGridTopic(stack, "topic", {
        ...place,
        topicName: "orders",
        identity: { type: "UserAssigned", userAssignedIdentities: [identity.id] },
      });
      topic.grantPublish(identity.principalId);
      const userAssigned = {
        type: "UserAssigned",
        userAssignedIdentity: identity.id,
        principalId: identity.principalId,
      } as const;
      shop.binding(stack, {
        scope: topic.id,
        deadLetter: { storageAccount: storage(stack), container: "dead", identity: userAssigned },
        roleEffectSeconds: 0,
      });
    });
    const made = await shop.apply();
    expect(made.filter((each) => each === "create azurerm_role_assignment")).toHaveLength(3);
    expect(made.filter((each) => each === "create azuread_app_role_assignment")).toHaveLength(3);
    expect(await shop.plan()).toEqual([]);

    const states = await shop.terraform.state();
    const values = (type: string) => states.find((each) => each.type === type)?.values;
    const principalId = String(values("azurerm_user_assigned_identity")?.principal_id);
    const topicId = String(values("azurerm_eventgrid_topic")?.id);
    expect(shop.cloud.control.maySend(principalId, topicId)).toBe(true);
    expect(values("azurerm_eventgrid_event_subscription")).toMatchObject({
      dead_letter_identity: [{ type: "UserAssigned" }],
    });
    await shop.destroyAll();
  });
});
