import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { command } from "../cli/command.js";
import { azurermReleases } from "../stand-ins/src/index.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { describeWithTerraform } from "../terraform/with-terraform.js";
import { Shop, WEBHOOK_URL } from "./shop.js";

let shop: Shop;
afterEach(() => shop.stop());

const orders = (settings: string) => `module "topic" {
  source              = "./terraform/modules/topic"
  name                = "orders"
  resource_group_name = "shop"
  location            = "westeurope"
}
module "orders" {
  source      = "./terraform"
  name        = "orders"
  webhook_url = "${WEBHOOK_URL}"
  scope       = module.topic.id
${settings}}
`;

describeWithTerraform("explain-plan", () => {
  it.each(azurermReleases)(
    "says which events a change of the module loses, with azurerm %s",
    async (release) => {
      shop = await Shop.start(release);
      await shop.createGroup();
      const { terraform, write } = await shop.configuration(orders(""));
      await terraform.apply();
      const explained = async (settings: string) => {
        write(orders(settings));
        const directory = temporaryFolder();
        writeFileSync(join(directory, "plan.json"), await terraform.planJson());
        return (await command(["explain-plan", "plan.json"], { directory })).out;
      };
      expect(await explained('  included_event_types = ["shop.order.placed"]\n')).toContain(
        "LOST       any other type: no longer delivered to",
      );
      expect(await explained("  create_event_subscription = false\n")).toContain(
        "LOST       every type: no longer delivered to",
      );
      expect(await explained('  labels = ["shop"]\n')).not.toContain("LOST");
    },
  );
});
