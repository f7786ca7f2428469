import { ResourceGroup } from "@cdktf/provider-azurerm/lib/resource-group/index.js";
import { StorageAccount } from "@cdktf/provider-azurerm/lib/storage-account/index.js";
import { CloudEventGridTopic, WebhookApplication } from "cloud-eventgrid-binding";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Scenario } from "./scenario.js";
import type { ShopStack } from "./synthesize.js";
import { describeWithTerraform } from "./with-terraform.js";

/** The specification's four kinds of scopes, and the resources that each needs. */
const shapes = {
  "a subscription": (_stack: ShopStack, subscription: string) => `${subscription}/`,
  "a resource group": (stack: ShopStack) => group(stack).id,
  "a top-level resource": (stack: ShopStack) =>
    new StorageAccount(stack, "letters", {
      name: "letters",
      resourceGroupName: group(stack).name,
      location: "westeurope",
      accountTier: "Standard",
      accountReplicationType: "LRS",
    }).id,
  "an event-routing topic": (stack: ShopStack) =>
    new CloudEventGridTopic(stack, "topic", {
      resourceGroupName: group(stack).name,
      location: "westeurope",
      topicName: "orders",
    }).id,
};
const group = (stack: ShopStack) =>
  new ResourceGroup(stack, "group", { name: "shop", location: "westeurope" });

const writers = {
  "the deployer": {},
  "the client": { writer: "client", cloudClientSecret: "s3cret", roleEffectSeconds: 1 },
} as const;

/** The application exists in each case; its principal exists or is created by the stack. */
const principals = {
  "an existing principal": "lookup",
  "a provisioned principal": "provision",
} as const;

let shop: Scenario;
beforeEach(async () => {
  shop = await Scenario.start();
});
afterEach(() => shop.stop());

/** An application that was created by hand, with a secret, and with or without a principal. */
function register(principal: string): string {
  const { applications, servicePrincipals } = shop.tenant;
  const { clientId } = applications.create({ displayName: "orders", secret: "s3cret" });
  if (principal === "lookup") {
    const { objectId } = servicePrincipals.create({ clientId });
    // For the provider that signs in as the client: it lists the resource providers first.
    shop.cloud.control.assignRole("Reader", objectId, shop.subscription);
  }
  return clientId;
}

/** Every shape, and every shape that the other ways could treat differently. */
const lives: [
  writer: keyof typeof writers,
  principal: keyof typeof principals,
  shape: keyof typeof shapes,
][] = [
  ["the deployer", "an existing principal", "a subscription"],
  ["the deployer", "an existing principal", "a resource group"],
  ["the deployer", "an existing principal", "a top-level resource"],
  ["the deployer", "an existing principal", "an event-routing topic"],
  ["the deployer", "a provisioned principal", "a subscription"],
  ["the deployer", "a provisioned principal", "an event-routing topic"],
  // The client has to exist before anything is created, because it signs in when Terraform plans.
  ["the client", "an existing principal", "a subscription"],
  ["the client", "an existing principal", "an event-routing topic"],
];

describeWithTerraform("the whole life of a binding", () => {
  it.each(lives)("written by %s with %s passes without errors at %s", async (...life) => {
    const [writer, principal, shape] = life;
    await live(shape, writers[writer], principals[principal]);
  });
});

async function live(
  shape: keyof typeof shapes,
  options: (typeof writers)[keyof typeof writers],
  servicePrincipal: (typeof principals)[keyof typeof principals],
) {
  const clientId = register(servicePrincipal);
  const write = (changed: object = {}) =>
    shop.write((stack) => {
      const application = WebhookApplication.fromClientId(stack, "webhook", {
        clientId,
        servicePrincipal,
      });
      const scope = shapes[shape](stack, shop.subscription);
      shop.binding(stack, { application, scope, ...options, ...changed });
    });
  const subscriptions = () => shop.cloud.eventSubscriptions.list();
  const assignments = shop.cloud.control.roleAssignments.list().length;

  await write();
  await shop.terraform.validate();
  expect(await shop.apply()).toContain("create azurerm_eventgrid_event_subscription");
  expect(await shop.plan(), "a second plan").toEqual([]);
  expect(subscriptions()).toMatchObject([{ name: "orders", provisioningState: "Succeeded" }]);

  await write({ subjectFilter: { beginsWith: "orders/" }, labels: ["shop"] });
  expect(await shop.apply()).toEqual(["update azurerm_eventgrid_event_subscription"]);
  expect(await shop.plan(), "a plan after the update").toEqual([]);
  expect(shop.handshakes, "a handshake each").toHaveLength(2);

  await write({ eventSubscriptionName: "invoices" });
  expect(await shop.apply()).toEqual(["replace azurerm_eventgrid_event_subscription"]);
  expect(await shop.plan(), "a plan after the replacement").toEqual([]);
  expect(subscriptions()).toMatchObject([{ name: "invoices" }]);

  await shop.destroyAll();
  expect(shop.cloud.control.roleAssignments.list()).toHaveLength(assignments);
  const { appRoles } = shop.tenant.applications.byClientId(clientId) ?? {};
  expect(appRoles, "the application stays, without the role").toEqual([]);
}
