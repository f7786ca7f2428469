import { afterEach, it } from "vitest";
import { azurermReleases } from "../stand-ins/src/index.js";
import { describeWithTerraform } from "../terraform/with-terraform.js";
import { expectSettings } from "./settings.js";
import { Shop } from "./shop.js";

let shop: Shop;
afterEach(() => shop.stop());

describeWithTerraform("the Terraform module", () => {
  it.each(azurermReleases.slice(1))(
    "writes every setting, takes each back, and describes the service, with azurerm %s",
    async (release) => {
      shop = await Shop.start(release);
      await expectSettings(shop);
    },
  );
});
