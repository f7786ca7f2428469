import { afterEach, expect, it } from "vitest";
import { Scenario } from "./scenario.js";
import { describeWithTerraform } from "./with-terraform.js";

let shop: Scenario;
afterEach(() => shop.stop());

describeWithTerraform("an app role that Graph does not know everywhere yet", () => {
  it("is assigned in the first apply, which waits after adding it to the application", async () => {
    shop = await Scenario.start({ appRoleDelaySeconds: 1 });
    const clientId = shop.newApplication();
    await shop.write(shop.orders(clientId));
    await shop.apply();
    expect(shop.cloud.eventSubscriptions.list()).toMatchObject([
      { provisioningState: "Succeeded" },
    ]);
    expect(await shop.plan()).toEqual([]);
  });

  it("needs no wait if the application has it", async () => {
    shop = await Scenario.start({ appRoleDelaySeconds: 1 });
    const { clientId } = shop.cloud.applications.create({ displayName: "orders" });
    await shop.write(shop.orders(clientId, { existingAssignments: ["eventGrid"] }));
    expect(await shop.apply()).not.toContain("create terraform_data");
  });
});
