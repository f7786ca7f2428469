import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { azurermReleases } from "../stand-ins/src/index.js";
import { root } from "../support/project.js";
import { createNetwork, networkId } from "../terraform/network.js";
import { createAccount } from "../terraform/storage.js";
import { describeWithTerraform } from "../terraform/with-terraform.js";
import { Shop, WEBHOOK_URL } from "./shop.js";

let shop: Shop;
afterEach(() => shop.stop());

const webhook_url = WEBHOOK_URL;
const pipeline = () =>
  shop.cloud.applications.create({ displayName: "pipeline", roles: [] }).servicePrincipal.objectId;
const accountId = () => createAccount(shop.cloud, "letters", "undelivered");

/** The variables of each example, and what exists before it. */
const examples: Readonly<Record<string, () => Record<string, string> | Promise<object>>> = {
  "container-app": () => ({ image: "shop:1" }),
  "storage-account": () => ({ webhook_url }),
  "several-scopes": () => ({ webhook_url }),
  "client-writes": () => {
    const client = { displayName: "orders", secret: "only-for-tests", roles: [] };
    const { clientId, servicePrincipal } = shop.cloud.applications.create(client);
    const { id: scope } = shop.cloud.topics.create({ name: "orders", resourceGroupName: "shop" });
    const subscription = `/subscriptions/${shop.cloud.subscriptionId}`;
    shop.cloud.control.assignRole("Reader", servicePrincipal.objectId, subscription);
    return { webhook_url, client_id: clientId, client_secret: client.secret, scope };
  },
  "existing-application": async () => {
    const client = shop.cloud.applications.create({ displayName: "orders" });
    const { id: scope } = shop.cloud.topics.create({ name: "orders", resourceGroupName: "shop" });
    const { clientId } = client;
    const existing = { name: "orders", scope, endpointUrl: webhook_url, clientId };
    await shop.cloud.eventSubscriptions.create(existing);
    return { webhook_url, client_id: clientId, scope };
  },
  production: async () => {
    await createNetwork(shop.cloud);
    return {
      webhook_url,
      subnet_id: `${networkId(shop.cloud)}/subnets/services`,
      virtual_network_id: networkId(shop.cloud),
      storage_account_id: await accountId(),
      log_analytics_workspace_id: `${shop.group}/providers/Microsoft.OperationalInsights/workspaces/shop`,
      pipeline_object_id: pipeline(),
    };
  },
  "two-services": async () => ({
    orders_url: webhook_url,
    invoices_url: webhook_url,
    storage_account_id: await accountId(),
    pipeline_object_id: pipeline(),
  }),
  pull: () => ({}),
};

describeWithTerraform("the examples of the module", () => {
  it("are those that have variables here", async () => {
    shop = await Shop.start();
    expect(Object.keys(examples).sort()).toEqual(
      readdirSync(join(root, "terraform/examples")).sort(),
    );
  });

  it.each(
    Object.keys(examples).flatMap((name) =>
      azurermReleases.map((release) => [name, release] as const),
    ),
  )("live a whole life: %s with azurerm %s", async (name, release) => {
    shop = await Shop.start(release);
    const variables = { ...(await examples[name]?.()) };
    const terraform = await shop.example(name, variables);
    await terraform.validate();
    await terraform.apply();
    expect((await terraform.plan()).changes).toEqual([]);
    await terraform.destroy();
    expect(await terraform.state()).toEqual([]);
    expect(shop.cloud.eventSubscriptions.list()).toEqual([]);
  });
});
