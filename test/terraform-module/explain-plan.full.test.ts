import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { explainPlan, readPlan } from "../../cli/src/plan/index.js";
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

/** A container app with the host of the webhook, in an environment, and perhaps another one. */
const serviceAt = (settings: {
  image?: string;
  ingress?: string;
  inside?: string;
  more?: string;
}) =>
  `${orders("").replace(`"${WEBHOOK_URL}"`, '"https://orders.${azurerm_container_app_environment.shop.default_domain}/api/events"')}
resource "azurerm_container_app_environment" "shop" {
  name                = "shop"
  resource_group_name = "shop"
  location            = "westeurope"
  ${settings.inside ?? ""}
}
${app("orders", settings)}${settings.more ?? ""}`;

const app = (
  name: string,
  { image = "shop:1", ingress = "" }: { image?: string; ingress?: string },
) => `
resource "azurerm_container_app" "${name}" {
  name                         = "${name}"
  resource_group_name          = "shop"
  container_app_environment_id = azurerm_container_app_environment.shop.id
  revision_mode                = "Single"
  ingress {
    external_enabled = true
    target_port      = 8080
    ${ingress}
    traffic_weight {
      latest_revision = true
      percentage      = 100
    }
  }
  template {
    container {
      name   = "${name}"
      image  = "${image}"
      cpu    = 0.25
      memory = "0.5Gi"
    }
  }
}
`;

describeWithTerraform("explain-plan", () => {
  it("finds what changes on the way to the webhook, and nothing beside it", async () => {
    shop = await Shop.start();
    await shop.createGroup();
    const { terraform, write } = await shop.configuration(serviceAt({}));
    await terraform.apply();
    const found = async (text: string) => {
      write(text);
      const { resources } = await explainPlan(readPlan(await terraform.planJson()), [], []);
      return resources.flatMap(({ address, findings }) =>
        findings
          .filter(({ effect }) => effect !== "none")
          .map(({ effect }) => `${effect} ${address}`),
      );
    };
    expect(await found(serviceAt({ image: "shop:2" }))).toEqual([]);
    expect(await found(serviceAt({ more: app("other", {}) }))).toEqual([]);
    expect(await found(serviceAt({ ingress: 'client_certificate_mode = "require"' }))).toEqual([
      "unknown azurerm_container_app.orders",
    ]);
    const inside = 'public_network_access = "Disabled"';
    expect(await found(serviceAt({ inside }))).toEqual([
      "unknown azurerm_container_app_environment.shop",
    ]);
    const withoutApp = serviceAt({}).replace(app("orders", {}), "");
    expect(await found(withoutApp)).toEqual(["lost azurerm_container_app.orders"]);
  });

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
