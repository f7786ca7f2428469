import { CloudEventGridBinding, WebhookApplication, where } from "cloud-eventgrid-binding";
import { afterEach, expect, it } from "vitest";
import { confirmValidation } from "../local/support/webhook.js";
import { Scenario } from "./scenario.js";
import { createAccount } from "./storage.js";
import type { ShopStack } from "./synthesize.js";
import { describeWithTerraform } from "./with-terraform.js";

let shop: Scenario;
afterEach(() => shop.stop());

async function withAzurerm5(environment: Readonly<Record<string, string>> = {}) {
  shop = await Scenario.start({ eventGridRegistered: false }, environment, "real", "5.2.0");
}

describeWithTerraform("a stack with azurerm 5", () => {
  it("is created, changed and destroyed as with azurerm 4", async () => {
    await withAzurerm5();
    const storageAccount = await createAccount(shop.cloud, "letters", "dead");
    const before = shop.objectCounts;
    const build = (settings: object) => (stack: ShopStack) => {
      const topic = shop.topic(stack, {
        localAuthEnabled: true,
        identity: { type: "SystemAssigned" },
      });
      new CloudEventGridBinding(stack, "orders", {
        ...shop.place,
        application: new WebhookApplication(stack, "webhook", { displayName: "orders" }),
        scope: topic.id,
        topicEndpoint: topic.endpoint,
        accessKey: topic.accessKey,
        deadLetter: {
          storageAccount,
          container: "dead",
          identity: { type: "SystemAssigned" },
        },
        ...settings,
      });
    };
    await shop.write(
      build({
        includedEventTypes: ["shop.order.placed"],
        advancedFilters: [where("data.system").stringIn("north")],
        deliveryProperties: [{ headerName: "X-Shop", value: "north" }],
        labels: ["shop"],
      }),
    );
    await shop.terraform.validate();
    expect(await shop.applyCleanly()).toContain("create azurerm_eventgrid_event_subscription");
    expect(shop.cloud.control.registrations.find("Microsoft.EventGrid")?.state).toBe("Registered");

    await shop.write(build({}));
    expect(await shop.applyCleanly()).toEqual(["update azurerm_eventgrid_event_subscription"]);
    await shop.destroyAll();
    expect(shop.objectCounts).toEqual(before);
  });

  async function failsItsHandshake(features: object) {
    await withAzurerm5();
    const clientId = shop.newApplication();
    shop.webhook.answer = () => ({ status: 503 });
    const build = (stack: ShopStack) => {
      stack.azurerm.addOverride("features", [features]);
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
  });

  it("is refused where the variable of azurerm 4 for enhanced validation is set", async () => {
    await withAzurerm5({ ARM_PROVIDER_ENHANCED_VALIDATION: "false" });
    await shop.write(shop.orders(shop.newApplication()));
    await expect(shop.plan()).rejects.toThrow(
      "ARM_PROVIDER_ENHANCED_VALIDATION has been removed in v5.0",
    );
  });
});
