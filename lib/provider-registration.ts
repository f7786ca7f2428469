import { Aspects, Fn, type IAspect, TerraformProvider, TerraformStack, Token } from "cdktf";
import type { IConstruct } from "constructs";

/** Namespace of Event Grid's resource provider; the azurerm provider takes it in this case only. */
export const EVENT_GRID_NAMESPACE = "Microsoft.EventGrid";

/**
 * Has the stack's azurerm provider register Event Grid in its subscription, and wait until it is
 * registered, whenever Terraform runs.
 *
 * @param azurerm the provider to do it; by default the stack's own, the one without an alias, also
 * when it is declared later
 */
export function registerEventGrid(
  construct: IConstruct,
  azurerm: TerraformProvider | undefined,
): void {
  const stack = TerraformStack.of(construct);
  const found = Aspects.of(stack).all.find(ProviderRegistration.isProviderRegistration);
  const registration = found ?? new ProviderRegistration();
  if (found === undefined) Aspects.of(stack).add(registration);
  registration.include(azurerm);
}

const MARK = Symbol.for("cloud-eventgrid-binding/ProviderRegistration");

class ProviderRegistration implements IAspect {
  static isProviderRegistration(aspect: IAspect): aspect is ProviderRegistration {
    return MARK in aspect;
  }

  readonly [MARK] = true;
  readonly #named = new Set<TerraformProvider>();
  #ofStack = false;

  include(azurerm: TerraformProvider | undefined): void {
    if (azurerm === undefined) this.#ofStack = true;
    else this.#named.add(azurerm);
  }

  visit(node: IConstruct): void {
    if (!isAzurermProvider(node)) return;
    if (!this.#named.has(node) && !(this.#ofStack && node.alias === undefined)) return;
    node.resourceProvidersToRegister = withEventGrid(node.resourceProvidersToRegister);
  }
}

/** As much of an azurerm provider as is needed, however its class was generated. */
export interface AzurermProviderLike extends TerraformProvider {
  resourceProvidersToRegister: string[] | undefined;
}

/** Whether a construct is a provider block of azurerm. */
export function isAzurermProvider(node: IConstruct): node is AzurermProviderLike {
  return TerraformProvider.isTerraformProvider(node) && node.terraformResourceType === "azurerm";
}

function withEventGrid(namespaces: string[] | undefined): string[] {
  if (namespaces === undefined) return [EVENT_GRID_NAMESPACE];
  if (Token.isUnresolved(namespaces)) {
    return Token.asList(Fn.distinct(Fn.concat([namespaces, [EVENT_GRID_NAMESPACE]])));
  }
  return namespaces.includes(EVENT_GRID_NAMESPACE)
    ? namespaces
    : [...namespaces, EVENT_GRID_NAMESPACE];
}
