import { DataResource, Token } from "cdktf";
import { type IWebhookApplication, WebhookApplication } from "cloud-eventgrid-binding";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ORIGIN, Scenario } from "./scenario.js";
import type { ShopStack } from "./synthesize.js";
import { describeWithTerraform } from "./with-terraform.js";

let shop: Scenario;
beforeEach(async () => {
  shop = await Scenario.start();
});
afterEach(() => shop.stop());

describeWithTerraform(
  "a service that needs the application before its own address is known",
  () => {
    const applications = {
      "created by the stack": (stack: ShopStack) =>
        new WebhookApplication(stack, "webhook", { displayName: "orders" }),
      "with a principal created by the stack": (stack: ShopStack) => {
        const { tenant } = shop;
        const clientId = tenant.applications.create({ displayName: "orders" }).clientId ?? "";
        const servicePrincipal = "provision";
        return WebhookApplication.fromClientId(stack, "webhook", { clientId, servicePrincipal });
      },
      "that exists": (stack: ShopStack) => {
        const clientId = shop.newApplication();
        return WebhookApplication.fromClientId(stack, "webhook", { clientId });
      },
    };

    const write = (make: (stack: ShopStack) => IWebhookApplication) =>
      shop.write((stack) => {
        const application = make(stack);
        const service = new DataResource(stack, "service", {
          input: {
            of: `${application.clientId} ${application.principalId}`,
            url: `${ORIGIN}/hook`,
          },
        });
        const binding = shop.binding(stack, {
          application,
          subscriberEndpoint: Token.asString(service.interpolationForAttribute("output.url")),
        });
        binding.waitFor(service);
      });

    it.each(["with a principal created by the stack", "that exists"] as const)(
      "causes no dependency cycle with an application %s",
      async (which) => {
        await write(applications[which]);
        expect(await shop.plan()).toContain("create azurerm_eventgrid_event_subscription");
      },
    );

    it("gets the handshake at the address, with an application created by the stack", async () => {
      await write(applications["created by the stack"]);
      await shop.apply();
      expect(shop.handshakes).toEqual(["/hook"]);
    });
  },
);
