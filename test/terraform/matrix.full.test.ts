import { ResourceGroup } from "@cdktf/provider-azurerm/lib/resource-group/index.js";
import { StorageAccount } from "@cdktf/provider-azurerm/lib/storage-account/index.js";
import { CloudEventGridBinding, CloudEventGridTopic } from "cloud-eventgrid-binding";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Scenario } from "./scenario.js";
import type { ShopStack } from "./synthesize.js";
import { describeWithTerraform } from "./with-terraform.js";

/** The specification's four shapes of a scope, and what has to be made for each. */
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

/** The application exists in each; its principal exists, or is made by the stack. */
const principals = {
  "an existing principal": "lookup",
  "a provisioned principal": "provision",
} as const;

type Options = (typeof writers)[keyof typeof writers] & {
  readonly servicePrincipal: (typeof principals)[keyof typeof principals];
};

let shop: Scenario;
beforeEach(async () => {
  shop = await Scenario.start();
});
afterEach(() => shop.stop());

/** An application as somebody made it by hand, with a secret, and with or without a principal. */
function register(principal: string): string {
  const { cloud } = shop;
  const tenant = cloud.directory.tenant(cloud.tenantId);
  const application = tenant?.applications.create({ displayName: "orders", secret: "s3cret" });
  if (tenant === undefined || application === undefined) throw new Error("there is no tenant");
  if (principal === "lookup") {
    const { clientId } = application;
    const { objectId } = tenant.servicePrincipals.create({ clientId });
    // For the provider that signs in as the client: it lists the resource providers first.
    cloud.control.assignRole("Reader", objectId, `/subscriptions/${cloud.subscriptionId}`);
  }
  return application.clientId;
}

describeWithTerraform("the whole life of a binding", () => {
  for (const [writer, writing] of Object.entries(writers)) {
    for (const [principal, servicePrincipal] of Object.entries(principals)) {
      // Who signs in has to exist before anything is made.
      if (writer === "the client" && servicePrincipal === "provision") continue;
      describe(`written by ${writer}, with ${principal}`, () => {
        it.each(Object.keys(shapes))("passes without errors at %s", async (shape) => {
          await live(shape as keyof typeof shapes, { ...writing, servicePrincipal });
        });
      });
    }
  }
});

async function live(shape: keyof typeof shapes, options: Options) {
  const cloudClientId = register(options.servicePrincipal);
  const write = (changed: object = {}) =>
    shop.write((stack) => {
      new CloudEventGridBinding(stack, "orders", {
        ...shop.place,
        cloudClientId,
        eventSubscriptionName: "orders",
        scope: shapes[shape](stack, `/subscriptions/${shop.cloud.subscriptionId}`),
        ...options,
        ...changed,
      });
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
  expect(shop.webhook.handshakes, "a handshake each").toHaveLength(2);

  await write({ eventSubscriptionName: "invoices" });
  expect(await shop.apply()).toEqual(["replace azurerm_eventgrid_event_subscription"]);
  expect(await shop.plan(), "a plan after the replacement").toEqual([]);
  expect(subscriptions()).toMatchObject([{ name: "invoices" }]);

  await shop.terraform.destroy();
  expect(await shop.terraform.state()).toEqual([]);
  expect(subscriptions()).toEqual([]);
  expect(shop.cloud.control.roleAssignments.list()).toHaveLength(assignments);
}
