import { mkdirSync, symlinkSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import type { TerraformResource } from "cdktf";
import { EventGridServicePrincipal } from "cloud-eventgrid-binding";
import { afterEach, beforeEach, expect, it } from "vitest";
import { confirmValidation } from "../local/support/webhook.js";
import { ORIGIN, Scenario } from "./scenario.js";
import type { ShopStack } from "./synthesize.js";
import { describeWithTerraform } from "./with-terraform.js";

let shop: Scenario;
afterEach(() => shop.stop());

const EVENT_GRID = "4962773b-9cdb-44cf-a8bf-237846a00ab7";
const ROLE = "AzureEventGridSecureWebhookSubscriber";

const client = (changed: object = {}) => ({
  writer: "client",
  cloudClientSecret: "s3cret",
  roleEffectSeconds: 0,
  ...changed,
});

/** An application with a secret, whose principal may list the resource providers. */
function application(options: { reader: boolean }): string {
  const { cloud } = shop;
  const { clientId, servicePrincipal } = cloud.applications.create({
    displayName: "orders",
    secret: "s3cret",
    roles: [],
  });
  const { objectId } = servicePrincipal;
  if (options.reader) {
    cloud.control.assignRole("Reader", objectId, `/subscriptions/${cloud.subscriptionId}`);
  }
  return clientId;
}

describeWithTerraform("a client that writes event subscriptions", () => {
  it("fails with a wrong secret, which the message does not show", async () => {
    shop = await Scenario.start();
    await shop.write(
      shop.orders(application({ reader: true }), client({ cloudClientSecret: "not-it-at-all" })),
    );
    const failure = await shop.failedApply();
    expect(failure).toContain("clientCredentialsToken: received HTTP status 401");
    expect(failure).toContain("invalid_client");
    expect(failure).not.toContain("not-it-at-all");
  });

  it("cannot plan without the right to list resource providers", async () => {
    shop = await Scenario.start();
    await shop.write(shop.orders(application({ reader: false }), client()));
    const failure = await shop.failedApply();
    expect(failure).toContain("populating Resource Provider cache: listing Resource Providers");
    expect(failure).toContain("403");
    expect(failure).toContain("'Microsoft.Resources/subscriptions/providers/read'");
  });

  it("has Event Grid registered even if its roles exist already", async () => {
    shop = await Scenario.start({ eventGridRegistered: false });
    const { cloud } = shop;
    const clientId = application({ reader: true });
    const principal = shop.tenant.servicePrincipals.byClientId(clientId);
    const scope = `/subscriptions/${cloud.subscriptionId}`;
    const role = "EventGrid EventSubscription Contributor";
    cloud.control.assignRole(role, principal?.objectId ?? "", scope);
    await shop.write(shop.orders(clientId, client({ existingAssignments: ["clientAtScope"] })));
    await shop.applyCleanly();
    await shop.terraform.destroy();
  });

  it("fails while its role has no effect yet, and succeeds afterwards", async () => {
    shop = await Scenario.start(
      { roleAssignmentDelaySeconds: 600 },
      { ARM_PROVIDER_ENHANCED_VALIDATION: "false" },
      "stepped",
    );
    const clientId = application({ reader: false });
    await shop.write(shop.orders(clientId, client()));
    const failure = await shop.failedApply();
    expect(failure).toContain("checking for presence of existing Scoped Event Subscription");
    expect(failure).toContain("AuthorizationFailed");
    expect(failure).toContain("'Microsoft.EventGrid/eventSubscriptions/read'");
    expect(shop.cloud.eventSubscriptions.list()).toEqual([]);

    await shop.cloud.clock.advance({ seconds: 600 });
    await shop.apply();
    expect(shop.cloud.eventSubscriptions.list()).toHaveLength(1);
    expect(await shop.plan()).toEqual([]);
  });

  it("succeeds in one apply if roleEffectSeconds is long enough", async () => {
    shop = await Scenario.start(
      { roleAssignmentDelaySeconds: 1 },
      { ARM_PROVIDER_ENHANCED_VALIDATION: "false" },
    );
    const clientId = application({ reader: false });
    await shop.write(shop.orders(clientId, client({ roleEffectSeconds: 2 })));
    await shop.applyCleanly();
  });

  it("is removed in two steps, first the subscription and then its provider", async () => {
    shop = await Scenario.start();
    const clientId = application({ reader: true });
    await shop.write(shop.orders(clientId, client({ roleEffectSeconds: 1 })));
    await shop.apply();

    await shop.write(shop.orders(clientId, client({ roleEffectSeconds: 1, subscribed: false })));
    expect(await shop.apply()).toEqual(["delete azurerm_eventgrid_event_subscription"]);
    await shop.write(() => {});
    await shop.apply();
    expect(await shop.terraform.state()).toEqual([]);
  });

  it("leaves its subscription without a provider if both are removed at once", async () => {
    shop = await Scenario.start();
    await shop.write(shop.orders(application({ reader: true }), client({ roleEffectSeconds: 1 })));
    await shop.apply();
    await shop.write(() => {});
    expect(await shop.failedApply()).toContain("Provider configuration not present");
  });
});

describeWithTerraform("the principals of an event subscription", () => {
  beforeEach(async () => {
    shop = await Scenario.start();
  });

  it("include a writer with the app role, for which a role at the scope is not enough", async () => {
    const other = shop.cloud.applications.create({ displayName: "pipeline" });
    const { objectId } = other.servicePrincipal;
    const writerPrincipals = [{ objectId, principalType: "ServicePrincipal" }];
    await shop.write(shop.orders(application({ reader: true }), { writerPrincipals }));
    const failure = await shop.failedApply();
    expect(failure).toContain("Unauthorized");
    expect(failure).toContain(`must have the app role '${ROLE}'`);
    expect(shop.handshakes).toEqual([]);
  });

  it("include Event Grid's own, without which the plan fails", async () => {
    const { tenant } = shop;
    const principal = tenant.servicePrincipals.byClientId(EVENT_GRID);
    tenant.deleteServicePrincipal(principal?.objectId ?? "");
    const build = shop.orders(application({ reader: true }));
    await shop.write(build);
    expect(await shop.failedApply()).toContain("No service principal found");

    await shop.write((stack) => {
      new EventGridServicePrincipal(stack, "event-grid");
    });
    expect(await shop.apply()).toEqual(["create azuread_service_principal"]);
    await expect(shop.terraform.destroy()).rejects.toThrow(/instance cannot be destroyed/i);
  });
});

describeWithTerraform("a setup that exists already", () => {
  beforeEach(async () => {
    shop = await Scenario.start();
  });

  it("keeps its app role when the binding is destroyed", async () => {
    const { clientId, application } = shop.cloud.applications.create({ displayName: "orders" });
    await shop.write(shop.orders(clientId, { existingAssignments: ["eventGrid"] }));
    const made = await shop.apply();
    expect(made).not.toContain("create azuread_application_app_role");
    expect(await shop.plan()).toEqual([]);
    await shop.terraform.destroy();
    expect(application.appRoles.map(({ value }) => value)).toEqual([ROLE]);
  });
});

describeWithTerraform("a webhook that starts late", () => {
  it("is awaited by the probe, so that the apply succeeds", async () => {
    shop = await Scenario.start();
    const { cert, key } = shop.cloud.control.certificates.issue(["localhost"]);
    let probes = 0;
    const tls = createServer({ cert, key }, (request, response) => {
      request.resume();
      probes += 1;
      const up = probes > 2;
      response
        .writeHead(up ? 200 : 503, up ? { "webhook-allowed-origin": "*", allow: "POST" } : {})
        .end();
    });
    await new Promise<void>((listening) => tls.listen(0, "127.0.0.1", listening));
    const origin = `https://localhost:${(tls.address() as AddressInfo).port}`;
    shop.cloud.ingress.route(origin, shop.webhook.url);
    const modules = join(shop.directory, "node_modules");
    mkdirSync(modules, { recursive: true });
    symlinkSync(resolve("cli"), join(modules, "cloud-eventgrid"));
    const probed = (seconds: string) => (stack: ShopStack) => {
      const subscriberEndpoint = `${origin}/api/events?code=secret`;
      shop.orders(clientId, { subscriberEndpoint, webhookProbe: true })(stack);
      const probe = stack.node.findChild("orders").node.findChild("probe") as TerraformResource;
      probe.addOverride("provisioner.0.local-exec.interpreter.7", seconds);
    };
    const clientId = application({ reader: true });

    await shop.write(probed("1"));
    const failure = await shop.failedApply();
    expect(failure).toContain("local-exec provisioner error");
    expect(failure).toContain("503");
    expect(failure).not.toContain("code=secret");
    expect(shop.handshakes, "no subscription, no orphan").toEqual([]);

    probes = 1;
    await shop.write(probed("20"));
    await shop.apply();
    expect(shop.handshakes).toEqual(["/api/events?code=secret"]);
    expect(await shop.plan()).toEqual([]);
    tls.close();
  });
});

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
