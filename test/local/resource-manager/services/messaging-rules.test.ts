import { describe, expect, it } from "vitest";
import {
  checkedEntity,
  checkedHub,
} from "../../../../local/src/resource-manager/services/messaging-rules.js";

const GROUP = "/subscriptions/s/resourceGroups/shop/providers";

function resource(kind: string, name: string, properties: object = {}, fields: object = {}) {
  const type = `Microsoft.ServiceBus/namespaces${kind}`;
  const body = { ...fields, properties };
  return { id: `${GROUP}/${type}/${name}`, name, type, location: "", body };
}

/** A queue and an event hub are refused for what is out of range, with its name. */
const refusal = (property: string) =>
  expect.objectContaining({
    status: 400,
    serviceCode: "BadRequest",
    message: expect.stringMatching(`^SubCode=40000\\. .*'${property}'`),
  });

describe("an event hub, a queue, a topic or a subscription", () => {
  it.each<[string, readonly unknown[], readonly unknown[]]>([
    ["lockDuration", ["PT1S", "PT5M", "", null], ["PT0.5S", "PT5M1S", "five", 60]],
    ["autoDeleteOnIdle", ["PT5M", "P365D"], ["PT4M59S"]],
    ["defaultMessageTimeToLive", ["PT1S", "P10675199DT2H48M5.4775807S"], ["PT0S"]],
    ["duplicateDetectionHistoryTimeWindow", ["PT20S", "P7D"], ["PT19S", "P7DT1S"]],
    ["maxDeliveryCount", [1, 2_147_483_647], [0, 1.5, "10", 2_147_483_648]],
  ])("has a %s of %j, and not of %j", (property, accepted, refused) => {
    for (const value of accepted) {
      const queue = resource("/queues", "orders", { [property]: value });
      expect(checkedEntity(queue)).toBe(queue);
    }
    for (const value of refused) {
      const queue = resource("/queues", "orders", { [property]: value });
      expect(() => checkedEntity(queue), String(value)).toThrow(refusal(property));
    }
  });

  it.each<[string, readonly string[], readonly string[]]>([
    [
      "/queues",
      ["a", "A/b~c_d.e-1", `a${"-".repeat(258)}b`],
      ["", "-a", "a-", "_a", "a_", "/a", "a/", "~a", "a~", "a b"],
    ],
    ["/topics", [`a${"-".repeat(258)}b`], [`a${"-".repeat(259)}b`]],
    ["/topics/subscriptions", ["a", "_", "_A.b-c_"], ["", "a/b", "a~b", ".a", "-a", "a-", "a."]],
    ["/topics/subscriptions", [`a${"-".repeat(48)}b`], [`a${"-".repeat(49)}b`]],
    ["/eventhubs", ["a", "A.b-c_d"], ["", "a/b", "a~b", ".a", "_a", "-a", "a.", "a_", "a-"]],
    ["/eventhubs", [`a${"-".repeat(254)}b`], [`a${"-".repeat(255)}b`]],
  ])("may have, below %s, the names %j, and not %j", (kind, accepted, refused) => {
    const check = (name: string) =>
      (kind === "/eventhubs" ? checkedHub : checkedEntity)(resource(kind, name), undefined);
    for (const name of accepted) check(name);
    for (const name of refused) expect(() => check(name), name).toThrow(refusal(name));
  });
});

it.each<[string, number, number, object?]>([
  ["Basic", 32, 1],
  ["Standard", 32, 7],
  ["PREMIUM", 100, 90],
  ["Standard", 1024, 90, { clusterArmId: "/clusters/shop" }],
])("an event hub of the tier %s has at most %i partitions and %i days", (sku, most, days, of) => {
  const namespace = resource("", "streams", of, { sku: { name: sku } });
  const hub = (partitionCount: number, messageRetentionInDays: number) =>
    checkedHub(resource("/hubs", "orders", { partitionCount, messageRetentionInDays }), namespace);
  expect(hub(most, days).name).toBe("orders");
  expect(() => hub(most + 1, days)).toThrow(refusal("partitionCount"));
  expect(() => hub(most, days + 1)).toThrow(refusal("messageRetentionInDays"));
  expect(() => hub(0, days)).toThrow(refusal("partitionCount"));
});
