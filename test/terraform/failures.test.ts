import { afterEach, expect, it } from "vitest";
import { confirmValidation } from "../local/support/webhook.js";
import { ORIGIN, Scenario } from "./scenario.js";
import { describeWithTerraform } from "./with-terraform.js";

let shop: Scenario;
afterEach(() => shop.stop());

describeWithTerraform("a webhook that is not running", () => {
  it("fails the handshake and leaves an orphan, which can be adopted", async () => {
    shop = await Scenario.start();
    const clientId = shop.newApplication();
    shop.webhook.answer = () => ({ status: 503 });
    await shop.write(shop.orders(clientId));

    const failure = await shop.failedApply();
    expect(failure).toContain("polling after CreateOrUpdate");
    expect(failure).toContain('Code: "Url validation"');
    expect(failure).toContain(
      `Webhook validation handshake failed for ${ORIGIN}/api/events. Http OPTIONS request failed with response code ServiceUnavailable`,
    );

    shop.webhook.answer = confirmValidation;
    expect(await shop.failedApply()).toContain(
      'eventSubscriptions/orders" already exists - to be managed via Terraform this resource needs to be imported into the State',
    );
    expect(shop.handshakes, "nothing was written, so nobody asked").toHaveLength(1);

    await shop.write(shop.orders(clientId, { existingSubscription: "adopt" }));
    await shop.apply();
    expect(shop.handshakes).toHaveLength(2);
    await shop.write(shop.orders(clientId, { existingSubscription: "adopted" }));
    expect(await shop.plan()).toEqual([]);
  });

  it("fails an update, which the next apply repeats", async () => {
    shop = await Scenario.start();
    const clientId = shop.newApplication();
    await shop.write(shop.orders(clientId));
    await shop.apply();

    shop.webhook.answer = () => ({ status: 503 });
    await shop.write(
      shop.orders(clientId, { subscriberEndpoint: "https://new.example.com/hooks/orders" }),
    );
    expect(await shop.failedApply()).toContain("Webhook validation handshake failed");
    shop.webhook.answer = confirmValidation;
    await shop.applyCleanly();
    expect(shop.handshakes.at(-1)).toBe("/hooks/orders");
  });
});

describeWithTerraform("an Azure subscription without registration of Event Grid", () => {
  it("is registered when the provider is configured, from the first plan on", async () => {
    shop = await Scenario.start({ eventGridRegistered: false });
    const clientId = shop.newApplication();
    await shop.write(shop.orders(clientId));
    await shop.plan();
    expect(shop.cloud.control.registrations.find("Microsoft.EventGrid")?.state).toBe("Registered");
  });

  it('fails the apply if providerRegistration is "none"', async () => {
    shop = await Scenario.start({ eventGridRegistered: false });
    const clientId = shop.newApplication();
    await shop.write(shop.orders(clientId, { providerRegistration: "none" }));
    expect(await shop.failedApply()).toContain(
      "MissingSubscriptionRegistration: The subscription is not registered to use namespace 'Microsoft.EventGrid'",
    );
  });
});
