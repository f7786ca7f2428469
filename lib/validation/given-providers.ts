import { TerraformProvider, TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";
import { received } from "./value-rule.js";

/** The providers that a construct is given. */
export interface GivenProviders {
  readonly azurerm?: TerraformProvider;
  readonly azuread?: TerraformProvider;
}

/** What is wrong with the providers of a construct: the compiler takes any for any other. */
export function providerProblems(construct: IConstruct, given: GivenProviders): string[] {
  return (["azurerm", "azuread"] as const).flatMap((name) => {
    const provider: unknown = given[name];
    if (provider === undefined) return [];
    const must = `${name} must be a provider of the type ${name}`;
    if (!TerraformProvider.isTerraformProvider(provider)) {
      return [`${must}, but is ${received(provider)}`];
    }
    if (provider.terraformResourceType !== name) {
      return [`${must}, but is one of the type ${provider.terraformResourceType}`];
    }
    const stack = TerraformStack.of(provider);
    if (stack === TerraformStack.of(construct)) return [];
    return [`${name} belongs to the stack ${stack.node.id}: give a provider of this one`];
  });
}
