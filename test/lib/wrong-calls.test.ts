import { TerraformVariable } from "cdktf";
import {
  CloudEventGridBinding,
  CloudEventGridTopic,
  type CloudEventGridTopicProps,
  EventGridServicePrincipal,
  type EventGridServicePrincipalProps,
  type ExistingWebhookApplicationProps,
  type GrantPublishOptions,
  type RuntimeEnvironmentOptions,
  WebhookApplication,
  type WebhookApplicationProps,
} from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { stackWithProviders } from "../support/synthesized.js";
import { existing, received, resourceGroup } from "./fixtures.js";
import { describeWrong } from "./wrong.js";

const place = { resourceGroupName: "shop", location: "westeurope" };
const topicId = `${resourceGroup}/providers/Microsoft.EventGrid/topics/shop`;
const nothing: unknown = undefined;
const none: unknown = null;
const five: unknown = 5;

describeWrong("constructs without props", [
  [
    "none at all",
    (scope) => {
      new CloudEventGridTopic(scope, "a", nothing as CloudEventGridTopicProps);
      new WebhookApplication(scope, "b", nothing as WebhookApplicationProps);
      WebhookApplication.fromClientId(scope, "c", nothing as ExistingWebhookApplicationProps);
    },
    [
      "the props must be an object, but are undefined",
      "resourceGroupName is required",
      "location is required",
      "the props must be an object, but are undefined",
      "displayName is required",
      "the props must be an object, but are undefined",
      "clientId is required",
    ],
  ],
  [
    "null",
    (scope) => {
      new CloudEventGridTopic(scope, "a", none as CloudEventGridTopicProps);
      new EventGridServicePrincipal(scope, "b", none as EventGridServicePrincipalProps);
      CloudEventGridTopic.fromTopicId(scope, "c", topicId, none as object);
    },
    [
      "the props must be an object, but are null",
      "resourceGroupName is required",
      "location is required",
      "the props must be an object, but are null",
      "the props must be an object, but are null",
    ],
  ],
]);

describeWrong("constructs with props of another kind", [
  [
    "an application's",
    (scope) => {
      const props = { clientId: none, existingAssignments: none, eventGridApplicationId: five };
      WebhookApplication.fromClientId(scope, "a", props as ExistingWebhookApplicationProps);
    },
    [
      "clientId must be a UUID such as 11111111-2222-3333-4444-555555555555, but is null",
      "existingAssignments must be a list, but is null",
      "eventGridApplicationId must be a UUID such as 11111111-2222-3333-4444-555555555555, but is the number 5",
    ],
  ],
  [
    "a topic's identities",
    (scope) => {
      const type = "UserAssigned";
      for (const [id, userAssignedIdentities] of Object.entries({ none, five })) {
        const props = { ...place, identity: { type, userAssignedIdentities } };
        new CloudEventGridTopic(scope, id, props as CloudEventGridTopicProps);
      }
    },
    [
      "identity.userAssignedIdentities must be a list, but is null",
      "identity.userAssignedIdentities must be a list, but is the number 5",
    ],
  ],
  [
    "a topic's lists as one token, of which nothing would arrive",
    (scope) => {
      const later = new TerraformVariable(scope, "later", { type: "list(string)" }).value;
      const identity = { type: "UserAssigned", userAssignedIdentities: later } as const;
      new CloudEventGridTopic(scope, "a", { ...place, allowedAddresses: later, identity });
    },
    [
      "allowedAddresses must be a list, but is a token of one value: put it into Token.asList(…)",
      "identity.userAssignedIdentities must be a list, but is a token of one value: put it into Token.asList(…)",
    ],
  ],
]);

describeWrong("how a publisher is let in", [
  [
    "no options, and misspelt ones",
    (scope) => {
      const topics = [
        new CloudEventGridTopic(scope, "a", place),
        CloudEventGridTopic.fromTopicId(scope, "b", topicId),
      ];
      const misspelt: object = { principaltype: "User", description: "x" };
      for (const topic of topics) {
        topic.grantPublish("orders", none as GrantPublishOptions);
        topic.grantPublish(existing.writerId, misspelt);
      }
    },
    [0, 1].flatMap(() => [
      "grantPublish: the options must be an object, but are null",
      'grantPublish: principalId must be a UUID such as 11111111-2222-3333-4444-555555555555, but is "orders"',
      "grantPublish: principaltype is unknown: did you mean principalType?",
      "grantPublish: description is unknown, and has no effect: remove it",
    ]),
  ],
]);

describe("what the service is told, by options that are none", () => {
  const binding = () => new CloudEventGridBinding(stackWithProviders(), "orders", received);

  it.each<[options: unknown, message: string]>([
    [null, "runtimeEnvironment: the options must be an object, but are null"],
    [{ Path: "/hook" }, "runtimeEnvironment: Path is unknown: did you mean path?"],
    [
      { path: null },
      "path must be the path of a URL, such as /api/events, without a query and *, but is null",
    ],
    [
      { name: null },
      "name must be 1 to 256 printable ASCII characters without white space, but is null",
    ],
    [{ prefix: "X" }, "runtimeEnvironment: prefix is unknown, and has no effect: remove it"],
  ])("is refused: %j", (options, message) => {
    expect(() =>
      binding().runtimeEnvironment("ORDERS", options as RuntimeEnvironmentOptions),
    ).toThrow(message);
  });

  it("is refused for references to no secrets at all", () => {
    const environment = binding().runtimeEnvironment("ORDERS");
    expect(() => environment.forAppSettings(none as Record<string, string>)).toThrow(
      expect.objectContaining({ code: "ERR_BINDING_CONFIGURATION" }),
    );
    expect(() => environment.forAppSettings(none as Record<string, string>)).toThrow(
      "secretReferences must be an object, but is null",
    );
  });
});
