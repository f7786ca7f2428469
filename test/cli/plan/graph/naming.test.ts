import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../support/draws.js";
import { ACCOUNT, effects, NAMESPACE, TOPIC } from "../world.js";
import { GROUP, of, planWith, type Sets, type Sides, same } from "./changed-world.js";
import { BUS } from "./rights.js";

/** What events come from, are delivered to, or are kept in. */
const needed = fc
  .constantFrom(
    ...[TOPIC, NAMESPACE, ACCOUNT, `${ACCOUNT}/blobServices/default/containers/dead`, BUS],
    ...[`${BUS}/queues/orders`, `${BUS}/queues/orders/rules/r`],
    String(of("azurerm_eventhub.orders").id),
  )
  .chain((id) => fc.constantFrom(id, id.toUpperCase(), `${id}/`));
const places = fc.constantFrom<(id: string) => object>(
  (id) => ({ resource_id: id }),
  (id) => ({ targets: ["/other", id] }),
  (id) => ({ settings: [{ inner: { target: id } }] }),
);
const side = fc.tuple(needed, places).map(([id, place]) => ({ name: "x", ...place(id) }));
const sides = side.chain((one) =>
  fc.constantFrom<Sides>([null, one], [one, null], [one, { ...one, brand_new: "x" }]),
);
const azurerm = fc
  .stringMatching(/^[u-z]{2,6}(_[u-z]{2,6}){0,2}$/)
  .map((name) => `azurerm_${name}`);
const arm = fc
  .stringMatching(/^[u-z]{2,6}\/[u-z]{2,6}$/)
  .map((name) => `Microsoft.${name}@2025-01-01`);

const users = fc.constantFrom(
  ...["azurerm_monitor_metric_alert", "azurerm_data_factory_linked_service_azure_blob_storage"],
  ...["azurerm_linux_function_app", "azurerm_kusto_eventhub_data_connection", "terraform_data"],
  ...["azurerm_backup_container_storage_account", "kubernetes_secret_v1", "github_actions_secret"],
);

describe("a resource that names what a delivery depends on", () => {
  it("is unknown when it changes, of whatever type it is", async () => {
    await fc.assert(
      fc.asyncProperty(azurerm, arm, sides, async (type, ofAzapi, drawn) => {
        const typed = (one: Sides[0]) => one && { ...one, type: ofAzapi };
        const both: Sets = {
          [`${type}.x`]: drawn,
          "azapi_resource.x": [typed(drawn[0]), typed(drawn[1])],
        };
        const found = await effects(planWith(both));
        for (const address of Object.keys(both)) {
          expect(found).toContainEqual(expect.stringMatching(`^unknown [a-z-]+ ${address}: `));
        }
      }),
      { numRuns: draws(40) },
    );
  });

  it("changes nothing of it if it only uses, observes or copies it", async () => {
    await fc.assert(
      fc.asyncProperty(users, sides, needed, async (type, drawn, id) => {
        const copy = { source_storage_account_id: id, destination_storage_account_id: "/other" };
        const sets: Sets = {
          [`${type}.x`]: drawn,
          "azurerm_storage_object_replication.o": [null, copy],
        };
        expect(await effects(planWith(sets))).toEqual([]);
      }),
      { numRuns: draws(40) },
    );
  });
});

const PERIMETER = `${GROUP}/providers/Microsoft.Network/networkSecurityPerimeters/p`;
const profile = (name: string) => `${PERIMETER}/profiles/${name}`;
/** The deployment with an account in a perimeter, and with two profiles. */
const perimeter: Sets = {
  "azurerm_network_security_perimeter.p": same({ id: PERIMETER }),
  ...Object.fromEntries(
    ["used", "other"].map((name) => [
      `azurerm_network_security_perimeter_profile.${name}`,
      same({ id: profile(name), network_security_perimeter_id: PERIMETER }),
    ]),
  ),
  "azurerm_network_security_perimeter_association.a": same({
    id: `${PERIMETER}/resourceAssociations/a`,
    resource_id: ACCOUNT,
    network_security_perimeter_profile_id: profile("used"),
  }),
};

describe("the rules of a network security perimeter", () => {
  const rule = "azurerm_network_security_perimeter_access_rule.r";
  const of = (name: string, id?: string) => ({
    ...(id && { id: `${profile(name)}/accessRules/${id}` }),
    ...{ network_security_perimeter_profile_id: profile(name), direction: "Inbound" },
  });

  it.each<[string, Sides]>([
    ["is created", [null, of("used")]],
    ["is destroyed", [of("used", "r"), null]],
    ["changes", [of("used", "r"), { ...of("used", "r"), service_tags: ["AzureEventGrid"] }]],
  ])("are what an account depends on: one %s", async (_, drawn) => {
    expect(await effects(planWith({ ...perimeter, [rule]: drawn }))).toContainEqual(
      expect.stringMatching(`^unknown dead-letters ${rule}: `),
    );
  });

  it("are not those of another profile", async () => {
    const other: Sides = [of("other", "r"), null];
    expect(await effects(planWith({ ...perimeter, [rule]: other }))).toEqual([]);
  });
});
