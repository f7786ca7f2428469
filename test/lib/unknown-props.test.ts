import {
  CloudEventGridTopic,
  type CloudEventGridTopicProps,
  EventGridServicePrincipal,
  WebhookApplication,
  type WebhookApplicationProps,
} from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { synthesized } from "../support/synthesized.js";
import { existing, received, storageAccount } from "./fixtures.js";
import { binding, create, describeWrong } from "./wrong.js";

describeWrong("props that are misspelt", [
  [
    "of a binding and its parts, with whatever else is wrong",
    binding({
      includedEventTypess: ["a.b"],
      Labels: ["x"],
      handshakePort: "0",
      batching: { maxEventPerBatch: 10 },
      deliveryProperties: [{ headerName: "x-a", vlaue: "b", value: "c" }],
      additionalScopes: { uploads: { scope: storageAccount, subjectFiler: { beginsWith: "a" } } },
    }),
    [
      "includedEventTypess is unknown: did you mean includedEventTypes?",
      "Labels is unknown: did you mean labels?",
      "batching.maxEventPerBatch is unknown: did you mean maxEventsPerBatch?",
      "deliveryProperties[0].vlaue is unknown: did you mean value?",
      "additionalScopes.uploads.subjectFiler is unknown: did you mean subjectFilter?",
      'handshakePort must be a string holding a port number from "1" to "65535", but is "0"',
    ],
  ],
  [
    "of the other constructs",
    (scope) => {
      const place = { resourceGroupName: "shop", location: "westeurope" };
      const topic: object = { ...place, accessKey: false };
      new CloudEventGridTopic(scope, "topic", topic as CloudEventGridTopicProps);
      const application: object = { displayName: "orders", clientSecret: { endData: "2030" } };
      new WebhookApplication(scope, "webhook", application as WebhookApplicationProps);
      const known = { clientId: existing.clientId, cloudEnviroment: "public" };
      WebhookApplication.fromClientId(scope, "known", known);
      const cloud: object = { cloudEnviroment: "public" };
      new EventGridServicePrincipal(scope, "bootstrap", cloud);
      const topicId = storageAccount.replace("Storage/storageAccounts", "EventGrid/topics");
      const misspelt: object = { azurem: "x" };
      CloudEventGridTopic.fromTopicId(scope, "events", topicId, misspelt);
    },
    [
      "accessKey is unknown: did you mean accessKeys?",
      "clientSecret.endData is unknown: did you mean endDate?",
      "cloudEnviroment is unknown: did you mean cloudEnvironment?",
      "cloudEnviroment is unknown: did you mean cloudEnvironment?",
      "azurem is unknown: did you mean azurerm?",
    ],
  ],
]);

describe("props that are unknown and like no other", () => {
  it("are warned of: a definition may be shared with others who read them", () => {
    const stack = synthesized((scope) => {
      create(scope, { ...received, concurrency: 5, retryPolicy: { jitter: 1 }, unset: undefined });
    });
    expect(stack.warnings).toEqual([
      "concurrency is unknown, and has no effect: remove it",
      "retryPolicy.jitter is unknown, and has no effect: remove it",
    ]);
  });

  it("are no keys of additional scopes and tags, which are the user's own", () => {
    const stack = synthesized((scope) => {
      create(scope, { ...received, additionalScopes: { labelz: storageAccount } });
      new CloudEventGridTopic(scope, "topic", {
        resourceGroupName: "shop",
        location: "westeurope",
        tags: { locatio: "x" },
      });
    });
    expect(stack.warnings).toEqual([]);
  });
});
