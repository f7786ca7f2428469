import { describe, expect, it } from "vitest";
import {
  adriftFindings,
  endpointFindings,
  isOnlyAdded,
  policyFindings,
  registrationFindings,
} from "../../../../cli/src/plan/effects/resources.js";
import { Graph } from "../../../../cli/src/plan/graph/index.js";
import type { PlannedChange } from "../../../../cli/src/plan/terraform/index.js";
import { LATER, type Sides } from "../graph/changed-world.js";
import type { Attributes } from "../world.js";
import { changeOf, texts, updated } from "./changes.js";
import { A, ACCOUNT, T } from "./judged.js";

const U = "azapi_update_resource.u";

it("only adds by new resources of azurerm, and by clients and topics of MQTT", () => {
  const mqtt = (type: string) => ({ type: `Microsoft.EventGrid/namespaces/${type}@2025-02-15` });
  expect(isOnlyAdded(changeOf("azurerm_eventgrid_x.a", [null, {}]))).toBe(true);
  expect(isOnlyAdded(changeOf("azapi_resource.a", [null, mqtt("clients")]))).toBe(true);
  expect(isOnlyAdded(changeOf("azapi_resource.a", [null, mqtt("others")]))).toBe(false);
  for (const type of [
    "Microsoft.EventGrid/namespaces/clients/x",
    "x/Microsoft.EventGrid/namespaces/clients",
  ])
    expect(isOnlyAdded(changeOf("azapi_resource.a", [null, { type }]))).toBe(false);
  expect(isOnlyAdded(changeOf(U, [null, mqtt("clients")]))).toBe(false);
  const topics = (was: readonly string[] | undefined, is: readonly string[], more: object = {}) => {
    const side = (topicTemplates: unknown) => ({
      ...{ ...mqtt("topicSpaces"), body: { properties: { topicTemplates } } },
    });
    return isOnlyAdded(changeOf("azapi_resource.a", [side(was), { ...side(is), ...more }]));
  };
  expect(topics(["a"], ["b", "a"])).toBe(true);
  expect(topics(undefined, ["a"])).toBe(true);
  expect(topics(["a"], ["a", "b"], { endpoint: "x" })).toBe(true);
  expect(topics(["a", "b"], ["a", "c"])).toBe(false);
  expect(topics(["a"], ["a", "b"], { name: "x" })).toBe(false);
  expect(isOnlyAdded(changeOf("azapi_resource.a", [mqtt("clients"), null]))).toBe(false);
});

it("leaves open what is configured later, unless it is known to be something else", () => {
  const account = changeOf(A, [{ id: ACCOUNT }, { id: ACCOUNT }]);
  const other = changeOf("azurerm_storage_account.b", [{}, {}]);
  const graph = new Graph([account, other]);
  const found = (address: string, side: Attributes, from: readonly string[], isFound = true) => {
    const change = { ...changeOf(address, [null, side]), origins: () => new Set(from) };
    const needed = new Map(isFound ? [[account, []]] : []);
    return texts(adriftFindings(change, graph, { found: needed, names: new Set() }));
  };
  const open = ["unknown plan: what it configures is known only after the apply"];
  const rules = "azurerm_storage_account_network_rules.r";
  const later = { storage_account_id: LATER };
  expect(found(rules, later, [])).toEqual(open);
  expect(found(rules, later, [other.address, A])).toEqual(open);
  expect(found(rules, later, [other.address])).toEqual([]);
  expect(found(rules, { storage_account_id: ACCOUNT }, [])).toEqual([]);
  expect(found(rules, later, [], false)).toEqual([]);
  expect(found("azurerm_storage_queue.q", later, [])).toEqual([]);
  for (const address of ["azapi_update_resource.u", "azapi_resource_action.u"])
    expect(found(address, { resource_id: LATER }, [])).toEqual(open);
  expect(found("azapi_resource.u", { resource_id: LATER }, [])).toEqual([]);
});

describe("the registration of a provider", () => {
  const found = (side: Attributes, names: readonly string[], address = "x.p") => {
    const change = changeOf(address.replace(/^x/, "azurerm_resource_provider_registration"), [
      ...([side, null] as const),
    ]);
    return registrationFindings(change, names).map(({ check, message }) => `${check}: ${message}`);
  };
  const names = ["/subscriptions/s/resourcegroups/g/providers/microsoft.storage/storageaccounts/a"];
  const registration = (name: string, subscription = "s") => ({
    ...{ id: `/subscriptions/${subscription}/providers/${name}`, name },
  });

  it("is needed by what is of it in its subscription", () => {
    expect(found(registration("Microsoft.Storage"), names)).toEqual([
      expect.stringMatching(/^destroyed: the registration of Microsoft\.Storage ends/),
    ]);
    expect(found({ name: "Microsoft.Storage" }, names)).toHaveLength(1);
    expect(found(registration("Microsoft.Storage", "S"), names)).toHaveLength(1);
    expect(found(registration("Microsoft.Storage", "t"), names)).toEqual([]);
    expect(found(registration("Microsoft.Stor"), names)).toEqual([]);
    expect(found(registration("Microsoft.Storage"), [])).toEqual([]);
    expect(found(registration("Microsoft.Storage"), names, "azurerm_other.p")).toEqual([]);
    const stays = changeOf("azurerm_resource_provider_registration.p", [
      ...([registration("Microsoft.Storage"), { name: "b" }] as const),
    ]);
    expect(registrationFindings(stays, names)).toEqual([]);
  });
});

it("leaves open what a remediation or the policies of a management group change", () => {
  const found = (address: string, sides: Sides, names = ["/a"]) =>
    texts(policyFindings(changeOf(address, sides), names));
  const open = [
    "unknown plan: policies that the plan does not show can change what deliveries depend on",
  ];
  const remediation = "azurerm_resource_group_policy_remediation.r";
  const association = "azurerm_management_group_subscription_association.a";
  expect(found(remediation, [null, { name: "a" }])).toEqual(open);
  expect(found(remediation, [{ name: "a" }, null])).toEqual([]);
  for (const of of ["resource", "subscription", "management_group"])
    expect(found(`azurerm_${of}_policy_remediation.r`, [null, { name: "a" }])).toEqual(open);
  expect(found(association, [{ name: "a" }, null])).toEqual(open);
  expect(found(remediation, [null, { name: "a" }], [])).toEqual([]);
  expect(found(remediation, [{ location: "a" }, { location: "b" }])).toEqual([]);
  for (const type of [
    "Microsoft.PolicyInsights/remediations",
    "microsoft.management/managementGroups/subscriptions",
  ]) {
    expect(found("azapi_resource.r", [null, { type: `${type}@1` }])).toEqual(open);
    expect(found("azapi_resource.r", [null, { type: `${type}/x@1` }])).toEqual([]);
    expect(found("azapi_resource.r", [null, { type: `x/${type}@1` }])).toEqual([]);
  }
  expect(found("azurerm_x.r", [null, { name: "a" }])).toEqual([]);
  expect(found(`x_${association}`, [{ name: "a" }, null])).toEqual([]);
});

describe("a service that had the endpoint of a topic", () => {
  const APP = "azurerm_container_app.p";
  const endpoint = "https://shop.westeurope-1.eventgrid.azure.net/api/events";
  const topic = changeOf(T, [{ endpoint }, { endpoint }]);
  const env = (value: unknown) => ({
    template: [{ container: [{ env: [{ name: "A", value }] }] }],
  });
  const found = (change: PlannedChange) => texts(endpointFindings(change, [topic]));
  const gone = [`unknown publishers: it no longer has the endpoint of ${T}`];
  const namedBy = (change: PlannedChange) => ({ ...change, origins: () => new Set([T]) });

  it("may have published there", () => {
    const other = endpoint.replace("shop", "other");
    for (const next of [env(other), env(LATER), { template: [] }]) {
      expect(found(updated(APP, env(endpoint), next))).toEqual(gone);
    }
    expect(found(namedBy(updated(APP, env(endpoint), env(other))))).toEqual(gone);
    expect(found(updated("kubernetes_deployment.p", env(endpoint), env(other)))).toEqual(gone);
  });

  it("still does if it has the endpoint, or is to get it, and is none that does if it is none", () => {
    expect(found(updated(APP, env(endpoint), env(endpoint.replace("https://", ""))))).toEqual([]);
    expect(found(namedBy(updated(APP, env(endpoint), env(LATER))))).toEqual([]);
    expect(found(updated(APP, env("other.example.com"), env("x")))).toEqual([]);
    for (const address of ["azurerm_storage_account.a", "terraform_data.a"]) {
      expect(found(updated(address, env(endpoint), env("x")))).toEqual([]);
    }
    expect(found(changeOf(APP, [env(endpoint), null]))).toEqual([]);
  });
});
