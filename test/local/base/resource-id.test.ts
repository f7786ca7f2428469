import { expect, it } from "vitest";
import {
  groupOf,
  isOfType,
  isQualified,
  isScope,
  isSubscription,
  namesIn,
  scopeOfSubscription,
} from "../../../local/src/base/index.js";

const SUBSCRIPTION = "/subscriptions/s";
const GROUP = `${SUBSCRIPTION}/resourceGroups/g`;
const TOPIC = `${GROUP}/providers/Microsoft.EventGrid/namespaces/n/topics/t`;

// https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules
it("takes subscriptions, resource groups and resources for scopes, with words in any case", () => {
  const scopes = [SUBSCRIPTION, GROUP, GROUP.toUpperCase(), `${GROUP}/providers/A/b/c`, TOPIC];
  const others = ["/", "/subscriptions", `${SUBSCRIPTION}/resourceGroups`, `${GROUP}/providers`];
  others.push(`${GROUP}/providers/A`, `${GROUP}/providers/A/b`, `${TOPIC}/x`, "/a/s", "/a/s/b/g");
  others.push(`/x${TOPIC}`, `${SUBSCRIPTION}/groups/g`, TOPIC.replace("providers", "x"));
  expect([...scopes, ...others].filter(isScope)).toEqual(scopes);
});

it("finds the resource group in an ID, and tells subscriptions from what is in them", () => {
  expect([GROUP, TOPIC, SUBSCRIPTION, `/x${GROUP}`, "/"].map(groupOf)).toEqual([
    ...[GROUP, GROUP],
    ...[undefined, undefined, undefined],
  ]);
  const ids = [SUBSCRIPTION, "/SUBSCRIPTIONS/S/", GROUP, "/x/s", "/subscriptions"];
  expect(ids.filter(isSubscription)).toEqual(ids.slice(0, 2));
});

it("reads type and names of the innermost resource", () => {
  const type = "Microsoft.EventGrid/namespaces/topics";
  expect(namesIn(TOPIC.toUpperCase(), type)).toEqual(["N", "T"]);
  for (const id of [
    `${TOPIC}/`,
    TOPIC.slice(0, -1),
    TOPIC.slice(0, -2),
    `${TOPIC}/a/b`,
    GROUP,
    "Microsoft.EventGrid/namespaces/n/topics/t",
  ]) {
    expect(namesIn(id, type), id).toEqual([]);
  }
  expect(isOfType(TOPIC, "Microsoft.EventGrid/topics", type)).toBe(true);
  expect(isOfType(TOPIC.slice(0, -2), type)).toBe(true);
  expect(isOfType(TOPIC, "Microsoft.EventGrid/topics")).toBe(false);
  const extension = `${TOPIC}/providers/Microsoft.Insights/actionGroups/a`;
  expect(namesIn(extension, "Microsoft.Insights/actionGroups")).toEqual(["a"]);
});

it("finds the scope of an event subscription, or of the list of them", () => {
  const ends = ["/eventSubscriptions/e", "/eventSubscriptions", "/EVENTSUBSCRIPTIONS/e"];
  ends.push("/providers/Microsoft.EventGrid/eventSubscriptions/e");
  expect(ends.map((end) => scopeOfSubscription(GROUP + end))).toEqual(ends.map(() => GROUP));
  for (const id of [TOPIC, `${GROUP}/eventSubscriptions/e/x`]) {
    expect(scopeOfSubscription(id)).toBe(id);
  }
});

it("knows how an ID begins", () => {
  const ids = ["/subscriptions/s", "/Providers/Microsoft.Management/x", TOPIC];
  const others = ["/subscriptions", "/subscriptions/", "subscriptions/s", "/x/s", "x/providers/a"];
  expect([...ids, ...others].filter(isQualified)).toEqual(ids);
});
