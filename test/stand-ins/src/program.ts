import { azuread } from "./azuread/azuread.js";
import { azurerm } from "./azurerm/azurerm.js";
import { serve } from "./protocol/server.js";

/**
 * One stand-in as a program that Terraform starts itself, from a directory of providers: `azurerm`
 * or `azuread` is its only argument. It needs `TF_DISABLE_PLUGIN_TLS=1`, and it takes the way to the
 * cloud from its own environment, as the real providers do.
 */
async function main(): Promise<void> {
  const pace = { interval: 100, patience: 60_000 };
  const [name] = process.argv.slice(2);
  const served =
    name === "azuread"
      ? await serve(azuread(process.env, pace))
      : await serve(azurerm(process.env, pace));
  // The line in which a plugin tells who has started it where it listens.
  process.stdout.write(`1|5|tcp|${served.address}|grpc|\n`);
}

void main();
