import { CloudEventGridBinding } from "cloud-eventgrid-binding";
import { afterEach, expect, it } from "vitest";
import { ORIGIN, Scenario } from "./scenario.js";
import type { ShopStack } from "./synthesize.js";
import { describeWithTerraform } from "./with-terraform.js";

let shop: Scenario;
afterEach(() => shop.stop());

const orders =
  (changed: object = {}) =>
  (stack: ShopStack) => {
    const existing = shop.cloud.directory.tenant(shop.cloud.tenantId)?.applications.list();
    const clientId = existing?.find(({ displayName }) => displayName === "orders")?.clientId;
    new CloudEventGridBinding(stack, "orders", {
      ...shop.place,
      cloudClientId: clientId ?? "",
      eventSubscriptionName: "orders",
      scope: `/subscriptions/${shop.cloud.subscriptionId}`,
      ...changed,
    });
  };

describeWithTerraform("a webhook that is not up", () => {
  it("fails the handshake, leaves an orphan, and is mended by adopting it", async () => {
    shop = await Scenario.start();
    shop.cloud.applications.create({ displayName: "orders", roles: [] });
    shop.webhook.status = 503;
    await shop.write(orders());

    const failure = await shop.failedApply();
    expect(failure).toContain("polling after CreateOrUpdate");
    expect(failure).toContain('Code: "Url validation"');
    expect(failure).toContain(
      `Webhook validation handshake failed for ${ORIGIN}/api/events. Http OPTIONS request failed with response code 503`,
    );

    shop.webhook.status = 200;
    expect(await shop.failedApply()).toContain(
      'eventSubscriptions/orders" already exists - to be managed via Terraform this resource needs to be imported into the State',
    );
    expect(shop.webhook.handshakes, "nothing was written, so nobody asked").toHaveLength(1);

    await shop.write(orders({ existingSubscription: "adopt" }));
    await shop.apply();
    expect(shop.webhook.handshakes).toHaveLength(2);
    await shop.write(orders({ existingSubscription: "adopted" }));
    expect(await shop.plan()).toEqual([]);
  });

  it("fails an update, which the next apply tries again", async () => {
    shop = await Scenario.start();
    shop.cloud.applications.create({ displayName: "orders", roles: [] });
    await shop.write(orders());
    await shop.apply();

    shop.webhook.status = 503;
    await shop.write(orders({ subscriberEndpoint: "https://new.example.com/hooks/orders" }));
    expect(await shop.failedApply()).toContain("Webhook validation handshake failed");
    shop.webhook.status = 200;
    await shop.apply();
    expect(await shop.plan()).toEqual([]);
    expect(shop.webhook.handshakes.at(-1)).toBe("/hooks/orders");
  });
});

describeWithTerraform("a subscription in which Event Grid is not registered", () => {
  it("is registered whenever the provider is configured, at the first plan already", async () => {
    shop = await Scenario.start({ eventGridRegistered: false });
    shop.cloud.applications.create({ displayName: "orders", roles: [] });
    await shop.write(orders());
    await shop.plan();
    expect(shop.cloud.control.registrations.find("Microsoft.EventGrid")?.state).toBe("Registered");
  });

  it("fails the apply where nothing registers it", async () => {
    shop = await Scenario.start({ eventGridRegistered: false });
    shop.cloud.applications.create({ displayName: "orders", roles: [] });
    await shop.write(orders({ providerRegistration: "none" }));
    expect(await shop.failedApply()).toContain(
      "MissingSubscriptionRegistration: The subscription is not registered to use namespace 'Microsoft.EventGrid'",
    );
  });
});
