import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { root } from "../support/project.js";
import { describeWithTerraform } from "../terraform/with-terraform.js";
import { variablesOf } from "./declarations.js";
import { expectSettings, orders } from "./settings.js";
import { Shop } from "./shop.js";

let shop: Shop;
afterEach(() => shop.stop());

describeWithTerraform("the Terraform module", () => {
  it("writes every setting, takes each back, and describes the service", async () => {
    shop = await Shop.start();
    await expectSettings(shop);
  });

  it("takes null for every default, and refuses mistakes before it plans", async () => {
    shop = await Shop.start();
    const names = variablesOf(join(root, "terraform")).filter(
      (name) => !["name", "webhook_url", "scope", "role_effect_seconds"].includes(name),
    );
    const nulls = names.map((name) => `  ${name} = null\n`).join("");
    const { terraform, write } = await shop.configuration(orders(nulls));
    await terraform.plan();
    write(
      orders(`  port                 = 0
  existing_assignments = ["everything"]
  writers              = { me = { object_id = "66666666-6666-4666-8666-666666666666", principal_type = "Person" } }
  cloud                = "mars"
`),
    );
    const refused = await terraform.plan().then(
      () => "",
      (error: Error) => error.message,
    );
    const refusals = [...refused.matchAll(/^(\w+) must be|^(\w+) must have/gm)];
    expect(refusals.map(([, be, have]) => be ?? have).sort()).toEqual([
      "cloud",
      "existing_assignments",
      "port",
      "writers",
    ]);
  });

  it("passes its own tests, which mock the providers", async () => {
    shop = await Shop.start();
    expect(await shop.test()).toMatch(/Success! 15 passed, 0 failed/);
  });
});
