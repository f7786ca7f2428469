import { AzureadProvider } from "@cdktf/provider-azuread/lib/provider/index.js";
import { AzurermProvider } from "@cdktf/provider-azurerm/lib/provider/index.js";
import { type App, TerraformStack } from "cdktf";
import { BindingsByHand } from "./bindings-by-hand.js";
import { BindingsOfOurs } from "./bindings-of-ours.js";
import { SUBSCRIPTION, TENANT } from "./shop.js";

/** The ways to write bindings. */
export const ways = { binding: BindingsOfOurs, hand: BindingsByHand };
export type Way = keyof typeof ways;

export function isWay(name: string): name is Way {
  return Object.hasOwn(ways, name);
}

/** A stack of bindings, all written in one way. */
export class ShopStack extends TerraformStack {
  constructor(app: App, way: Way, count: number) {
    super(app, "shop");
    new AzurermProvider(this, "azurerm", { features: [{}], subscriptionId: SUBSCRIPTION });
    new AzureadProvider(this, "azuread", { tenantId: TENANT });
    new ways[way](this, "bindings", count);
  }
}
