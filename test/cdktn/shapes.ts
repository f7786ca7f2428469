/** Synthesizes a stack for each of the bindings that have snapshots. */
import { AzureadProvider } from "@cdktf/provider-azuread/lib/provider/index.js";
import { AzurermProvider } from "@cdktf/provider-azurerm/lib/provider/index.js";
import { App, TerraformStack } from "cdktf";
import { mainShapes } from "../lib/binding/main-shapes.js";

const app = new App();
for (const [name, build] of Object.entries(mainShapes)) {
  const stack = new TerraformStack(app, name);
  new AzurermProvider(stack, "azurerm", { features: [{}] });
  new AzureadProvider(stack, "azuread", {});
  build(stack);
}
app.synth();
