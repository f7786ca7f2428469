import { DataAzurermClientConfig } from "@cdktf/provider-azurerm/lib/data-azurerm-client-config/index.js";
import { CloudEventGridBinding, WebhookApplication } from "cloud-eventgrid-binding";
import { Construct } from "constructs";
import { decodeJwt } from "jose";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Scenario } from "./scenario.js";
import type { ShopStack } from "./synthesize.js";
import { describeWithTerraform } from "./with-terraform.js";

let shop: Scenario;
beforeEach(async () => {
  shop = await Scenario.start();
});
afterEach(() => shop.stop());

const ROLE = "AzureEventGridSecureWebhookSubscriber";

/** The roles in a token of a delivery that Event Grid would send now. */
const rolesInToken = async (clientId: string) =>
  decodeJwt(await shop.cloud.tokens.delivery({ clientId })).roles;

/** An application's roles in the directory, and the number of their assignments. */
const directory = (clientId: string) => {
  const { tenant } = shop;
  const application = tenant.applications.byClientId(clientId);
  const roles = application?.appRoles ?? [];
  const held = tenant.appRoleAssignments.list() ?? [];
  return {
    roles: roles.map(({ value }) => value),
    holders: held.filter(({ appRoleId }) => roles.some(({ id }) => id === appRoleId)).length,
  };
};

const binding = (stack: ShopStack, id: string, from: Construct, name: string, clientId: string) =>
  new CloudEventGridBinding(stack, id, {
    ...shop.place,
    application: WebhookApplication.fromClientId(from, name, { clientId }),
    eventSubscriptionName: id,
    scope: shop.subscription,
  });

describeWithTerraform("an existing application", () => {
  it("keeps its role and assignments when it is named another way", async () => {
    const clientId = shop.newApplication();
    await shop.write(shop.orders(clientId));
    await shop.apply();
    const before = directory(clientId);
    expect(before).toEqual({ roles: [ROLE], holders: 3 });
    expect(await rolesInToken(clientId)).toEqual([ROLE]);

    await shop.write((stack) => {
      binding(stack, "orders", stack, "webhook", clientId);
    });
    expect(await shop.plan(), "as a construct").toEqual([]);
    expect(await shop.apply()).toEqual([]);
    expect(await rolesInToken(clientId)).toEqual([ROLE]);

    await shop.write((stack) => {
      binding(stack, "orders", new Construct(stack, "service"), "renamed", clientId);
    });
    expect(await shop.plan(), "as a construct of another path").toEqual([]);

    await shop.write((stack) => {
      shop.orders(clientId)(stack);
      binding(stack, "invoices", stack, "webhook", clientId);
      WebhookApplication.fromClientId(stack, "again", { clientId });
    });
    expect(await shop.apply(), "in several ways at once").toEqual([
      "create azurerm_eventgrid_event_subscription",
    ]);
    expect(await shop.plan()).toEqual([]);
    expect(directory(clientId)).toEqual(before);
    expect(await rolesInToken(clientId)).toEqual([ROLE]);

    await shop.terraform.destroy();
    expect(directory(clientId)).toEqual({ roles: [], holders: 0 });
  });
});

describeWithTerraform("a writer that is the webhook's own application", () => {
  it("gets the app role once, next to the identity that applies", async () => {
    await shop.write((stack) => {
      const application = new WebhookApplication(stack, "webhook", { displayName: "orders" });
      const deployer = new DataAzurermClientConfig(stack, "deployer").objectId;
      shop.binding(stack, {
        application,
        writerPrincipals: [
          { objectId: application.principalId, principalType: "ServicePrincipal" },
          { objectId: deployer, principalType: "ServicePrincipal" },
        ],
      });
    });
    const made = await shop.apply();
    expect(made.filter((each) => each === "create azuread_app_role_assignment")).toHaveLength(3);
    expect(made.filter((each) => each === "create azurerm_role_assignment")).toHaveLength(2);
    expect(await shop.plan()).toEqual([]);
    await shop.terraform.destroy();
  });
});
