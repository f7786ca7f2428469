import {
  CloudEventGridBinding,
  type CloudEventGridBindingProps,
  WebhookApplication,
} from "cloud-eventgrid-binding";
import { afterEach, beforeEach, expect, it } from "vitest";
import { signIn } from "../local/support/management-client.js";
import { Terraform } from "../stand-ins/src/index.js";
import { Scenario } from "./scenario.js";
import { createAccount } from "./storage.js";
import { Synthesis } from "./synthesize.js";
import { describeWithTerraform } from "./with-terraform.js";

let shop: Scenario;
let neighbour: Synthesis;
let terraform: Terraform;
let clientId: string;
beforeEach(async () => {
  shop = await Scenario.start();
  neighbour = new Synthesis("parcels");
  terraform = new Terraform({ directory: neighbour.directory, providers: shop.providers });
  const call = await signIn(shop.cloud);
  await call("PUT", group(), { location: "westeurope" });
  clientId = shop.cloud.applications.create({ displayName: "shop", roles: [] }).clientId;
});
afterEach(() => shop.stop());

/** The other stack: a binding of the same application, whose role and assignments it leaves alone. */
async function write(scope: string, existing: CloudEventGridBindingProps["existingAssignments"]) {
  neighbour.write((stack) => {
    new CloudEventGridBinding(stack, "parcels", {
      ...shop.place,
      application: WebhookApplication.fromClientId(stack, "webhook", {
        clientId,
        existingAssignments: ["eventGrid", "client"],
      }),
      eventSubscriptionName: "parcels",
      scope,
      ...(existing && { existingAssignments: existing }),
    });
  });
  await terraform.init();
}

const group = () => `${shop.subscription}/resourceGroups/parcels`;
const names = () => shop.cloud.eventSubscriptions.list().map(({ name }) => name);
const appliedTypes = async () => (await terraform.apply()).changes.map(({ type }) => type).sort();
const roles = () => {
  const { tenant } = shop;
  return tenant.applications.byClientId(clientId)?.appRoles.length;
};

describeWithTerraform("two stacks with one application", () => {
  it("keep role and assignments in one stack when the other one is destroyed", async () => {
    await shop.write(shop.orders(clientId));
    await shop.apply();
    await write(group(), ["writers"]);
    expect(await appliedTypes()).toEqual([
      "azurerm_eventgrid_event_subscription",
      "azurerm_role_assignment",
    ]);
    expect((await terraform.plan()).changes).toEqual([]);
    expect(await shop.plan()).toEqual([]);
    expect(names().sort()).toEqual(["orders", "parcels"]);

    await terraform.destroy();
    expect(await shop.plan(), "the owner misses nothing").toEqual([]);
    expect([names(), roles()]).toEqual([["orders"], 1]);
  });

  it("share the application's right at a common scope", async () => {
    await shop.write(shop.orders(clientId));
    await shop.apply();
    await write(shop.subscription, ["writers"]);
    await expect(terraform.apply()).rejects.toThrow("RoleAssignmentExists");

    await write(shop.subscription, ["writers", "clientAtScope"]);
    expect(await appliedTypes()).toEqual(["azurerm_eventgrid_event_subscription"]);
    expect((await terraform.plan()).changes).toEqual([]);
  });

  it("lose the role with the stack that owns it", async () => {
    await shop.write(shop.orders(clientId));
    await shop.apply();
    await write(group(), ["writers"]);
    await terraform.apply();
    await shop.terraform.destroy();
    expect(roles()).toBe(0);
    expect((await terraform.plan()).changes).toMatchObject([
      { action: "create", type: "azuread_application_app_role" },
      { action: "create", type: "terraform_data" },
    ]);
  });
});

describeWithTerraform("two stacks whose services receive from one topic", () => {
  it("share the role of its identity at one container, which the first stack has waited for", async () => {
    const storageAccount = await createAccount(shop.cloud, "letters", "dead");
    const deadLetter = (principalId: string | undefined) => ({
      deadLetter: {
        storageAccount,
        container: "dead",
        identity: { type: "SystemAssigned", ...(principalId && { principalId }) },
      },
    });
    await shop.write((stack) => {
      const topic = shop.topic(stack, { identity: { type: "SystemAssigned" } });
      shop.binding(stack, { scope: topic.id, ...deadLetter(topic.principalId) });
    });
    await shop.apply();

    const state = await shop.terraform.state();
    const topic = state.find(({ type }) => type === "azurerm_eventgrid_topic")?.values ?? {};
    const [identity] = Array.isArray(topic.identity) ? topic.identity : [];
    const writeNeighbour = (settings: object) => {
      neighbour.write((stack) => {
        shop.binding(stack, {
          application: new WebhookApplication(stack, "webhook", { displayName: "parcels" }),
          eventSubscriptionName: "parcels",
          scope: topic.id,
          ...deadLetter(identity?.principal_id),
          ...settings,
        });
      });
      return terraform.init();
    };
    await writeNeighbour({});
    await expect(terraform.apply()).rejects.toThrow("RoleAssignmentExists");
    await writeNeighbour({ existingAssignments: ["deadLetter"] });
    await terraform.apply();
    expect((await terraform.plan()).changes).toEqual([]);
    expect(names().sort()).toEqual(["orders", "parcels"]);
  });
});
