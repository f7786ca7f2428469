import { ResourceProviderRegistration } from "@cdktf/provider-azurerm/lib/resource-provider-registration/index.js";
import {
  Aspects,
  Fn,
  type IAspect,
  type ITerraformDependable,
  TerraformProvider,
  TerraformStack,
  Token,
} from "cdktf";
import type { Construct, IConstruct } from "constructs";
import { defined } from "../values/index.js";
import { OncePerStack, withAlias } from "./stack-singletons.js";

/** Namespace of Event Grid's resource provider; the azurerm provider takes it in this case only. */
const EVENT_GRID_NAMESPACE = "Microsoft.EventGrid";

/** How Event Grid is registered in the subscription. */
export type ProviderRegistration = (typeof providerRegistrations)[number];

export const providerRegistrations = ["provider", "resource", "none"] as const;

const registrations = new OncePerStack<ResourceProviderRegistration>("registration");

/**
 * Registers Event Grid in the subscription.
 *
 * @param azurerm the provider; by default the stack's provider without an alias, even if it is declared
 * later
 * @returns the resources that must come before every resource of Event Grid
 */
export function registerEventGrid(
  construct: Construct,
  mode: ProviderRegistration = "provider",
  azurerm?: TerraformProvider,
): ITerraformDependable[] {
  if (mode === "resource") return [registrationResource(construct, azurerm)];
  if (mode === "provider") registrationAspect(construct).include(azurerm);
  return [];
}

const MARK = Symbol.for("cloud-eventgrid-binding/RegistrationAspect");

/**
 * Has an azurerm provider register Event Grid whenever it is configured, and wait until it is
 * registered. Unlike the resource, this also works if it is registered already.
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
  readonly resourceProviderRegistrations: string | undefined;
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

/** Protected from destruction, which would disable Event Grid in the whole subscription. */
function registrationResource(
  construct: Construct,
  azurerm: TerraformProvider | undefined,
): ResourceProviderRegistration {
  const id = withAlias("registration", azurerm?.alias);
  return registrations.get(construct, id, (home) => {
    const registration = new ResourceProviderRegistration(home, id, {
      name: EVENT_GRID_NAMESPACE,
      lifecycle: { preventDestroy: true },
      ...defined({ provider: azurerm }),
    });
    registration.node.addValidation({ validate: () => conflicts(registration, azurerm) });
    return registration;
  });
}

/** The resource fails if the provider registers Event Grid itself. */
function conflicts(construct: Construct, azurerm: TerraformProvider | undefined): string[] {
  const providers = TerraformStack.of(construct)
    .node.findAll()
    .filter(isAzurermProvider)
    .filter((node) => (azurerm === undefined ? node.alias === undefined : node === azurerm));
  return providers.flatMap(
    ({ resourceProviderRegistrations: set, resourceProvidersToRegister }) => {
      const problems: string[] = [];
      if (set !== "none" && set !== "core" && !Token.isUnresolved(set)) {
        problems.push(
          `providerRegistration "resource" needs resourceProviderRegistrations "core" or "none" on ` +
            `the azurerm provider, but it is ${set === undefined ? '"legacy" (the default)' : `"${set}"`}: ` +
            `that set registers ${EVENT_GRID_NAMESPACE} already`,
        );
      }
      if (resourceProvidersToRegister?.includes(EVENT_GRID_NAMESPACE)) {
        problems.push(
          `providerRegistration "resource" cannot be combined with ${EVENT_GRID_NAMESPACE} in the azurerm ` +
            `provider's resourceProvidersToRegister: use "provider" for every binding and topic of the stack`,
        );
      }
      return problems;
    },
  );
}
