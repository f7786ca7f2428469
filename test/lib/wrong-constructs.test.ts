import { TerraformVariable } from "cdktf";
import {
  CloudEventGridBinding,
  CloudEventGridTopic,
  EventGridServicePrincipal,
  type TopicIdentity,
  WebhookApplication,
  type WebhookApplicationProps,
} from "cloud-eventgrid-binding";
import { expect } from "vitest";
import { existing, identity, storageAccount } from "./fixtures.js";
import { describeWrong } from "./wrong.js";

const place = { resourceGroupName: "shop", location: "westeurope" };

describeWrong("the other constructs", [
  [
    "a topic",
    (scope) =>
      void new CloudEventGridTopic(scope, "topic", {
        resourceGroupName: "",
        location: "westeurope",
        topicName: "a_b",
        allowedAddresses: ["everywhere"],
      }),
    [
      'topicName must be 3 to 50 letters, digits and hyphens, but is "a_b"',
      'resourceGroupName must be a text that is not empty, but is ""',
      'allowedAddresses[0] must be an IPv4 address range in CIDR notation such as 203.0.113.0/24, but is "everywhere"',
    ],
  ],
  [
    "a topic with identities of a wrong kind",
    (scope) => {
      const topic = (id: string, identity: object) =>
        new CloudEventGridTopic(scope, id, {
          ...place,
          identity: identity as TopicIdentity,
        });
      topic("a", { type: "Own" });
      topic("b", { type: "UserAssigned" });
      topic("c", { type: "UserAssigned", userAssignedIdentities: ["orders"] });
      topic("d", { type: "SystemAssigned", userAssignedIdentities: [identity] });
      topic("e", {});
      topic("f", { type: new TerraformVariable(scope, "type", { type: "string" }).stringValue });
    },
    [
      'identity.type must be one of "SystemAssigned", "UserAssigned", but is "Own"',
      'identity.userAssignedIdentities is required where type is "UserAssigned"',
      'identity.userAssignedIdentities[0] must be a resource ID that begins with /subscriptions/{id}/resourceGroups/{name}/providers/, but is "orders"',
      'identity.userAssignedIdentities is not used where type is "SystemAssigned": a topic has identities of one type only',
      "identity.type is required",
      "identity.type must be known before anything is deployed: write the value itself",
    ],
  ],
  [
    "a topic with addresses that there are not, and an unknown way to register",
    (scope) =>
      void new CloudEventGridTopic(scope, "topic", {
        resourceGroupName: "shop",
        location: "westeurope",
        allowedAddresses: ["999.1.1.1/8", "10.0.0.0/33", "255.255.255.255/32", "10.0.0.1"],
        providerRegistration: "resuorce" as "resource",
      }),
    [
      'allowedAddresses[0] must be an IPv4 address range in CIDR notation such as 203.0.113.0/24, but is "999.1.1.1/8"',
      'allowedAddresses[1] must be an IPv4 address range in CIDR notation such as 203.0.113.0/24, but is "10.0.0.0/33"',
      'providerRegistration must be one of "provider", "resource", "none", but is "resuorce"',
    ],
  ],
  [
    "one where a list belongs",
    (scope) => {
      const one: unknown = "10.0.0.0/8";
      new CloudEventGridTopic(scope, "topic", {
        resourceGroupName: "shop",
        location: "westeurope",
        allowedAddresses: one as string[],
        topicName: "a_b",
      });
    },
    [
      'topicName must be 3 to 50 letters, digits and hyphens, but is "a_b"',
      'allowedAddresses must be a list, but is "10.0.0.0/8"',
    ],
  ],
  [
    "nothing where something is required",
    (scope) => {
      const nothing: unknown = {};
      const none: unknown = undefined;
      const topic = new CloudEventGridTopic(scope, "a", nothing as typeof place);
      topic.grantPublish(none as string);
      const { endpoint } = CloudEventGridTopic.fromTopicId(scope, "b", none as string);
      expect(endpoint).toEqual(expect.any(String));
      new WebhookApplication(scope, "c", nothing as { displayName: string });
      WebhookApplication.fromClientId(scope, "d", nothing as { clientId: string });
    },
    [
      "resourceGroupName is required",
      "location is required",
      "grantPublish: principalId is required",
      "topicId is required",
      "displayName is required",
      "clientId is required",
    ],
  ],
  [
    "the key of a topic that takes none",
    (scope) => {
      const topic = new CloudEventGridTopic(scope, "topic", { ...place, accessKeys: false });
      const { endpoint: topicEndpoint, accessKey } = topic;
      new CloudEventGridBinding(scope, "orders", { topicEndpoint, accessKey });
      new CloudEventGridBinding(scope, "more", { topicEndpoint, accessKey: topic.accessKey });
    },
    [
      'accessKey is used, but accessKeys is false, so that the topic refuses it: publish with publishWith "entra" and grantPublish, or leave accessKeys out',
    ],
  ],
  [
    "switches that are none",
    (scope) => {
      const yes: unknown = "yes";
      new CloudEventGridTopic(scope, "topic", {
        ...place,
        accessKeys: yes as boolean,
        publicNetworkAccess: yes as boolean,
      });
      const displayName = "orders";
      new WebhookApplication(scope, "webhook", { displayName, clientSecret: yes as boolean });
    },
    [
      'accessKeys must be true or false, but is "yes"',
      'publicNetworkAccess must be true or false, but is "yes"',
      'clientSecret must be true, false or an object, but is "yes"',
    ],
  ],
  [
    "null where an object may be",
    (scope) => {
      const none: unknown = null;
      new CloudEventGridTopic(scope, "topic", { ...place, identity: none as TopicIdentity });
      const application: object = { displayName: "orders", clientSecret: none };
      new WebhookApplication(scope, "webhook", application as WebhookApplicationProps);
    },
    [
      "identity must be an object, but is null",
      "clientSecret must be true, false or an object, but is null",
    ],
  ],
  [
    "applications in a cloud that there is not",
    (scope) => {
      const cloudEnvironment = "german" as "public";
      new WebhookApplication(scope, "webhook", { displayName: "orders", cloudEnvironment });
      new EventGridServicePrincipal(scope, "bootstrap", { cloudEnvironment });
      WebhookApplication.fromClientId(scope, "known", {
        clientId: existing.clientId,
        cloudEnvironment,
      });
    },
    [
      'cloudEnvironment must be one of "public", "usgovernment", "china", but is "german"',
      'cloudEnvironment must be one of "public", "usgovernment", "china", but is "german"',
      'cloudEnvironment must be one of "public", "usgovernment", "china", but is "german"',
    ],
  ],
  [
    "a publisher by name",
    (scope) =>
      CloudEventGridTopic.fromTopicId(
        scope,
        "topic",
        storageAccount.replace("Storage/storageAccounts", "EventGrid/topics"),
      ).grantPublish("orders", { principalType: "Robot" as "User" }),
    [
      'grantPublish: principalId must be a UUID such as 11111111-2222-3333-4444-555555555555, but is "orders"',
      'grantPublish: principalType must be one of "User", "Group", "ServicePrincipal", but is "Robot"',
    ],
  ],
  [
    "the ID of something else than a topic",
    (scope) => void CloudEventGridTopic.fromTopicId(scope, "topic", storageAccount),
    [
      'topicId must be the resource ID of a topic (/subscriptions/{id}/resourceGroups/{name}/providers/Microsoft.EventGrid/topics/{name}), but is "/subscriptions/11111111-2222-3333-4444-000000000002/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/shop"',
    ],
  ],
  [
    "a topic by name",
    (scope) => void CloudEventGridTopic.fromTopicId(scope, "topic", "shop"),
    [
      'topicId must be the resource ID of a topic (/subscriptions/{id}/resourceGroups/{name}/providers/Microsoft.EventGrid/topics/{name}), but is "shop"',
    ],
  ],
  [
    "an application",
    (scope) =>
      void new WebhookApplication(scope, "webhook", {
        displayName: "",
        clientSecret: { endDate: "soon" },
      }),
    [
      'displayName must be a text that is not empty, but is ""',
      'clientSecret.endDate must be a time in UTC and whole seconds such as 2030-01-01T00:00:00Z, but is "soon"',
    ],
  ],
  [
    "an application that exists, by name",
    (scope) =>
      void WebhookApplication.fromClientId(scope, "webhook", {
        clientId: "orders",
        eventGridApplicationId: "event-grid",
      }),
    [
      'clientId must be a UUID such as 11111111-2222-3333-4444-555555555555, but is "orders"',
      'eventGridApplicationId must be a UUID such as 11111111-2222-3333-4444-555555555555, but is "event-grid"',
    ],
  ],
  [
    "Event Grid's principal in a cloud where it is not published",
    (scope) =>
      void new EventGridServicePrincipal(scope, "event-grid", { cloudEnvironment: "china" }),
    [
      'eventGridApplicationId is required where cloudEnvironment is "china": the application ID of Event Grid is not published for that cloud (look it up in your tenant\'s enterprise applications)',
    ],
  ],
]);
