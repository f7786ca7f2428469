import { matches } from "../provider/checks.js";
import type { Problem } from "../provider/problem.js";
import type { Attributes } from "../values/value.js";

const namespaceRule =
  "The namespace name can contain only letters, numbers and hyphens. The namespace must start with a letter, and it must end with a letter or number and be between 6 and 50 characters long.";

/** What the provider demands of the names of resources, checked by `terraform validate`. */
const rules: Readonly<Record<string, readonly [RegExp, string]>> = {
  azurerm_eventhub_namespace: [/^[a-zA-Z][-a-zA-Z0-9]{4,48}[a-zA-Z0-9]$/, namespaceRule],
  azurerm_servicebus_namespace: [/^[a-zA-Z][-a-zA-Z0-9]{4,48}[a-zA-Z0-9]$/, namespaceRule],
  azurerm_storage_account: [
    /^[a-z0-9]{3,24}$/,
    "name can only consist of lowercase letters and numbers, and must be between 3 and 24 characters long",
  ],
  azurerm_storage_container: [
    /^[a-z0-9$](?!.*--)[-a-z0-9]{1,61}[a-z0-9]$/,
    "only lowercase alphanumeric characters and hyphens allowed, 3 to 63 of them",
  ],
  azurerm_signalr_service: [
    /^[a-zA-Z][-a-zA-Z0-9]{1,61}[a-zA-Z0-9]$/,
    "name may only contain letters, numbers and hyphens, must start with a letter and end with a letter or number, and be between 3 and 63 characters long",
  ],
};

export function checkName(type: string, config: Attributes): Problem[] {
  const [pattern, rule] = rules[type] ?? [];
  return pattern && rule ? matches(config, "name", pattern, rule) : [];
}
