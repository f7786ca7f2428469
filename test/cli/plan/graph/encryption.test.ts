import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../support/draws.js";
import { ACCOUNT, type Attributes, effects } from "../world.js";
import { GROUP, of, only, type Sets, type Sides, same, setsPlan } from "./changed-world.js";

const VAULT = `${GROUP}/providers/Microsoft.KeyVault/vaults/V`;
const URI = "https://v.vault.azure.net";
const KEY = "azurerm_key_vault_key.k";
const key = { id: `${URI}/keys/dead/1`, name: "dead", key_vault_id: VAULT };
const ACCOUNT_OF = "azurerm_storage_account.letters";
/** Subscriptions that store dead letters in the account, and deliver to its queue. */
const needing = only(
  ...["azurerm_eventgrid_topic.shop", ACCOUNT_OF, "azurerm_storage_container.dead"],
  ...["app", "queue"].map((name) => `azurerm_eventgrid_event_subscription.${name}`),
);
const planWith = (sets: Sets) => setsPlan({ ...needing, ...sets });
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
  [KEY, [key, { ...key, tags: { a: "b" } }], []],
  [KEY, [key, { ...key, key_opts: ["wrapKey"] }], right],
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

describe("a right to the key", () => {
  const [account] = encrypted;
  const permissions = fc.uniqueArray(fc.constantFrom("Get", "WrapKey", "UnwrapKey", "List"));
  const days = fc.option(fc.integer({ min: 1, max: 28 }), { nil: null });

  it("is missed only where a policy permits less with keys", async () => {
    await fc.assert(
      fc.asyncProperty(
        permissions,
        permissions,
        permissions,
        async (old, next, secret_permissions) => {
          const isLess = old.some((each) => !next.includes(each));
          const more = { secret_permissions };
          const sides = (of: (key_permissions: string[], more?: object) => object): Sides => [
            { ...of(old) },
            { ...of(next, more) },
          ];
          const drawn: Sets = {
            "azurerm_key_vault_access_policy.p": sides((key_permissions, more) => ({
              ...{ ...policy(VAULT), key_permissions, ...more },
            })),
            "azurerm_key_vault.v": sides((key_permissions, more) => ({
              id: VAULT,
              access_policy: [{ object_id: "1", key_permissions, ...more }],
            })),
          };
          const found = await effects(planWith({ ...account, ...drawn }));
          for (const address of Object.keys(drawn)) {
            const isFound = found.some((text) => text.includes(` ${address}: `));
            expect({ address, isFound }).toEqual({ address, isFound: isLess });
          }
        },
      ),
      { numRuns: draws(30) },
    );
  });

  it("is missed only where a firewall admits less", async () => {
    const acls = (ip_rules: string[], bypass = "AzureServices") => ({
      id: VAULT,
      network_acls: [{ bypass, default_action: "Deny", ip_rules }],
    });
    for (const [after, isLess] of [
      [acls(["20.1.2.3", "20.9.9.9"]), false],
      [acls([]), true],
      [acls(["20.1.2.3"], "None"), true],
    ] as const) {
      const sides: Sides = [acls(["20.1.2.3"]), after];
      const found = await effects(planWith({ ...account, "azurerm_key_vault.v": sides }));
      expect({ after, isLess: found.length > 0 }).toEqual({ after, isLess });
    }
  });

  it("is missed only where the key expires earlier", async () => {
    await fc.assert(
      fc.asyncProperty(days, days, async (old, next) => {
        const [before, after] = [old, next].map((day) => ({
          ...key,
          expiration_date: day && `2027-01-${String(day).padStart(2, "0")}T00:00:00Z`,
        }));
        const plan = planWith({ ...account, [KEY]: [before ?? null, after ?? null] });
        const isEarlier = next !== null && (old === null || next < old);
        expect((await effects(plan)).length > 0).toBe(isEarlier);
      }),
      { numRuns: draws(30) },
    );
  });

  it.each(["azurerm_role_assignment.k", "azurerm_key_vault_access_policy.p"])(
    "is that of the identity that encrypts: %s",
    async (address) => {
      const identity = (name: string): Sets => ({
        [`azurerm_user_assigned_identity.${name}`]: same({
          id: `/${name}-identity`,
          principal_id: name,
        }),
      });
      const lost = async (holder: string, user_assigned_identity_id: string | null) => {
        const side = { ...role(VAULT), ...policy(VAULT), principal_id: holder, object_id: holder };
        const block = { key_vault_key_id: `${URI}/keys/dead`, user_assigned_identity_id };
        const sets = {
          [ACCOUNT_OF]: same({ ...of(ACCOUNT_OF), customer_managed_key: [block] }),
          ...identity("one"),
          ...identity("two"),
          [address]: [side, null],
        } as const;
        return (await effects(planWith(sets))).length > 0;
      };
      expect(await lost("one", "/ONE-identity")).toBe(true);
      expect(await lost("one", "/two-identity")).toBe(false);
      // The account encrypts with its own identity, or with one that nobody knows.
      expect(await lost("one", null)).toBe(false);
      expect(await lost("three", null)).toBe(true);
    },
  );
});
