import { Aspects, Fn, TerraformProvider, TerraformStack, Token } from "cdktf";
import type { IConstruct } from "constructs";
import { OncePerStack } from "./stack-singletons.js";

/** Namespace of Event Grid's resource provider; the azurerm provider takes it in this case only. */
const EVENT_GRID_NAMESPACE = "Microsoft.EventGrid";

/** How Event Grid is registered in the subscription. */
export type ProviderRegistration = (typeof providerRegistrations)[number];

export const providerRegistrations = ["provider", "none"] as const;

const registrations = new OncePerStack<void>("registration");

/**
 * Has an azurerm provider register Event Grid whenever it is configured, and wait until it is
 * registered. Unlike `azurerm_resource_provider_registration`, this also works if it is registered
 * already, and never unregisters it.
 *
 * @param azurerm the provider; by default the stack's provider without an alias, even if it is declared
 * later
 */
export function registerEventGrid(
  construct: IConstruct,
  mode: ProviderRegistration = "provider",
  azurerm?: TerraformProvider,
): void {
  if (mode !== "provider") return;
  registrations.get(construct, azurerm?.node.path, () => {
    Aspects.of(TerraformStack.of(construct)).add({
      visit(node) {
        if (!isAzurermProvider(node)) return;
        if (azurerm === undefined ? node.alias !== undefined : node !== azurerm) return;
        node.resourceProvidersToRegister = withEventGrid(node.resourceProvidersToRegister);
      },
    });
  });
}

/** The parts of an azurerm provider that are used here, of any version of the provider package. */
interface AzurermProviderLike extends TerraformProvider {
  resourceProvidersToRegister: string[] | undefined;
}

function isAzurermProvider(node: IConstruct): node is AzurermProviderLike {
  return TerraformProvider.isTerraformProvider(node) && node.terraformResourceType === "azurerm";
}

function withEventGrid(namespaces: string[] | undefined): string[] {
  if (namespaces === undefined) return [EVENT_GRID_NAMESPACE];
  if (Token.isUnresolved(namespaces)) {
    return Token.asList(Fn.distinct(Fn.concat([namespaces, [EVENT_GRID_NAMESPACE]])));
  }
  if (namespaces.includes(EVENT_GRID_NAMESPACE)) return namespaces;
  return [...namespaces, EVENT_GRID_NAMESPACE];
}
