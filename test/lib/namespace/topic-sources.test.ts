import { AzurermProvider } from "@cdktf/provider-azurerm/lib/provider/index.js";
import { StorageAccount } from "@cdktf/provider-azurerm/lib/storage-account/index.js";
import { TerraformStack } from "cdktf";
import {
  CloudEventGridNamespace,
  type CloudEventGridNamespaceProps,
} from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { reportedBy } from "../../../lib/validation/index.js";
import { synthesized, testApp } from "../../support/synthesized.js";
import { existing, resourceGroup, storageAccount } from "../fixtures.js";
import { messagesOf, problemsOf } from "../problems.js";

const place = { resourceGroupName: "shop", location: "westeurope" };

function create(scope: TerraformStack, props: Partial<CloudEventGridNamespaceProps> = {}) {
  return new CloudEventGridNamespace(scope, "events", { ...place, ...props });
}

describe("a source of a topic", () => {
  it.each([
    [storageAccount, "Microsoft.Storage.storageAccounts"],
    [resourceGroup, "Microsoft.Resources.ResourceGroups"],
    [`/subscriptions/${existing.subscriptionId}`, "Microsoft.Resources.Subscriptions"],
  ])("derives the type of the system topic from %s", (scope, topicType) => {
    const stack = synthesized((parent) => {
      create(parent)
        .addTopic("orders")
        .addSource("all", { ...place, scope });
    });
    expect(
      stack.all("azapi_resource").find(({ path }) => path.endsWith("/system-topic"))?.body.body,
    ).toEqual({
      properties: { source: scope, topicType },
    });
  });

  it("leaves event types that are not known to Azure", () => {
    const scope = `${resourceGroup}/providers/Microsoft.Edge/targets/t1`;
    const stack = synthesized((parent) => {
      create(parent)
        .addTopic("orders")
        .addSource("all", { ...place, scope });
    });
    const { body } = stack.one("azapi_resource", "events/orders/all/subscription");
    expect(body).not.toHaveProperty("properties.filter.includedEventTypes");
  });

  it("takes the types that the scope raises from a catalogue, and all that are named", () => {
    const created = "Microsoft.Storage.BlobCreated";
    const types = ["shop.order.placed", created];
    const typesOf = (options: object) => {
      const stack = synthesized((parent) => {
        const given = { ...place, scope: storageAccount, ...options };
        create(parent).addTopic("orders").addSource("all", given);
      });
      return stack.one("azapi_resource", "events/orders/all/subscription").body;
    };
    const withTypes = (includedEventTypes: readonly string[]) => ({
      properties: { filter: { includedEventTypes } },
    });
    expect(typesOf({ events: { types } })).toMatchObject(withTypes([created]));
    const named = [created, "Microsoft.Storage.SomethingNew"];
    expect(typesOf({ includedEventTypes: named })).toMatchObject(withTypes(named));
  });

  it("uses the system topic that the resource has", () => {
    const systemTopic = {
      id: `${resourceGroup}/providers/Microsoft.EventGrid/systemTopics/shop`,
      principalId: existing.writerId,
    };
    const stack = synthesized((scope) => {
      const subjectFilter = { endsWith: ".JPG", caseSensitive: true };
      const diagnostics = { logAnalyticsWorkspaceId: storageAccount };
      const props = { scope: storageAccount, systemTopic, subjectFilter, diagnostics };
      create(scope).addTopic("orders").addSource("all", props);
    });
    expect(stack.one("azapi_resource", "events/orders/all/subscription")).toMatchObject({
      parent_id: systemTopic.id,
      body: { properties: { filter: { subjectEndsWith: ".JPG", isSubjectCaseSensitive: true } } },
    });
    expect(stack.one("azurerm_role_assignment").principal_id).toBe(existing.writerId);
    expect(stack.one("azurerm_monitor_diagnostic_setting")).toMatchObject({
      target_resource_id: systemTopic.id,
      enabled_log: [{ category: "DeliveryFailures" }],
    });
  });
});

describe("two sources of one resource", () => {
  const props = { ...place, scope: storageAccount };
  const spelt = storageAccount.replace("/resourceGroups/shop", "/resourcegroups/SHOP");
  const topicOf = (scope: TerraformStack, id: string) =>
    new CloudEventGridNamespace(scope, id, place).addTopic("orders");

  it("share the system topic, also in another spelling and from topics of two namespaces", () => {
    const stack = synthesized((scope) => {
      topicOf(scope, "a").addSource("uploads", props);
      topicOf(scope, "b").addSource("uploads", {
        scope: `${spelt}/`,
        location: "West Europe",
        resourceGroupName: "Shop",
      });
    });
    const ofType = (type: string) =>
      stack.all("azapi_resource").filter(({ body }) => String(body.type).includes(type));
    const [only, ...others] = ofType("systemTopics@");
    expect(others).toEqual([]);
    const alone = synthesized((scope) => void topicOf(scope, "b").addSource("more", props));
    const { address } = alone.all("azapi_resource").find(({ path }) => path === only?.path) ?? {};
    expect(address, "without the source that came first").toBe(only?.address);
    const subscriptions = ofType("systemTopics/eventSubscriptions@").map(({ body }) => body);
    expect(new Set(subscriptions.map(({ parent_id }) => parent_id)).size).toBe(1);
    expect(new Set(subscriptions.map(({ name }) => name)).size).toBe(2);
    expect(stack.all("azurerm_role_assignment")).toHaveLength(2);
  });

  it("share it if the resource is one of the stack, and not if it is another one", () => {
    const stack = synthesized((scope) => {
      const topic = topicOf(scope, "events");
      const account = (name: string) =>
        new StorageAccount(scope, name, {
          name,
          resourceGroupName: "shop",
          location: "westeurope",
          accountTier: "Standard",
          accountReplicationType: "LRS",
        }).id;
      const [one, other] = [account("one"), account("other")];
      for (const [id, scope] of Object.entries({ a: one, b: other, c: one })) {
        topic.addSource(id, { ...place, scope });
      }
    });
    const made = stack.all("azapi_resource").map(({ path }) => path);
    expect(made.filter((path) => path.endsWith("system-topic"))).toHaveLength(2);
  });

  it("are refused with other places, the same name, or diagnostics twice", () => {
    const diagnostics = { logAnalyticsWorkspaceId: storageAccount };
    const build = (scope: TerraformStack) => {
      const topic = topicOf(scope, "events");
      const name = { eventSubscriptionName: "uploads" };
      topic.addSource("a", { ...props, ...name, diagnostics });
      topic.addSource("b", { ...props, ...name, diagnostics, location: "northeurope" });
      const systemTopic = { id: `${spelt}/systemTopics/s/x/y`, principalId: existing.writerId };
      topic.addSource("c", { scope: storageAccount, systemTopic, ...name });
      topic.addSource("d", {
        scope: storageAccount,
        systemTopic: { ...systemTopic, id: systemTopic.id.toLowerCase() },
        ...name,
      });
    };
    expect(problemsOf(build)).toEqual([
      "location: same-system-topic",
      "diagnostics: unique",
      ...Array(2).fill("eventSubscriptionName: unique"),
    ]);
    expect(messagesOf(build)).toEqual([
      expect.stringMatching(
        /^location differs from that of \S+\/events\/orders\/a, another source/,
      ),
      expect.stringMatching(/^diagnostics of the system topic are those of \S+\/a already/),
      expect.stringMatching(/^eventSubscriptionName "uploads" at the scope .* is also the name of/),
      expect.stringMatching(/^eventSubscriptionName "uploads" at the scope .* is also the name of/),
    ]);
  });

  it("are refused in two stacks of an app", () => {
    const app = testApp();
    const [first, second] = ["first", "second"].map((id) => {
      const stack = new TerraformStack(app, id);
      new AzurermProvider(stack, "azurerm", { features: [{}] });
      topicOf(stack, "events").addSource("uploads", props);
      return stack;
    });
    const found = (stack = first) => stack?.node.findAll().flatMap(reportedBy) ?? [];
    expect(found()).toEqual([]);
    const message = "scope is the resource of first/events/orders/uploads in the stack first, too";
    expect(found(second)).toEqual([
      expect.objectContaining({
        ...{ field: "scope", rule: "same-system-topic" },
        message: expect.stringContaining(message),
      }),
    ]);
  });
});
