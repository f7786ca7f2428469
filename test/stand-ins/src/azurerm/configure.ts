import { credentials, type Environment, signIn } from "../cloud/account.js";
import type { Polling } from "../cloud/polling.js";
import { text, texts } from "../provider/provider.js";
import type { Attributes } from "../values/value.js";
import {
  type AzurermAccount,
  ensureRegistered,
  registrationStates,
} from "./provider-registration.js";

/**
 * The sets of namespaces that the provider registers by itself, reduced to the namespaces that an
 * Event Grid binding needs. Release 4 uses the set `legacy` by default.
 */
export const registrationSets: Readonly<Record<string, readonly string[]>> = {
  none: [],
  core: [],
  legacy: ["Microsoft.EventGrid"],
  extended: ["Microsoft.EventGrid"],
  all: ["Microsoft.EventGrid"],
};

/**
 * Signs in, and then lists the subscription's resource providers, even if it registers none of
 * them, unless the environment switches enhanced validation off. This request fails the first plan
 * of a provider block with too few rights.
 */
export async function configure(
  config: Attributes,
  environment: Environment,
  polling: Polling,
): Promise<AzurermAccount> {
  const given = credentials(config, environment, { subscription: true });
  const account = await signIn(given, environment, polling);
  const registeredByItself = [
    ...(registrationSets[text(config, "resource_provider_registrations") || "legacy"] ?? []),
    ...texts(config, "resource_providers_to_register"),
  ];
  if (environment.ARM_PROVIDER_ENHANCED_VALIDATION !== "false") await registrationStates(account);
  if (registeredByItself.length > 0) await ensureRegistered(account, registeredByItself);
  return { ...account, registeredByItself };
}
