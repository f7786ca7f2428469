import { credentials, type Environment, signIn } from "../cloud/account.js";
import { text, texts } from "../provider/provider.js";
import type { Attributes } from "../values/value.js";
import {
  type AzurermAccount,
  ensureRegistered,
  registrationStates,
} from "./provider-registration.js";

/**
 * Signs in, and then lists the subscription's resource providers, even if it registers none of
 * them, unless the environment switches enhanced validation off. This request fails the first plan
 * of a provider block with too few rights.
 */
export async function configure(
  config: Attributes,
  environment: Environment,
  signal: AbortSignal,
): Promise<AzurermAccount> {
  const given = credentials(config, environment, { subscription: true });
  const account = await signIn(given, environment, signal);
  // The sets of namespaces, reduced to the one that an Event Grid binding needs.
  const set = text(config, "resource_provider_registrations") || "legacy";
  const registeredByItself = [
    ...(["none", "core"].includes(set) ? [] : ["Microsoft.EventGrid"]),
    ...texts(config, "resource_providers_to_register"),
  ];
  if (environment.ARM_PROVIDER_ENHANCED_VALIDATION !== "false") await registrationStates(account);
  if (registeredByItself.length > 0) await ensureRegistered(account, registeredByItself);
  return { ...account, registeredByItself };
}
