import {
  ConfigurationError,
  formatScope,
  parseScope,
  type Scope,
  withoutSlashes,
  withoutSlashesAtEnd,
} from "cloud-eventgrid-binding-runtime/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const SUBSCRIPTION = "0a7c3c36-6a0f-4a55-8b0b-6ba0f5e4d9c2";
const normalised = (text: string) => formatScope(parseScope(text));

const group = `/subscriptions/${SUBSCRIPTION}/resourceGroups/shop`;
const inGroup = { subscriptionId: SUBSCRIPTION, resourceGroupName: "shop" };

describe("2.3 Scope values", () => {
  it.each<[string, Scope, text: string]>([
    [
      "a subscription",
      { kind: "subscription", subscriptionId: SUBSCRIPTION },
      `/subscriptions/${SUBSCRIPTION}`,
    ],
    ["a resource group", { kind: "resourceGroup", ...inGroup }, group],
    [
      "a top-level resource of a resource-provider namespace",
      {
        kind: "resource",
        ...inGroup,
        resourceProviderNamespace: "Microsoft.Storage",
        resourceType: "storageAccounts",
        resourceName: "parcels",
      },
      `${group}/providers/Microsoft.Storage/storageAccounts/parcels`,
    ],
    [
      "an event-routing topic",
      { kind: "topic", ...inGroup, topicName: "orders" },
      `${group}/providers/Microsoft.EventGrid/topics/orders`,
    ],
  ])("%s is parsed with and without a trailing slash, and written without", (_, scope, text) => {
    for (const form of [text, `${text}/`]) expect(parseScope(form)).toEqual(scope);
    expect(formatScope(scope)).toBe(text);
  });

  it("a topic is recognised in any case, because Azure ignores case in resource identifiers", () => {
    const text = `/SUBSCRIPTIONS/${SUBSCRIPTION}/resourcegroups/Shop/PROVIDERS/microsoft.eventgrid/Topics/Orders`;
    expect(normalised(text)).toBe(
      `/subscriptions/${SUBSCRIPTION}/resourceGroups/Shop/providers/Microsoft.EventGrid/topics/Orders`,
    );
  });
});

describe("slashes around a scope", () => {
  it("do not change after the first normalisation", () => {
    const name = fc.stringMatching(/^[A-Za-z0-9][\w.()-]{0,20}$/);
    const slashes = fc.constantFrom("", "/", "//");
    const parts = fc.oneof(
      fc.constant([]),
      fc.tuple(fc.constantFrom("resourceGroups", "RESOURCEGROUPS"), name),
      fc.tuple(fc.constant("resourcegroups"), name, fc.constant("Providers"), name, name, name),
    );
    fc.assert(
      fc.property(fc.uuid(), parts, slashes, slashes, (id, rest, before, after) => {
        const once = normalised(before + ["Subscriptions", id, ...rest].join("/") + after);
        expect(once).toMatch(/^\/subscriptions\/.*[^/]$/);
        expect(normalised(once)).toBe(once);
        expect(parseScope(once)).toEqual(parseScope(formatScope(parseScope(once))));
      }),
    );
  });
});

describe("a text that is not a scope", () => {
  // The samples of the field's rule have more of them.
  it("is reported with its value", () => {
    expect(() => parseScope(`${group} `)).toThrow(ConfigurationError);
    expect(() => parseScope(`${group} `)).toThrow(`but is "${group} "`);
  });

  it("is reported with advice if it names a part of a resource", () => {
    const text = `${group}/providers/Microsoft.EventGrid/domains/d/topics/t`;
    expect(() => parseScope(text)).toThrow(
      "it must be /subscriptions/{id}, /subscriptions/{id}/resourceGroups/{name}, or " +
        "/subscriptions/{id}/resourceGroups/{name}/providers/{namespace}/{type}/{name}, but " +
        `"${text}" continues after the resource's name: only a top-level resource can be a scope`,
    );
  });
});

it("leaves out slashes only at the ends", () => {
  expect(["//a//b//", "a"].map(withoutSlashes)).toEqual(["a//b", "a"]);
  expect(["//a//b//", "a"].map(withoutSlashesAtEnd)).toEqual(["//a//b", "a"]);
});
