import type { Account, Environment } from "../cloud/account.js";
import { doing } from "../cloud/client.js";
import { type Attributes, objects, text, texts } from "../values/value.js";
import type { Behaviour } from "./releases.js";

const API = "api-version=2022-09-01";

/**
 * Lists the subscription's resource providers. azurerm 4 does so even if none is to be registered,
 * unless the environment switches enhanced validation off: this fails the first plan of a provider
 * block with too few rights. Then registers those that are missing, and waits until they are. Runs whenever the
 * provider is configured, so at every plan.
 */
export async function registerProviders(
  config: Attributes,
  { resourceManager, subscriptionId }: Account,
  environment: Environment,
  { registrations, listsResourceProviders }: Behaviour,
): Promise<void> {
  const path = `/subscriptions/${subscriptionId}/providers`;
  // The sets of namespaces, reduced to the one that an Event Grid binding needs.
  const set = text(config, "resource_provider_registrations") || registrations;
  const wanted = texts(config, "resource_providers_to_register");
  if (set !== "none" && set !== "core") wanted.push("Microsoft.EventGrid");
  const validates =
    listsResourceProviders && environment.ARM_PROVIDER_ENHANCED_VALIDATION !== "false";
  if (wanted.length === 0 && !validates) return;
  const listed = await doing("populating Resource Provider cache: listing Resource Providers", () =>
    resourceManager.get(`${path}?${API}`),
  );
  for (const { namespace, registrationState } of objects(listed, "value")) {
    if (!wanted.includes(String(namespace)) || registrationState === "Registered") continue;
    await doing(`Cannot register provider ${namespace}`, async () => {
      await resourceManager.call("POST", `${path}/${namespace}/register?${API}`);
      await resourceManager.until(async () => {
        const found = await resourceManager.get(`${path}/${namespace}?${API}`);
        return text(found, "registrationState") === "Registered";
      });
    });
  }
}
