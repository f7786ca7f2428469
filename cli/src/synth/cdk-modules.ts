import type * as azuread from "@cdktf/provider-azuread/lib/provider/index.js";
import type * as azurerm from "@cdktf/provider-azurerm/lib/provider/index.js";
import type * as cdktf from "cdktf";
import type * as constructs from "cloud-eventgrid-binding";
import { optionalPeer } from "../optional-peer.js";
import { type Cdk, cdkPackages } from "../project/index.js";

/**
 * The modules that a stack imports. cdktn and its providers export the same classes that are used
 * here.
 */
export interface CdkModules {
  readonly core: typeof cdktf;
  readonly azuread: typeof azuread;
  readonly azurerm: typeof azurerm;
  readonly constructs: typeof constructs;
}

/** Loads the packages of a cdk, which are not dependencies of this package. */
export async function loadCdk(cdk: Cdk): Promise<CdkModules> {
  const { binding, provider } = cdkPackages[cdk];
  return {
    core: await load(cdk),
    azuread: await load(`${provider("azuread")}/provider/index.js`),
    azurerm: await load(`${provider("azurerm")}/provider/index.js`),
    constructs: await load(binding),
  };
}

function load<Module>(specifier: string): Promise<Module> {
  const [name] = /^(@[^/]+\/)?[^/]+/.exec(specifier) ?? [specifier];
  return optionalPeer(name, () => import(specifier));
}
