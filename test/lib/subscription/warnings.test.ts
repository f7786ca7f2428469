import { TerraformVariable } from "cdktf";
import { CloudEventGridBinding, type CloudEventGridBindingProps } from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { synthesized } from "../../support/synthesized.js";
import { existing, published, received, resourceGroup, storageAccount } from "../fixtures.js";

const bound = (props: CloudEventGridBindingProps) =>
  synthesized((scope) => void new CloudEventGridBinding(scope, "orders", props));
const warningsOf = (props: CloudEventGridBindingProps) => bound(props).warnings;

const subscription = `/subscriptions/${received.cloudSubscriptionId}/`;
const topic = `${resourceGroup}/providers/Microsoft.EventGrid/topics/orders`;
const written = (field: string) =>
  `${field} is a literal, which is readable in the synthesized JSON: pass a sensitive ` +
  "TerraformVariable, or look it up in a key vault";

describe("warnings of a binding", () => {
  it("are absent for a binding without risks", () => {
    expect(bound(received)).toMatchObject({ warnings: [], infos: [] });
    expect(warningsOf(published)).toEqual([]);
  });

  it("name secrets that are literals", () => {
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

  it("do not name secrets that come from a variable", () => {
    const { warnings } = synthesized((scope) => {
      const key = new TerraformVariable(scope, "key", { type: "string", sensitive: true });
      new CloudEventGridBinding(scope, "orders", {
        topicEndpoint: published.topicEndpoint,
        accessKey: key.stringValue,
      });
    });
    expect(warnings).toEqual([]);
  });

  it("name a query string, which is readable in the state", () => {
    expect(
      warningsOf({ ...received, subscriberEndpoint: "https://orders.example.com/?code=1" }),
    ).toEqual([
      "subscriberEndpoint has a query string, which is readable in Terraform's state and plan. " +
        "Deliveries are authenticated by their token, so leave the query out",
    ]);
  });

  it.each(["https://localhost/api/events", "https://127.0.0.1:9000/api", "https://[::1]/api"])(
    "name the endpoint %s, which Azure cannot reach",
    (subscriberEndpoint) => {
      expect(warningsOf({ ...received, subscriberEndpoint })).toEqual([
        `subscriberEndpoint is "${subscriberEndpoint}", which Azure cannot reach: use a public host ` +
          "name, which the local Azure's ingress forwards to this machine",
      ]);
    },
  );

  it("name a whole subscription whose ID is a token as the scope", () => {
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
      expect.stringMatching(/^subscription: the scope is a whole subscription without filters/),
    ]);
  });

  it("name a whole subscription without filters as the scope", () => {
    const warning = (id: string) =>
      `${id}: the scope is a whole subscription without filters, so that every event of all its ` +
      "resources is delivered: set includedEventTypes or a subjectFilter";
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

  it("name an additional scope to which the binding's filters do not apply", () => {
    const warning =
      "additionalScopes.uploads gets every event of its resource, because the filters of the binding " +
      "apply only to its own scope: set includedEventTypes, to an empty list for all types";
    const includedEventTypes = ["Microsoft.Resources.ResourceWriteSuccess"];
    const additionalScopes = { uploads: storageAccount };
    expect(warningsOf({ ...received, includedEventTypes, additionalScopes })).toEqual([warning]);
    expect(warningsOf({ ...received, subjectFilter: { endsWith: "x" }, additionalScopes })).toEqual(
      [warning],
    );
    const events = { types: ["Microsoft.Storage.BlobCreated"] };
    expect(warningsOf({ ...received, scope: topic, events, additionalScopes })).toEqual([]);
    expect(warningsOf({ ...received, additionalScopes })).toEqual([]);
    const all = { uploads: { scope: storageAccount, includedEventTypes: [] } };
    expect(warningsOf({ ...received, includedEventTypes, additionalScopes: all })).toEqual([]);
  });

  it("name differences between catalogue and event types", () => {
    const events = { types: ["a.b", "a.c"] };
    const fromTopic = { ...received, scope: topic };
    expect(warningsOf({ ...fromTopic, events, includedEventTypes: ["a.b", "x.y"] })).toEqual([
      '"x.y" is delivered, but events does not have it: the service does not handle it',
      'events has "a.c", which is not delivered: add it to the types that the binding or its source includes, or leave those out',
    ]);
    expect(warningsOf({ ...fromTopic, events, includedEventTypes: ["a.c", "a.b"] })).toEqual([]);
    for (const elsewhere of [["a.c"], []]) {
      const additionalScopes = { others: { scope: `${topic}-2`, includedEventTypes: elsewhere } };
      const props = { ...fromTopic, events, includedEventTypes: ["a.b"], additionalScopes };
      expect(warningsOf(props)).toEqual([]);
    }
  });

  it("name event types that the service of the scope may have, but that are not known here", () => {
    const includedEventTypes = ["Microsoft.Storage.BlobCreated", "Microsoft.Storage.BlobFrozen"];
    expect(warningsOf({ ...received, scope: storageAccount, includedEventTypes })).toEqual([
      'includedEventTypes has "Microsoft.Storage.BlobFrozen", which is not among the known event types ' +
        "of the scope: check the name",
    ]);
  });

  it("name scopes whose event types are not known", () => {
    const factory = `${resourceGroup}/providers/Microsoft.DataFactory/factories/shop`;
    expect(warningsOf({ ...received, scope: factory })).toEqual([
      "subscription: the event types of the scope are not known here. If includedEventTypes were set " +
        "before, Azure keeps them, because the provider does not remove them: set includedEventTypes",
    ]);
    const includedEventTypes = ["Microsoft.DataFactory.RunCompleted"];
    expect(warningsOf({ ...received, scope: factory, includedEventTypes })).toEqual([]);
  });

  it("name batches without a dead-letter destination", () => {
    const batching = { maxEventsPerBatch: 10 };
    expect(warningsOf({ ...received, batching })).toEqual([
      "subscription: a batch that is rejected because of one event is rejected as a whole, and " +
        "without deadLetter all its events are lost",
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

  it("name managed identities at a scope that is not a topic", () => {
    const identity = { type: "SystemAssigned", principalId: existing.writerId } as const;
    const given = {
      ...received,
      deadLetter: { storageAccount, container: "dead-letters", identity },
    };
    expect(warningsOf(given)).toEqual([
      "subscription: deadLetter.identity must be an identity of a topic, but the scope is not a topic: " +
        "Azure refuses the event subscription unless a system topic for the scope has that identity " +
        `(${received.scope})`,
    ]);
    expect(warningsOf({ ...given, scope: topic })).toEqual([]);
  });
});

describe("outputs of a binding", () => {
  it("exist only on request, with the given prefix", () => {
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
