import { WebhookApplication } from "cloud-eventgrid-binding";
import { afterEach, expect, it } from "vitest";
import { Scenario } from "../terraform/scenario.js";
import { describeWithTerraform } from "../terraform/with-terraform.js";

const PIPELINE = "44444444-4444-4444-8444-444444444444";
const GRAPH = "00000003-0000-0000-c000-000000000000";
const ROLE = "AzureEventGridSecureWebhookSubscriber";
const WRITES = "EventGrid EventSubscription Contributor";
const ASSIGNS = "Role Based Access Control Administrator";

let shop: Scenario;
afterEach(() => shop.stop());

/** What whoever applies is allowed to do. */
interface Rights {
  readonly azure: readonly string[];
  readonly graph: readonly string[];
}

/** A pipeline that applies with these rights and no others; every one of them may read. */
async function applyingWith({ azure, graph }: Rights) {
  shop = await Scenario.start(
    { eventGridRegistered: true },
    { ARM_CLIENT_ID: PIPELINE, ARM_CLIENT_SECRET: "only-for-tests" },
  );
  const { cloud } = shop;
  const { servicePrincipal: pipeline } = cloud.applications.create({
    displayName: "pipeline",
    clientId: PIPELINE,
    secret: "only-for-tests",
    roles: [],
  });
  const subscription = `/subscriptions/${cloud.subscriptionId}`;
  for (const role of ["Reader", ...azure]) {
    cloud.control.assignRole(role, pipeline.objectId, subscription);
  }
  const tenant = cloud.directory.tenant(cloud.tenantId);
  const msGraph = tenant?.servicePrincipals.byClientId(GRAPH);
  for (const permission of graph) {
    if (msGraph) tenant?.grant(pipeline, msGraph, permission);
  }
  return { cloud, tenant, pipeline, subscription };
}

const deployerWrites: Rights = {
  azure: [WRITES, ASSIGNS],
  graph: ["Application.ReadWrite.All", "AppRoleAssignment.ReadWrite.All"],
};

describeWithTerraform("an application that is looked up, the deployer writes", () => {
  const application = (roles: readonly string[]) =>
    shop.cloud.applications.create({ displayName: "orders", roles }).clientId;

  it("takes what the table says, and no more", async () => {
    await applyingWith(deployerWrites);
    await shop.write(shop.orders(application([])));
    await shop.apply();
    expect(await shop.plan()).toEqual([]);
    await shop.terraform.destroy();
  });

  it.each([
    ["writing event subscriptions", { azure: [ASSIGNS] }, "Microsoft.EventGrid/eventSubscriptions"],
    ["assigning roles", { azure: [WRITES] }, "Microsoft.Authorization/roleAssignments/write"],
    [
      "assigning app roles",
      { graph: ["Application.ReadWrite.All"] },
      "Authorization_RequestDenied",
    ],
    [
      "adding the app role",
      { graph: ["Application.Read.All", "AppRoleAssignment.ReadWrite.All"] },
      "Authorization_RequestDenied",
    ],
  ])("fails without the right of %s", async (_, less, message) => {
    await applyingWith({ ...deployerWrites, ...less });
    await shop.write(shop.orders(application([])));
    expect(await shop.failedApply()).toContain(message);
  });

  it("takes no right to change applications where the app role is there", async () => {
    await applyingWith({
      ...deployerWrites,
      graph: ["Application.Read.All", "AppRoleAssignment.ReadWrite.All"],
    });
    const clientId = application([ROLE]);
    await shop.write(shop.orders(clientId, { existingAssignments: ["eventGrid"] }));
    await shop.apply();
    expect(await shop.plan()).toEqual([]);
  });
});

describeWithTerraform("a pipeline that has no right to assign anything", () => {
  it("makes the event subscription and nothing else", async () => {
    const { cloud, tenant, pipeline, subscription } = await applyingWith({
      azure: [WRITES],
      graph: ["Application.Read.All"],
    });
    const { clientId, servicePrincipal } = cloud.applications.create({
      displayName: "orders",
      roles: [ROLE],
    });
    tenant?.grant(pipeline, servicePrincipal, ROLE);
    tenant?.grant(servicePrincipal, servicePrincipal, ROLE);
    cloud.control.assignRole(WRITES, servicePrincipal.objectId, subscription);

    await shop.write((stack) => {
      const application = WebhookApplication.fromClientId(stack, "webhook", {
        clientId,
        existingAssignments: ["eventGrid", "client"],
      });
      shop.orders(clientId, {
        cloudClientId: undefined,
        application,
        existingAssignments: ["writers", "clientAtScope"],
      })(stack);
    });
    expect(await shop.apply()).toEqual(["create azurerm_eventgrid_event_subscription"]);
    expect(await shop.plan()).toEqual([]);
  });
});

describeWithTerraform("an application that the stack makes", () => {
  it("takes the right to make applications", async () => {
    const build = (stack: Parameters<Parameters<typeof shop.write>[0]>[0]) => {
      const application = new WebhookApplication(stack, "webhook", { displayName: "orders" });
      shop.orders("", { cloudClientId: undefined, application })(stack);
    };
    await applyingWith(deployerWrites);
    await shop.write(build);
    await shop.apply();
    await shop.stop();

    await applyingWith({
      ...deployerWrites,
      graph: ["Application.Read.All", "AppRoleAssignment.ReadWrite.All"],
    });
    await shop.write(build);
    expect(await shop.failedApply()).toContain("Authorization_RequestDenied");
  });
});
