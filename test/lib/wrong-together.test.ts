import { TerraformOutput, type TerraformStack, TerraformVariable } from "cdktf";
import { CloudEventGridBinding, CloudEventGridTopic } from "cloud-eventgrid-binding";
import { Construct } from "constructs";
import { describe, expect, it } from "vitest";
import { problemsOf, stackWithProviders, synthesisErrorOf } from "../support/synthesized.js";
import { received } from "./fixtures.js";
import { binding, create } from "./wrong.js";

describe("what is wrong in several places", () => {
  it("is said all at once, each with its construct's path", () => {
    const build = (scope: TerraformStack) => {
      create(scope, { ...received, handshakePort: "0", labels: [""] });
      new CloudEventGridTopic(scope, "topic", {
        resourceGroupName: "shop",
        location: "westeurope",
        topicName: "a_b",
      });
    };
    expect(problemsOf(build)).toHaveLength(3);
    expect(synthesisErrorOf(build)).toContain(
      `[orders/orders] handshakePort must be a string holding a port number from "1" to "65535", but is "0"`,
    );
    expect(synthesisErrorOf(build)).toContain(
      `[orders/topic] topicName must be 3 to 50 letters, digits and hyphens, but is "a_b"`,
    );
  });

  it("never shows a secret", () => {
    const text = synthesisErrorOf(
      binding({
        writer: "client",
        cloudClientSecret: "sec ret-1",
        topicEndpoint: "https://t.example.com/?key=sec-ret-2#",
        accessKey: "sec ret-3",
        subscriberEndpoint: "https://user:sec-ret-4@orders.example.com?code=sec-ret-5",
      }),
    );
    expect(text).toContain("cloudClientSecret");
    expect(text).not.toMatch(/sec.ret/);
  });

  it("is an output's name that another has, or that Terraform does not take", () => {
    const problems = problemsOf((scope) => {
      const named = (id: string, prefix: unknown) =>
        new CloudEventGridBinding(scope, id, {
          ...received,
          eventSubscriptionName: id,
        }).addOutputs(prefix as string);
      named("one", "shop");
      new TerraformOutput(scope, "shop_client_id", { value: "1", staticId: true });
      named("two", "my shop");
      named("three", "1shop");
      named("four", undefined);
      named("five", new TerraformVariable(scope, "prefix", { type: "string" }).stringValue);
      named("six", "same");
      named("seven", "same");
    });
    expect(problems).toEqual([
      "addOutputs: orders/shop_client_id has the name shop_client_id already: give another prefix",
      'addOutputs: prefix must be letters, digits, hyphens and underscores, not a digit or hyphen first, but is "my shop"',
      'addOutputs: prefix must be letters, digits, hyphens and underscores, not a digit or hyphen first, but is "1shop"',
      "addOutputs: prefix is required",
      "addOutputs: prefix must be known before anything is deployed: write the value itself",
      "addOutputs: orders/six/same_client_id has the name same_client_id already: give another prefix",
    ]);
  });

  it("is an event subscription that two bindings of a stack write", () => {
    const both = (eventSubscriptionName: string, change: object = {}) =>
      problemsOf((scope) => {
        const props = { ...received, eventSubscriptionName: "orders" };
        new CloudEventGridBinding(scope, "one", props);
        new CloudEventGridBinding(scope, "other", { ...props, eventSubscriptionName, ...change });
      });
    expect(both("Orders", { scope: `${received.scope}/` })).toEqual([
      `eventSubscriptionName "Orders" at the scope ${received.scope} is that of orders/one/subscription, too: give one of the two another`,
    ]);
    expect(both("others")).toEqual([]);
    const [again] = problemsOf((scope) => {
      const topic = new TerraformVariable(scope, "topic", { type: "string" });
      const additionalScopes = { again: topic.stringValue };
      new CloudEventGridBinding(scope, "one", {
        ...received,
        scope: topic.stringValue,
        additionalScopes,
        eventSubscriptionName: "orders",
      });
    });
    expect(again).toContain("is that of orders/one/subscription, too: give one of the two another");
    const atLater = (other: "shop" | "Shop") =>
      problemsOf((scope) => {
        const shop = new TerraformVariable(scope, "shop", { type: "string" }).stringValue;
        const Shop = new TerraformVariable(scope, "Shop", { type: "string" }).stringValue;
        const one = { ...received, scope: shop, eventSubscriptionName: "orders" };
        const again = { scope: { shop, Shop }[other], eventSubscriptionName: "Orders" };
        new CloudEventGridBinding(scope, "one", one);
        new CloudEventGridBinding(scope, "again", { ...received, ...again });
      });
    expect(atLater("Shop")).toEqual([]);
    expect(atLater("shop")).toEqual([expect.stringContaining("is that of orders/one/")]);
    expect(both("orders", { subscribed: false })).toEqual([]);
  });

  it("does not keep the service's settings from being asked for", () => {
    const stack = stackWithProviders();
    const made = create(stack, { ...received, handshakePort: "0" });
    expect(made.runtimeEnvironment("ORDERS").forAppSettings({ ORDERS_ACCESS_KEY: "x" })).toEqual(
      {},
    );
    expect(() => made.waitFor(new Construct(stack, "service"))).not.toThrow();
  });
});
