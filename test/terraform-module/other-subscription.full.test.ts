import { afterEach, expect, it } from "vitest";
import { blockIn, pageText } from "../docs/recipes.js";
import { signIn } from "../local/support/management-client.js";
import { azurermReleases } from "../stand-ins/src/index.js";
import { describeWithTerraform } from "../terraform/with-terraform.js";
import { Shop, WEBHOOK_URL } from "./shop.js";

let shop: Shop;
afterEach(() => shop.stop());

const page = blockIn(pageText("environments"), "hcl", "A repository of HCL");
const [, other = ""] = /subscription_id = "([^"]+)"/.exec(page) ?? [];
const service = `
module "orders" {
  source      = "./terraform"
  name        = "orders"
  webhook_url = "${WEBHOOK_URL}"
  scope       = module.topic.id
}
`;

describeWithTerraform("the topic in another Azure subscription of docs/environments.md", () => {
  it.each(azurermReleases)(
    "delivers to a service of the first, with azurerm %s",
    async (release) => {
      shop = await Shop.start(release, undefined, [other]);
      const call = await signIn(shop.cloud);
      const group = `/subscriptions/${other}/resourceGroups/shared`;
      await call("PUT", group, { location: "westeurope" });
      const { terraform } = await shop.configuration(page + service);
      await terraform.apply();
      const topic = `${group}/providers/Microsoft.EventGrid/topics/orders`;
      expect(shop.cloud.topics.list().map(({ id }) => id)).toEqual([topic]);
      expect(shop.cloud.eventSubscriptions.list().map(({ scope }) => scope)).toEqual([topic]);
      expect((await terraform.plan()).changes).toEqual([]);
      await terraform.destroy();
      expect(shop.cloud.topics.list()).toEqual([]);
    },
  );
});
