import { DataResource, Token } from "cdktf";
import { CloudEventGridBinding, WebhookApplication } from "cloud-eventgrid-binding";
import { afterEach, beforeEach, expect, it } from "vitest";
import { later, ORIGIN, Scenario } from "./scenario.js";
import type { ShopStack } from "./synthesize.js";
import { describeWithTerraform } from "./with-terraform.js";

let shop: Scenario;
beforeEach(async () => {
  shop = await Scenario.start();
});
afterEach(() => shop.stop());

/** Types of the resources that Terraform created. */
const createdTypes = async () => (await shop.terraform.state()).map(({ type }) => type).sort();

const wrong = (stack: ShopStack) => ({
  ...shop.place,
  subscriberEndpoint: later(stack, "endpoint", "http://orders.example.com"),
  handshakePort: later(stack, "port", "99999"),
  scope: shop.subscription,
  webhookProbe: true,
});

describeWithTerraform("an invalid value that is known only at apply", () => {
  it("is reported with all others before any resource of the binding is created", async () => {
    const clientId = shop.newApplication();
    const before = shop.objectCounts;
    await shop.write((stack) => {
      new CloudEventGridBinding(stack, "orders", { ...wrong(stack), cloudClientId: clientId });
    });
    const failure = await shop.failedApply();
    expect(failure).toContain("subscriberEndpoint must be an https URL with a host");
    expect(failure).toContain('but is "http://orders.example.com"');
    expect(failure).toContain("handshakePort must be a string holding a port number");
    expect(failure).toContain('but is "99999"');
    expect(shop.objectCounts).toEqual(before);
    expect(await createdTypes()).toEqual(["terraform_data", "terraform_data"]);
  });

  it("leaves the stack's own application without assignments", async () => {
    const before = shop.objectCounts;
    await shop.write((stack) => {
      const application = new WebhookApplication(stack, "webhook", { displayName: "orders" });
      new CloudEventGridBinding(stack, "orders", { ...wrong(stack), application });
    });
    expect(await shop.failedApply()).toContain('but is "99999"');
    const { appRoleAssignments, roleAssignments, eventSubscriptions } = before;
    expect(shop.objectCounts).toMatchObject({
      appRoleAssignments,
      roleAssignments,
      eventSubscriptions,
    });
    expect(await createdTypes()).toEqual([
      "azuread_application_app_role",
      "azuread_application_registration",
      "azuread_service_principal",
      "terraform_data",
      "terraform_data",
    ]);
  });
});

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
