import { TerraformVariable } from "cdktf";
import {
  CloudEventGridBinding,
  CloudEventGridTopic,
  type CloudEventGridTopicProps,
  type TopicIdentity,
} from "cloud-eventgrid-binding";
import { identity, storageAccount } from "../fixtures.js";
import { describeProblems } from "../problems.js";

const place = { resourceGroupName: "shop", location: "westeurope" };

describeProblems("topics", [
  [
    "reports invalid names, addresses and ways of registration",
    (scope) =>
      void new CloudEventGridTopic(scope, "topic", {
        resourceGroupName: "",
        location: "west-europe",
        topicName: "a_b",
        allowedAddresses: ["999.1.1.1/8", "10.0.0.0/33", "255.255.255.255/32", "10.0.0.1"],
        providerRegistration: "provdier" as "provider",
      }),
    [
      "resourceGroupName: resource-group-name",
      "location: location",
      "providerRegistration: choice",
      "topicName: topic-name",
      "allowedAddresses[0]: cidr",
      "allowedAddresses[1]: cidr",
    ],
  ],
  [
    "reports a second private endpoint in a subnet",
    (scope) => {
      const privateEndpoints = [identity, identity.replace("/shop/", "/SHOP/")].map((subnetId) => ({
        subnetId,
      }));
      new CloudEventGridTopic(scope, "topic", { ...place, privateEndpoints });
    },
    ["privateEndpoints[1].subnetId: unique"],
  ],
  [
    "accepts a region as the portal shows it, and every name that a resource group may have",
    (scope) => {
      const topic = (resourceGroupName: string, location: string) =>
        new CloudEventGridTopic(scope, resourceGroupName, { resourceGroupName, location });
      topic("shop.(north)_1", "West Europe");
      topic("Zoë", "East US 2");
      topic("s".repeat(90), "westus3");
      topic("s", "westus3");
    },
    [],
  ],
  [
    "reports names that no resource group has, and regions with more than letters and digits",
    (scope) => {
      const topic = (id: string, resourceGroupName: string, location: string) =>
        new CloudEventGridTopic(scope, id, { resourceGroupName, location });
      topic("a", "shop north", "westeurope");
      topic("b", "/subscriptions/x/resourceGroups/shop", "westeurope");
      topic("c", "shop.", "westeurope");
      topic("d", "s".repeat(91), "westeurope");
      topic("e", "shop", "west europe 9!");
      topic("f", "shop", " westeurope");
    },
    [
      ...Array(4).fill("resourceGroupName: resource-group-name"),
      ...Array(2).fill("location: location"),
    ],
  ],
  [
    "reports names that begin with a word of Azure's",
    (scope) => {
      const topic = (topicName: string) =>
        new CloudEventGridTopic(scope, topicName, { ...place, topicName });
      ["EventGrid-orders", "system-orders", "MICROSOFT-1", "systemic", "my-system-1"].map(topic);
    },
    ["topicName: reserved-name", "topicName: reserved-name", "topicName: reserved-name"],
  ],
  [
    "reports missing and contradictory identities",
    (scope) => {
      const topic = (id: string, identity: object) =>
        new CloudEventGridTopic(scope, id, { ...place, identity: identity as TopicIdentity });
      topic("a", { type: "Own" });
      topic("b", { type: "UserAssigned" });
      topic("c", { type: "UserAssigned", userAssignedIdentities: ["orders"] });
      topic("d", { type: "SystemAssigned", userAssignedIdentities: [identity] });
      topic("e", {});
      topic("f", { type: new TerraformVariable(scope, "type", { type: "string" }).stringValue });
    },
    [
      "identity.type: choice",
      "identity.userAssignedIdentities: required",
      "identity.userAssignedIdentities[0]: resource-id",
      "identity.userAssignedIdentities: unused",
      "identity.type: required",
      "identity.type: known-early",
    ],
  ],
  [
    "reports a string and a token of one value in the place of a list",
    (scope) => {
      const addresses: unknown = "10.0.0.0/8";
      const later = new TerraformVariable(scope, "later", { type: "list(string)" }).value;
      new CloudEventGridTopic(scope, "a", { ...place, allowedAddresses: addresses as string[] });
      new CloudEventGridTopic(scope, "b", { ...place, allowedAddresses: later });
    },
    ["allowedAddresses: type", "allowedAddresses: type"],
  ],
  [
    "reports missing props",
    (scope) => {
      const nothing: unknown = {};
      const topic = new CloudEventGridTopic(scope, "a", nothing as CloudEventGridTopicProps);
      const missing: unknown = undefined;
      topic.grantPublish(missing as string);
    },
    ["resourceGroupName: required", "location: required", "principalId: required"],
  ],
  [
    "reports the access key of a topic without local authentication once",
    (scope) => {
      const topic = new CloudEventGridTopic(scope, "topic", place);
      const { endpoint: topicEndpoint, accessKey } = topic;
      new CloudEventGridBinding(scope, "orders", { topicEndpoint, accessKey });
      new CloudEventGridBinding(scope, "more", { topicEndpoint, accessKey: topic.accessKey });
      const keyed = new CloudEventGridTopic(scope, "keyed", { ...place, localAuthEnabled: true });
      new CloudEventGridBinding(scope, "keys", { topicEndpoint, accessKey: keyed.accessKey });
    },
    ["accessKey: local-auth"],
  ],
  [
    "reports a publisher that is named by something else than its object ID",
    (scope) =>
      CloudEventGridTopic.fromTopicId(
        scope,
        "topic",
        storageAccount.replace("Storage/storageAccounts", "EventGrid/topics"),
      ).grantPublish("orders", { principalType: "Robot" as "User" }),
    ["principalId: uuid", "principalType: choice"],
  ],
  [
    "reports the ID of another resource, and a topic's name in the place of its ID",
    (scope) => {
      CloudEventGridTopic.fromTopicId(scope, "a", storageAccount);
      CloudEventGridTopic.fromTopicId(scope, "b", "shop");
    },
    ["topicId: topic-id", "topicId: topic-id"],
  ],
]);
