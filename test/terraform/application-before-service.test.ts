import { DataResource, Token } from "cdktf";
import { WebhookApplication } from "cloud-eventgrid-binding";
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

    it.each(Object.entries(applications))(
      "causes no dependency cycle with an application %s",
      async (_, make) => {
        await shop.write((stack) => {
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
        await shop.apply();
        expect(shop.handshakes).toEqual(["/hook"]);
      },
    );
  },
);
