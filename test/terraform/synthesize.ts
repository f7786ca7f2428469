import { join } from "node:path";
import { AzureadProvider } from "@cdktf/provider-azuread/lib/provider/index.js";
import {
  AzurermProvider,
  type AzurermProviderConfig,
} from "@cdktf/provider-azurerm/lib/provider/index.js";
import { App, LocalBackend, TerraformStack } from "cdktf";
import { temporaryFolder } from "../support/temporary-folder.js";

/** A stack with both providers, to which a test adds constructs. */
export class ShopStack extends TerraformStack {
  readonly azurerm: AzurermProvider;

  constructor(app: App, name: string, directory: string, azurerm: Partial<AzurermProviderConfig>) {
    super(app, name);
    new LocalBackend(this, { path: join(directory, "terraform.tfstate") });
    this.azurerm = new AzurermProvider(this, "azurerm", {
      features: [{}],
      resourceProviderRegistrations: "none",
      ...azurerm,
    });
    new AzureadProvider(this, "azuread", {});
  }
}

/** A directory in which one stack is synthesized, as often as it changes. */
export class Synthesis {
  readonly #folder = temporaryFolder();
  /** The output directory of the stack, in which Terraform runs. */
  readonly directory: string;

  constructor(private readonly name = "shop") {
    this.directory = join(this.#folder, "stacks", name);
  }

  /** Synthesizes the stack as cdktf does, after `build` has added constructs. */
  write(build: (stack: ShopStack) => void, azurerm: Partial<AzurermProviderConfig> = {}): void {
    const app = new App({ outdir: this.#folder });
    build(new ShopStack(app, this.name, this.#folder, azurerm));
    app.synth();
  }
}
