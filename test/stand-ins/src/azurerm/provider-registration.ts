import type { Account } from "../cloud/account.js";
import { listAt, stringAt } from "../cloud/json-client.js";
import { doing } from "../cloud/refusal.js";
import { alreadyExists } from "../generic/generic-resource.js";
import { type ResourceType, text } from "../provider/provider.js";

const API = "api-version=2022-09-01";

/** The signed-in account, and the namespaces that the provider block registers by itself. */
export interface AzurermAccount extends Account {
  readonly registeredByItself: readonly string[];
}

/**
 * Registers the namespaces that are not registered yet, and waits until they are. Runs whenever the
 * provider is configured, so at every plan.
 */
export async function ensureRegistered(
  account: Account,
  namespaces: readonly string[],
): Promise<void> {
  const states = await registrationStates(account);
  for (const namespace of namespaces) {
    if (states.get(namespace) === "Registered") continue;
    await doing(
      `Encountered an error whilst ensuring Resource Providers are registered. Original Error: Cannot register provider ${namespace}`,
      () => register(account, namespace),
    );
  }
}

/** The registration state of every namespace that the subscription knows. */
export async function registrationStates(account: Account): Promise<Map<string, string>> {
  const path = `/subscriptions/${account.subscriptionId}/providers`;
  const listed = await doing("populating Resource Provider cache: listing Resource Providers", () =>
    account.resourceManager.get(`${path}?${API}`),
  );
  return new Map(
    listAt(listed, "value").map((each) => [
      stringAt(each, "namespace"),
      stringAt(each, "registrationState"),
    ]),
  );
}

/** `azurerm_resource_provider_registration`. */
export const providerRegistration: ResourceType<AzurermAccount> = {
  forceNew: ["name"],

  async create(planned, account) {
    const namespace = text(planned, "name");
    if (account.registeredByItself.includes(namespace)) {
      throw new Error(
        `The Resource Provider "${namespace}" is automatically registered by Terraform. To manage this Resource Provider Registration with Terraform you need to opt-out of Automatic Resource Provider Registration (by setting 'resource_provider_registrations' to 'none' in the Provider block) to avoid conflicting with Terraform.`,
      );
    }
    const id = `/subscriptions/${account.subscriptionId}/providers/${namespace}`;
    if ((await state(account, namespace)) === "Registered") {
      throw alreadyExists("azurerm_resource_provider_registration", id);
    }
    await register(account, namespace);
    return { id };
  },

  async read(known, account) {
    const namespace = text(known, "id").split("/").at(-1) ?? "";
    return (await state(account, namespace)) === "Registered" ? { name: namespace } : undefined;
  },

  /** An update changes only features, and the local Azure has none. */
  update: async () => ({}),

  async delete(known, account) {
    const namespace = text(known, "name");
    await account.resourceManager.call("POST", path(account, `${namespace}/unregister`));
    await account.resourceManager.eventually(async () =>
      (await state(account, namespace)) === "Registered" ? undefined : true,
    );
  },
};

async function register(account: Account, namespace: string): Promise<void> {
  await account.resourceManager.call("POST", path(account, `${namespace}/register`));
  await account.resourceManager.eventually(async () =>
    (await state(account, namespace)) === "Registered" ? true : undefined,
  );
}

async function state(account: Account, namespace: string): Promise<string> {
  const found = await account.resourceManager.find(path(account, namespace));
  return stringAt(found, "registrationState");
}

function path(account: Account, rest: string): string {
  return `/subscriptions/${account.subscriptionId}/providers/${rest}?${API}`;
}
