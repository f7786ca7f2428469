import { credentials, type Environment, signIn } from "../cloud/account.js";
import type { Pace } from "../cloud/pace.js";
import { text, texts } from "../provider/provider.js";
import type { Attributes } from "../values/value.js";
import {
  type AzurermAccount,
  ensureRegistered,
  registrationStates,
} from "./provider-registration.js";

/**
 * Of each set of namespaces that the provider registers by itself, those that an Event Grid binding
 * needs. Release 4 takes the set `legacy` where a template names none.
 */
export const registrationSets: Readonly<Record<string, readonly string[]>> = {
  none: [],
  core: [],
  legacy: ["Microsoft.EventGrid"],
  extended: ["Microsoft.EventGrid"],
  all: ["Microsoft.EventGrid"],
};

/**
 * Signs in, and then does what makes a provider block with few rights fail its first plan: it lists
 * the subscription's resource providers, whatever it was told to register, unless enhanced
 * validation is switched off in the environment.
 */
export async function configure(
  config: Attributes,
  environment: Environment,
  pace: Pace,
): Promise<AzurermAccount> {
  const given = credentials(config, environment, { subscription: true });
  const account = await signIn(given, environment, pace);
  const registeredByItself = [
    ...(registrationSets[text(config, "resource_provider_registrations") || "legacy"] ?? []),
    ...texts(config, "resource_providers_to_register"),
  ];
  if (environment.ARM_PROVIDER_ENHANCED_VALIDATION !== "false") await registrationStates(account);
  if (registeredByItself.length > 0) await ensureRegistered(account, registeredByItself);
  return { ...account, registeredByItself };
}
