import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { command } from "../cli/command.js";
import { directoryWith } from "../cli/temporary.js";
import { azurermReleases, requireTerraform } from "../stand-ins/src/index.js";
import { root } from "../support/project.js";
import { describeWithTerraform } from "../terraform/with-terraform.js";
import { Shop, WEBHOOK_URL } from "./shop.js";

let shop: Shop;
afterEach(() => shop.stop());

const components = join(root, "examples/from-component/components");
const document = readFileSync(join(components, "orders-earlier.yaml"), "utf8").replace(
  "https://events.example.com/api/events",
  WEBHOOK_URL,
);

describeWithTerraform("the lines of convert --terraform --adopted", () => {
  it.each(azurermReleases)(
    "are formatted, and take over the subscription of a component, with azurerm %s",
    async (release) => {
      shop = await Shop.start(release);
      const { cloud } = shop;
      const clientId = "44444444-4444-4444-8444-444444444444";
      cloud.applications.create({ displayName: "orders", clientId });
      const { id: scope } = cloud.topics.create({ name: "orders", resourceGroupName: "shop" });
      const name = "ordersearlier";
      await cloud.eventSubscriptions.create({ name, scope, endpointUrl: WEBHOOK_URL, clientId });

      const directory = directoryWith({ "orders.yaml": document });
      const args = ["convert", "--terraform", "orders.yaml", "--adopted"];
      const { out } = await command(args, { directory });
      execFileSync(requireTerraform(), ["fmt", "-check", "-"], { input: out });
      const { terraform } = await shop.configuration(
        out.replace("../cloud-eventgrid-binding/terraform", "./terraform"),
      );
      const { changes } = await terraform.apply();
      expect(changes.map(({ action, type }) => `${action} ${type}`)).toContain(
        "update azurerm_eventgrid_event_subscription",
      );
      expect(cloud.handshakes()).toHaveLength(2);
      expect((await terraform.plan()).changes).toEqual([]);
    },
  );
});
