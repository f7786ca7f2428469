import { describe, expect, it } from "vitest";
import { ACCOUNT, type Attributes, effects } from "../world.js";
import { GROUP, of, planWith, type Sets, type Sides, same } from "./changed-world.js";

const VAULT = `${GROUP}/providers/Microsoft.KeyVault/vaults/V`;
const URI = "https://v.vault.azure.net";
const KEY = "azurerm_key_vault_key.k";
const key = { id: `${URI}/keys/dead/1`, name: "dead", key_vault_id: VAULT };
const ACCOUNT_OF = "azurerm_storage_account.letters";
const separate = (more: Attributes): Sets => ({
  "azurerm_storage_account_customer_managed_key.e": same({
    ...{ id: ACCOUNT, storage_account_id: ACCOUNT },
    ...more,
  }),
});

/** The same account with a key of one's own, as providers write that. */
const encrypted: readonly Sets[] = [
  {
    [ACCOUNT_OF]: same({
      ...of(ACCOUNT_OF),
      customer_managed_key: [{ key_vault_key_id: `${URI}/keys/dead` }],
    }),
  },
  separate({ key_vault_id: VAULT, key_name: "dead" }),
  separate({ key_vault_uri: `${URI}/`, key_name: "dead" }),
  separate({ key_vault_key_id: `${URI}/keys/dead/1` }),
  {
    [ACCOUNT_OF]: [null, null],
    "azapi_resource.letters": same({
      ...{ id: ACCOUNT, type: "Microsoft.Storage/storageAccounts@2024-01-01" },
      body: {
        properties: { encryption: { keyvaultproperties: { keyname: "dead", keyvaulturi: URI } } },
      },
    }),
  },
];

const policy = (key_vault_id: string) => ({ key_vault_id, object_id: "1" });
const crypto = "Key Vault Crypto Service Encryption User";
const role = (scope: string) => ({ id: `${scope}/r`, scope, role_definition_name: crypto });
const right = ["unknown role"];
const part = (type: string, resource_id: string, properties: object): Sides => [
  null,
  { type: `Microsoft.KeyVault/${type}@2024-11-01`, resource_id, body: { properties } },
];

/** What happens, and what of the account's dead letters and queue is lost or may be. */
const changes: readonly (readonly [string, Sides, readonly string[]])[] = [
  [KEY, [key, null], ["lost dead-letters", "unknown destination"]],
  [KEY, [key, { ...key, expiration_date: "2026-01-01T00:00:00Z" }], right],
  [KEY, [key, { ...key, tags: { a: "b" } }], []],
  [KEY, [{ ...key, id: `${URI}/keys/other/1`, name: "other" }, null], []],
  ["azurerm_key_vault_access_policy.p", [policy(VAULT), null], right],
  ["azurerm_key_vault_access_policy.p", [policy(`${VAULT}2`), null], []],
  ["azapi_update_resource.v", part("vaults", VAULT, { enableRbacAuthorization: false }), right],
  ["azapi_update_resource.v", part("vaults", `${VAULT}2`, { networkAcls: {} }), []],
  [
    "azapi_update_resource.v",
    part("vaults/keys", `${VAULT}/keys/dead`, { attributes: { enabled: false } }),
    right,
  ],
  ["azurerm_role_assignment.k", [role(VAULT), null], right],
  ["azurerm_role_assignment.k", [role(`${VAULT}/keys/dead`), null], right],
  ["azurerm_role_assignment.k", [role(`${VAULT}/keys/other`), null], []],
];

describe("the key that encrypts an account", () => {
  it.each(changes)("is followed: %s %#", async (address, sides, expected) => {
    for (const account of encrypted) {
      const found = await effects(planWith({ ...account, [address]: sides }));
      expect(found.map((text) => text.replace(/:.*/, ""))).toEqual(
        expected.map((text) => `${text} ${address}`),
      );
    }
  });
});
