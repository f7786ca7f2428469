import { Aspects, Fn, type IAspect, TerraformProvider, TerraformStack, Token } from "cdktf";
import type { IConstruct } from "constructs";

/** Namespace of Event Grid's resource provider; the azurerm provider takes it in this case only. */
const EVENT_GRID_NAMESPACE = "Microsoft.EventGrid";

/** How Event Grid is registered in the subscription. */
export type ProviderRegistration = (typeof providerRegistrations)[number];

export const providerRegistrations = ["provider", "none"] as const;

/**
 * Registers Event Grid in the subscription.
 *
 * @param azurerm the provider; by default the stack's provider without an alias, even if it is declared
 * later
 */
export function registerEventGrid(
  construct: IConstruct,
  mode: ProviderRegistration = "provider",
  azurerm?: TerraformProvider,
): void {
  if (mode === "provider") registrationAspect(construct).include(azurerm);
}

const MARK = Symbol.for("cloud-eventgrid-binding/RegistrationAspect");

/**
 * Has an azurerm provider register Event Grid whenever it is configured, and wait until it is
 * registered. Unlike `azurerm_resource_provider_registration`, this also works if it is registered
 * already, and never unregisters it.
 */
class RegistrationAspect implements IAspect {
  static isRegistrationAspect(aspect: IAspect): aspect is RegistrationAspect {
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

function registrationAspect(construct: IConstruct): RegistrationAspect {
  const aspects = Aspects.of(TerraformStack.of(construct));
  const existing = aspects.all.find(RegistrationAspect.isRegistrationAspect);
  if (existing !== undefined) return existing;
  const made = new RegistrationAspect();
  aspects.add(made);
  return made;
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
