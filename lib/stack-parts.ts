import type { DataAzureadServicePrincipal } from "@cdktf/provider-azuread/lib/data-azuread-service-principal/index.js";
import type { DataAzurermClientConfig } from "@cdktf/provider-azurerm/lib/data-azurerm-client-config/index.js";
import type { ResourceProviderRegistration } from "@cdktf/provider-azurerm/lib/resource-provider-registration/index.js";
import { TerraformStack } from "cdktf";
import { Construct, type IConstruct } from "constructs";
import type { ClientProvider } from "./client-writer.js";
import type { NamedApplication } from "./named-application.js";
import type { AzureRoleAssignment } from "./role-assignment.js";

const ID = "cloud-eventgrid";
const MARK = Symbol.for("cloud-eventgrid-binding/StackParts");

/** Makes each thing once. */
class Once<Part> {
  readonly #made = new Map<string, Part>();

  get(key: string, make: () => Part): Part {
    const found = this.#made.get(key);
    if (found !== undefined) return found;
    const made = make();
    this.#made.set(key, made);
    return made;
  }
}

/** ID of a part that is there once for each provider; only the stack's own has no alias. */
export function withAlias(id: string, alias: string | undefined): string {
  return alias === undefined ? id : `${id}-${alias}`;
}

/**
 * What a stack holds once, however many bindings it has: look-ups and assignments that two bindings
 * share, at an address that does not depend on which of them is there.
 */
export class StackParts extends Construct {
  readonly roleAssignments = new Once<AzureRoleAssignment>();
  readonly applications = new Once<NamedApplication>();
  /** Through which azuread providers an application is named, in words. */
  readonly providersOfApplications = new Once<string[]>();
  readonly eventGridPrincipals = new Once<DataAzureadServicePrincipal>();
  readonly clientProviders = new Once<ClientProvider>();
  readonly registrations = new Once<ResourceProviderRegistration>();
  /** Paths of the bindings that write event subscriptions, by the subscriptions' IDs. */
  readonly subscribedBy = new Once<string>();
  readonly callers = new Once<DataAzurermClientConfig>();

  private constructor(stack: TerraformStack) {
    super(stack, ID);
    Object.defineProperty(this, MARK, { value: true });
  }

  /** The parts of the stack that a construct is in. */
  static of(construct: IConstruct): StackParts {
    const stack = TerraformStack.of(construct);
    const found = stack.node.tryFindChild(ID);
    return StackParts.isStackParts(found) ? found : new StackParts(stack);
  }

  static isStackParts(value: unknown): value is StackParts {
    return typeof value === "object" && value !== null && MARK in value;
  }
}
