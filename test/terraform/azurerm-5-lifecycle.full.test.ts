import { afterEach, expect, it } from "vitest";
import { confirmValidation } from "../local/support/webhook.js";
import { Scenario } from "./scenario.js";
import type { ShopStack } from "./synthesize.js";
import { describeWithTerraform } from "./with-terraform.js";

let shop: Scenario;
afterEach(() => shop.stop());

async function withAzurerm5(environment: Readonly<Record<string, string>> = {}) {
  shop = await Scenario.start({ eventGridRegistered: false }, environment, "real", "5.2.0");
}

describeWithTerraform("a stack with azurerm 5", () => {
  async function failsItsHandshake(features: object) {
    await withAzurerm5();
    const clientId = shop.newApplication();
    shop.webhook.answer = () => ({ status: 503 });
    const build = (stack: ShopStack) => {
      stack.azurerm.addOverride("features.0", features);
      shop.orders(clientId)(stack);
    };
    await shop.write(build);
    expect(await shop.failedApply()).toContain("Webhook validation handshake failed");
    shop.webhook.answer = confirmValidation;
  }

  it("does not know the subscription whose handshake failed, and leaves it behind", async () => {
    await failsItsHandshake({});
    expect(await shop.failedApply()).toContain("already exists");
    await shop.terraform.destroy();
    expect(shop.cloud.eventSubscriptions.list()).toHaveLength(1);
  });

  it("replaces that subscription if the provider persists IDs early", async () => {
    await failsItsHandshake({ persist_id_on_create_before_polling_for_completion: true });
    expect(await shop.applyCleanly()).toEqual(["replace azurerm_eventgrid_event_subscription"]);
    expect(shop.handshakes).toHaveLength(2);
    expect(shop.cloud.control.registrations.find("Microsoft.EventGrid")?.state).toBe("Registered");
  });

  it("is refused where the variable of azurerm 4 for enhanced validation is set", async () => {
    await withAzurerm5({ ARM_PROVIDER_ENHANCED_VALIDATION: "false" });
    await shop.write(shop.orders(shop.newApplication()));
    await expect(shop.plan()).rejects.toThrow(
      "`ARM_PROVIDER_ENHANCED_VALIDATION` has been removed in v5.0",
    );
  });
});
