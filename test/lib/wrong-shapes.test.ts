import { CloudEventGridBinding, scopes, sources } from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { existing, received, storageAccount } from "./fixtures.js";
import { binding, create, describeWrong } from "./wrong.js";

const noDirection = expect.stringMatching(/^direction is not named, and no field tells it/);

describeWrong("what plain JavaScript gives", [
  [
    "no props",
    (scope) => {
      const nothing: unknown = undefined;
      create(scope, nothing as object);
    },
    ["the props must be an object, but are undefined", noDirection],
  ],
  [
    "options of another kind, which hide nothing else",
    binding({
      labels: "a",
      batching: 5,
      retryPolicy: "x",
      deadLetter: { container: "x", identity: null },
      webhookProbe: "yes",
      writerPrincipals: [{ type: "user" }],
      advancedFilters: [
        {},
        { operator: "constructor", key: "a" },
        { operator: "stringIn", key: "a" },
      ],
      deliveryProperties: [null],
      handshakePort: "0",
    }),
    [
      'labels must be a list, but is "a"',
      "batching must be an object, but is the number 5",
      'retryPolicy must be an object, but is "x"',
      "deadLetter.identity must be an object, but is null",
      "deadLetter.storageAccount must be the account's resource ID or construct, but is undefined",
      'webhookProbe must be true, false or an object, but is "yes"',
      "deliveryProperties[0] must be an object, but is null",
      'handshakePort must be a string holding a port number from "1" to "65535", but is "0"',
      "advancedFilters[0].key must name an attribute or a field of the data, such as data.amount, but is null",
      "writerPrincipals[0].objectId is required",
      'advancedFilters[0] must be made by where("…"), but has the operator undefined',
      'advancedFilters[1] must be made by where("…"), but has the operator "constructor"',
      "advancedFilters[2].stringIn must have at least one value",
    ],
  ],
  [
    "an application that is none of the constructs",
    (scope) => {
      const { cloudClientId: clientId, ...rest } = received;
      create(scope, { ...rest, application: { clientId } });
    },
    [
      "application must be a WebhookApplication, or one by WebhookApplication.fromClientId, but is a value of type object",
      expect.stringMatching(/^cloudClientId is required for the input direction/),
    ],
  ],
  [
    "a probing program in one text, none, and what is no text",
    (scope) => {
      const probing = (id: string, webhookProbe: object) =>
        new CloudEventGridBinding(scope, id, { ...received, webhookProbe });
      probing("a", { command: "curl", options: "--json" });
      probing("b", { command: [] });
      probing("c", { options: ["--connect-to", "", 10] });
    },
    [
      'webhookProbe.command must be a list, but is "curl"',
      'webhookProbe.options must be a list, but is "--json"',
      "webhookProbe.command must name a program: leave it out for the default",
      "webhookProbe.options[2] must be a text, but is the number 10",
    ],
  ],
  [
    "scopes of another kind",
    binding({
      additionalScopes: {
        a: 5,
        b: { scope: `${storageAccount}2`, labels: "x" },
        scope: storageAccount,
      },
    }),
    [
      "additionalScopes.a must be a resource ID, or settings with a scope, but is the number 5",
      'additionalScopes.b.labels must be a list, but is "x"',
      'additionalScopes must not have the key "scope": it is the binding\'s own',
    ],
  ],
  [
    "a catalogue where types belong",
    binding({ includedEventTypes: { types: ["a.b"], schemas: new Map() } }),
    [
      "includedEventTypes must be a list, but is a value of type object, a catalogue: pass it as events",
    ],
  ],
  [
    "the keys of a catalogue, and types where a catalogue belongs",
    binding({
      includedEventTypes: Object.keys({ types: ["a.b"], schemas: new Map() }),
      events: ["a.b"],
    }),
    [
      "includedEventTypes names the fields of a catalogue, not its types: pass the catalogue as events",
      "events must be a catalogue of event types, but is a list: a list of them is includedEventTypes",
    ],
  ],
]);

describe("sources of nothing", () => {
  it.each([undefined, null, 5, {}, { id: 5 }])("%j", (resource) => {
    expect(() => sources.objectStorage(resource as string)).toThrow(
      /the resource must be its ID, or the construct that makes it or looks it up, but is /,
    );
  });

  it("with options that are none", () => {
    const nothing: unknown = null;
    for (const source of [sources.objectStorage, sources.cache, sources.iotHub]) {
      expect(() => source(undefined as unknown as string, nothing as object)).toThrow(
        /looks it up, but is undefined; the options must be an object, but are null$/,
      );
    }
  });

  it("and parts of nothing, all at once", () => {
    const events: unknown = 5;
    const queue: unknown = null;
    const namespace = storageAccount.replace("Storage/storageAccounts", "ServiceBus/namespaces");
    expect(() =>
      sources.messageQueue(namespace, { events: events as [], queue: queue as string }),
    ).toThrow(
      "events must be a catalogue or a list of types, but is the number 5; " +
        "queue must be a name without slashes, but is null",
    );
  });
});

describe("scopes of no names", () => {
  it("are refused, all names at once", () => {
    expect(() => scopes.resourceGroup({ subscriptionId: "x", resourceGroupName: "a/b" })).toThrow(
      'The scope cannot be written: subscriptionId must be a UUID, but is "x"; resourceGroupName ' +
        'must be a name without slashes and spaces, but is "a/b"',
    );
    const misspelt = { subscriptionID: existing.subscriptionId, resourceGroupName: "shop" };
    expect(() =>
      scopes.resourceGroup(Object.assign({ subscriptionId: existing.subscriptionId }, misspelt)),
    ).toThrow("subscriptionID is unknown: did you mean subscriptionId?");
    const nothing: unknown = undefined;
    expect(() =>
      scopes.topic(
        nothing as { subscriptionId: string; resourceGroupName: string; topicName: string },
      ),
    ).toThrow("topicName must be a name without slashes and spaces, but is undefined");
    expect(() =>
      scopes.resource({
        subscriptionId: existing.subscriptionId,
        resourceGroupName: "shop",
        resourceProviderNamespace: "Microsoft.KeyVault",
        resourceType: "vaults",
        resourceName: "",
      }),
    ).toThrow('resourceName must be a name without slashes and spaces, but is ""');
  });
});
