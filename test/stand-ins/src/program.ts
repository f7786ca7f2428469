import { azuread } from "./azuread/azuread.js";
import { azurerm } from "./azurerm/azurerm.js";
import { serve } from "./protocol/server.js";

/**
 * One stand-in as a program that Terraform itself starts, from a directory of providers. Its only
 * argument is `azurerm` or `azuread`. It needs `TF_DISABLE_PLUGIN_TLS=1`, and reads the cloud's
 * address and the credentials from its environment, as the real providers do.
 */
async function main(): Promise<void> {
  const polling = { intervalMs: 100, timeoutMs: 60_000 };
  const [name] = process.argv.slice(2);
  const served =
    name === "azuread"
      ? await serve(azuread(process.env, polling))
      : await serve(azurerm(process.env, polling));
  // The handshake line of go-plugin, which contains the address that the plugin listens on.
  process.stdout.write(`1|5|tcp|${served.address}|grpc|\n`);
}

void main();
