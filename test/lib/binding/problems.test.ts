import util from "node:util";
import { EventgridSystemTopic } from "@cdktf/provider-azurerm/lib/eventgrid-system-topic/index.js";
import { TerraformIterator, TerraformOutput, TerraformVariable, Token } from "cdktf";
import { CloudEventGridBinding } from "cloud-eventgrid-binding";
import { Construct } from "constructs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { stackWithProviders, synthesisErrorOf, synthesized } from "../../support/synthesized.js";
import { existing, published, received, resourceGroup, storageAccount } from "../fixtures.js";
import { binding, create, describeProblems, messagesOf, problemsOf } from "../problems.js";

const later = Token.asString({ resolve: () => "later", creationStack: [], toString: () => "" });

describeProblems("the definition of a binding", [
  [
    "reports every invalid field at once, together with invalid options",
    binding({
      cloudTenantId: "contoso",
      cloudClientId: "12345",
      subscriberEndpoint: "http://orders.example.com",
      handshakePort: "0",
      scope: "shop",
      eventSubscriptionName: "my-orders",
      labels: [""],
    }),
    [
      "cloudTenantId: uuid",
      "cloudClientId: uuid",
      "subscriberEndpoint: https-url",
      "handshakePort: port",
      "eventSubscriptionName: alphanumeric-name",
      "scope: scope",
      "labels[0]: non-empty-string",
    ],
  ],
  [
    "reports an endpoint without TLS whose host is a token",
    binding({ subscriberEndpoint: `http://${later}/api` }),
    ["subscriberEndpoint: https-url"],
  ],
  [
    "reports a scope of another subscription",
    binding({ scope: "/subscriptions/99999999-2222-3333-4444-000000000002" }),
    ["scope: scope-subscription"],
  ],
  [
    "reports a scope below a top-level resource, and a construct in its place",
    (scope) => {
      new CloudEventGridBinding(scope, "a", { ...received, scope: `${storageAccount}/x/default` });
      const construct: unknown = { id: storageAccount };
      new CloudEventGridBinding(scope, "b", { ...received, scope: construct as string });
    },
    ["scope: scope", "scope: scope"],
  ],
  [
    "reports system topics, at which Azure refuses this event subscription",
    (scope) => {
      const topic = new EventgridSystemTopic(scope, "system", {
        name: "uploads",
        resourceGroupName: "shop",
        location: "westeurope",
        sourceArmResourceId: storageAccount,
        topicType: "Microsoft.Storage.StorageAccounts",
      });
      const additionalScopes = {
        more: `${resourceGroup}/providers/Microsoft.EventGrid/systemTopics/more`,
      };
      create(scope, { ...received, scope: topic.id, additionalScopes });
    },
    ["scope: system-topic", "additionalScopes.more.scope: system-topic"],
  ],
  [
    "reports values of an iterator, because Terraform cannot repeat a binding",
    (scope) => {
      const iterator = TerraformIterator.fromList(["a", "b"]);
      const additionalScopes = { more: iterator.value };
      create(scope, { ...received, scope: iterator.value, additionalScopes });
    },
    ["scope: iterator", "additionalScopes.more.scope: iterator"],
  ],
  [
    "reports a missing field of the direction",
    binding({ handshakePort: undefined }),
    ["handshakePort: required"],
  ],
  [
    "requires a secret for a client that writes, and a key for a topic",
    binding({ writer: "client", topicEndpoint: "https://t.example.com" }),
    ["cloudClientSecret: required", "accessKey: required"],
  ],
  [
    "reports a definition without any field",
    (scope) => void create(scope, {}),
    ["direction: required"],
  ],
  [
    "reports options of the input direction on a binding that only publishes",
    (scope) => void create(scope, { ...published, labels: ["x"], subscribed: false }),
    ["labels: direction", "subscribed: direction"],
  ],
  [
    "refuses to destroy the event subscriptions that are protected",
    binding({ protect: true, subscribed: false }),
    ["subscribed: protected"],
  ],
  [
    "reports strings in the place of lists and objects, and keeps checking everything else",
    binding({
      labels: "a",
      batching: 5,
      writerPrincipals: existing.writerId,
      additionalScopes: { a: 5 },
      handshakePort: "0",
    }),
    [
      "handshakePort: port",
      "batching: type",
      "labels: type",
      "additionalScopes.a: type",
      "writerPrincipals: type",
    ],
  ],
]);

describe("an invalid binding", () => {
  it("is reported with the path of its construct", () => {
    expect(synthesisErrorOf(binding({ handshakePort: "0" }))).toContain(
      `[orders/orders] handshakePort must be a string holding a port number from "1" to "65535", but is "0"`,
    );
  });

  it("has an empty runtime environment, and can be waited for, so that synthesis reports it", () => {
    const stack = stackWithProviders();
    const invalid = create(stack, { ...received, handshakePort: "0" });
    const environment = invalid.runtimeEnvironment("ORDERS");
    expect(environment.forAppSettings({ ORDERS_ACCESS_KEY: "x" })).toEqual({});
    expect(() => invalid.waitFor(new Construct(stack, "service"))).not.toThrow();
  });
});

describe("outputs of a binding", () => {
  it("have values of which cdktf does not ask util.isArray, which Node warns of since 22", () => {
    const isArray = vi.spyOn(util, "isArray");
    onTestFinished(() => isArray.mockRestore());
    const { json } = synthesized((stack) => {
      new CloudEventGridBinding(stack, "orders", received).addOutputs("shop");
    });
    expect(Object.keys(Object(json.output))).toEqual([
      "shop_client_id",
      "shop_event_subscription_ids",
    ]);
    expect(isArray).not.toHaveBeenCalled();
  });

  it("need a valid prefix whose names are not taken", () => {
    const problems = problemsOf((scope) => {
      const withOutputs = (id: string, prefix: string) =>
        new CloudEventGridBinding(scope, id, {
          ...received,
          eventSubscriptionName: id,
        }).addOutputs(prefix);
      withOutputs("one", "shop");
      new TerraformOutput(scope, "shop_client_id", { value: "1", staticId: true });
      withOutputs("two", "my shop");
      withOutputs("three", new TerraformVariable(scope, "prefix", { type: "string" }).stringValue);
      withOutputs("four", "same");
      withOutputs("five", "same");
    });
    expect(problems).toEqual([
      "prefix: unique",
      "prefix: output-prefix",
      "prefix: known-early",
      "prefix: unique",
    ]);
  });
});

describe("a required field", () => {
  it("is reported as undefined where it is, and the client ID together with the application", () => {
    const { cloudClientId: _, ...withoutClient } = received;
    const incomplete: object = { direction: "input", cloudTenantId: undefined };
    expect(
      messagesOf((scope) => {
        new CloudEventGridBinding(scope, "orders", { ...withoutClient, ...incomplete } as never);
      }),
    ).toEqual([
      "cloudTenantId is undefined, but required to receive events",
      "cloudClientId is required to receive events, unless there is an application",
    ]);
  });
});

describe("event subscriptions of two bindings", () => {
  it("must not have the same name at the same scope", () => {
    const both = (change: object) =>
      messagesOf((scope) => {
        const props = { ...received, eventSubscriptionName: "orders" };
        new CloudEventGridBinding(scope, "one", props);
        new CloudEventGridBinding(scope, "other", { ...props, ...change });
      });
    expect(both({ eventSubscriptionName: "Orders", scope: `${resourceGroup}/` })).toEqual([
      `eventSubscriptionName "Orders" at the scope ${resourceGroup} is also the name of orders/one/subscription: rename one of the two`,
    ]);
    expect(both({ eventSubscriptionName: "others" })).toEqual([]);
    expect(both({ subscribed: false })).toEqual([]);
  });

  it("must not have the same name at a scope that is the same token", () => {
    const atToken = (other: "shop" | "Shop") =>
      problemsOf((scope) => {
        const shop = new TerraformVariable(scope, "shop", { type: "string" }).stringValue;
        const Shop = new TerraformVariable(scope, "Shop", { type: "string" }).stringValue;
        const eventSubscriptionName = "orders";
        const first = { ...received, scope: shop, eventSubscriptionName };
        new CloudEventGridBinding(scope, "one", first);
        new CloudEventGridBinding(scope, "again", { ...first, scope: { shop, Shop }[other] });
      });
    expect(atToken("shop")).toEqual(["eventSubscriptionName: unique"]);
    expect(atToken("Shop")).toEqual([]);
  });
});
