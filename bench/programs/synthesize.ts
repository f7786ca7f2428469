/** Synthesizes bindings, ours or by hand, and prints how long it took: `synthesize.ts WAY COUNT` */
import { rmSync } from "node:fs";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AzureadProvider } from "@cdktf/provider-azuread/lib/provider/index.js";
import { AzurermProvider } from "@cdktf/provider-azurerm/lib/provider/index.js";
import { App, TerraformStack } from "cdktf";
import { BindingsByHand } from "./bindings-by-hand.js";
import { BindingsOfOurs } from "./bindings-of-ours.js";
import { SUBSCRIPTION, TENANT } from "./shop.js";

const [way = "", count = ""] = process.argv.slice(2);
const ways = { binding: BindingsOfOurs, hand: BindingsByHand };
if (way !== "binding" && way !== "hand") throw new Error(`no such way: ${way}`);

const outdir = await mkdtemp(join(tmpdir(), "cloud-eventgrid-bench-"));
try {
  const started = performance.now();
  const app = new App({ outdir, skipValidation: false });
  const stack = new TerraformStack(app, "shop");
  new AzurermProvider(stack, "azurerm", { features: [{}], subscriptionId: SUBSCRIPTION });
  new AzureadProvider(stack, "azuread", { tenantId: TENANT });
  new ways[way](stack, "bindings", Number(count));
  app.synth();
  const total = performance.now() - started;

  const written = JSON.parse(await readFile(join(outdir, "stacks", "shop", "cdk.tf.json"), "utf8"));
  const resources = [written.resource, written.data]
    .flatMap((kinds) => Object.values(kinds))
    .reduce<number>((sum, named) => sum + Object.keys(Object(named)).length, 0);
  console.log(JSON.stringify({ total, each: total / Number(count), resources }));
} finally {
  rmSync(outdir, { recursive: true, force: true });
}
