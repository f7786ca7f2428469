import { TerraformVariable } from "cdktf";
import { CloudEventGridBinding, type CloudEventGridBindingProps } from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { synthesized } from "../support/synthesized.js";
import { existing, published, received, resourceGroup, storageAccount } from "./fixtures.js";

function warningsOf(props: CloudEventGridBindingProps): readonly string[] {
  return synthesized((scope) => {
    new CloudEventGridBinding(scope, "orders", props);
  }).warnings;
}

const subscription = `/subscriptions/${received.cloudSubscriptionId}/`;
const written = (what: string) =>
  `${what} is written out, so that it lies readable in the synthesized JSON: pass a sensitive ` +
  "TerraformVariable, or look it up in a key vault";

describe("warnings", () => {
  it("are not given for a binding as it should be", () => {
    expect(warningsOf(received)).toEqual([]);
    expect(warningsOf(published)).toEqual([]);
  });

  it("of secrets that are written out", () => {
    expect(
      warningsOf({ topicEndpoint: published.topicEndpoint, accessKey: "a-literal-key" }),
    ).toEqual([written("accessKey")]);
    expect(warningsOf({ ...received, writer: "client", cloudClientSecret: "literal" })).toEqual([
      written("cloudClientSecret"),
    ]);
    expect(
      warningsOf({
        ...received,
        deliveryProperties: [{ headerName: "X-Key", value: "literal", secret: true }],
      }),
    ).toEqual([written('deliveryProperties "X-Key"')]);
  });

  it("not of secrets that come from a variable", () => {
    const { warnings } = synthesized((scope) => {
      const key = new TerraformVariable(scope, "key", { type: "string", sensitive: true });
      new CloudEventGridBinding(scope, "orders", {
        topicEndpoint: published.topicEndpoint,
        accessKey: key.stringValue,
      });
    });
    expect(warnings).toEqual([]);
  });

  it("of a query string, which the state keeps readable", () => {
    expect(
      warningsOf({ ...received, subscriberEndpoint: "https://orders.example.com/?code=1" }),
    ).toEqual([
      "subscriberEndpoint has a query string, which counts as a secret: it lies readable in " +
        "Terraform's state and plan. Deliveries are authenticated by their token; leave the query out",
    ]);
  });

  it("of a whole subscription whose ID is known only later", () => {
    const { warnings } = synthesized((stack) => {
      const id = new TerraformVariable(stack, "id", { type: "string" }).stringValue;
      new CloudEventGridBinding(stack, "orders", {
        ...received,
        cloudSubscriptionId: id,
        scope: `/subscriptions/${id}/`,
        additionalScopes: { group: `/subscriptions/${id}/resourceGroups/shop` },
      });
    });
    expect(warnings).toEqual([
      expect.stringMatching(/^subscription: the scope is a whole subscription and nothing is/),
    ]);
  });

  it("of a whole subscription without a filter", () => {
    const warning = (id: string) =>
      `${id}: the scope is a whole subscription and nothing is filtered, so that every event of all ` +
      "its resources is delivered: name includedEventTypes or a subjectFilter";
    expect(warningsOf({ ...received, scope: subscription })).toEqual([warning("subscription")]);
    expect(warningsOf({ ...received, additionalScopes: { all: subscription } })).toEqual([
      warning("subscription-all"),
    ]);
    expect(warningsOf({ ...received, scope: subscription, events: { types: ["a.b"] } })).toEqual(
      [],
    );
    expect(
      warningsOf({ ...received, scope: subscription, subjectFilter: { endsWith: ".jpg" } }),
    ).toEqual([]);
    expect(warningsOf({ ...received, scope: resourceGroup })).toEqual([]);
  });

  it("of a scope that the binding's filters are not for", () => {
    const warning =
      "additionalScopes.uploads gets every event of its resource: the event types and filters of the " +
      "binding are those of its own scope. Give it includedEventTypes, an empty list for all";
    const includedEventTypes = ["a.b"];
    const additionalScopes = { uploads: storageAccount };
    expect(warningsOf({ ...received, includedEventTypes, additionalScopes })).toEqual([warning]);
    expect(warningsOf({ ...received, subjectFilter: { endsWith: "x" }, additionalScopes })).toEqual(
      [warning],
    );
    expect(warningsOf({ ...received, events: { types: ["a.b"] }, additionalScopes })).toEqual([]);
    expect(warningsOf({ ...received, additionalScopes })).toEqual([]);
    const all = { uploads: { scope: storageAccount, includedEventTypes: [] } };
    expect(warningsOf({ ...received, includedEventTypes, additionalScopes: all })).toEqual([]);
  });

  it("of a catalogue and event types that differ", () => {
    const events = { types: ["a.b", "a.c"] };
    expect(warningsOf({ ...received, events, includedEventTypes: ["a.b", "x.y"] })).toEqual([
      'includedEventTypes has "x.y", which events has not: the service has no handler for it',
      'events has "a.c", which is never delivered: includedEventTypes goes before events. Leave ' +
        "includedEventTypes out, or add it there",
    ]);
    expect(warningsOf({ ...received, events, includedEventTypes: ["a.c", "a.b"] })).toEqual([]);
    const elsewhere = { uploads: { scope: storageAccount, includedEventTypes: ["a.c"] } };
    expect(
      warningsOf({
        ...received,
        events,
        includedEventTypes: ["a.b"],
        additionalScopes: elsewhere,
      }),
    ).toEqual([]);
  });

  it("of batches without a dead-letter destination", () => {
    const batching = { maxEventsPerBatch: 10 };
    expect(warningsOf({ ...received, batching })).toEqual([
      "subscription: a batch that is rejected for one of its events is rejected as a whole, and " +
        "without deadLetter all of them are lost",
    ]);
    expect(
      warningsOf({
        ...received,
        batching,
        deadLetter: { storageAccount, container: "dead-letters" },
      }),
    ).toEqual([]);
    expect(warningsOf({ ...received, batching: { maxEventsPerBatch: 1 } })).toEqual([]);
  });

  it("of managed identities at a scope that has none of its own", () => {
    const identity = { type: "SystemAssigned", principalId: existing.writerId } as const;
    const given = {
      ...received,
      deadLetter: { storageAccount, container: "dead-letters", identity },
      deliveryIdentity: { type: "SystemAssigned" } as const,
    };
    const warning = (field: string) =>
      `subscription: ${field} is that of a topic, and the scope is none: Azure refuses the event ` +
      `subscription unless a system topic for the scope has that identity (${received.scope})`;
    expect(warningsOf(given)).toEqual([
      warning("deadLetter.identity"),
      warning("deliveryIdentity"),
    ]);
    const topic = `${received.scope}/providers/Microsoft.EventGrid/topics/orders`;
    expect(warningsOf({ ...given, scope: topic })).toEqual([]);
  });
});

describe("outputs", () => {
  it("are there on request only, under names of one's own", () => {
    const build = (outputs: boolean) =>
      synthesized((scope) => {
        const binding = new CloudEventGridBinding(scope, "orders", {
          ...received,
          additionalScopes: { uploads: storageAccount },
        });
        if (outputs) binding.addOutputs("orders");
      }).json;
    expect(build(false)).not.toHaveProperty("output");
    expect(build(true).output).toEqual({
      orders_client_id: { value: received.cloudClientId },
      orders_event_subscription_ids: {
        value: {
          scope: expect.stringMatching(/orders_subscription_\w+\.id\}$/),
          uploads: expect.stringMatching(/orders_subscription-uploads_\w+\.id\}$/),
        },
      },
    });
  });
});
