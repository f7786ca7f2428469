import { RoleAssignment } from "@cdktf/provider-azurerm/lib/role-assignment/index.js";
import type { TerraformStack } from "cdktf";
import {
  CloudEventGridBinding,
  CloudEventGridNamespace,
  CloudEventGridPullBinding,
  CloudEventGridTopic,
} from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { synthesized } from "../../support/synthesized.js";
import { existing, resourceGroup } from "../fixtures.js";

const place = { resourceGroupName: "shop", location: "westeurope" };
const warningsOf = (build: (scope: TerraformStack) => void) => synthesized(build).warnings;

describe("a publisher without a key", () => {
  const topicOf = (scope: TerraformStack) => new CloudEventGridTopic(scope, "topic", place);
  const publish = (scope: TerraformStack, topic = topicOf(scope)) => {
    const { endpoint: topicEndpoint } = topic;
    new CloudEventGridBinding(scope, "orders", { topicEndpoint, publishWith: "entra" });
    return topic;
  };

  it("is named by a warning if the topic's stack lets nobody publish", () => {
    const warning =
      'publishWith is "entra", but the stack grants nobody the right to publish: call grantPublish of ' +
      "the topic with the identity of the service";
    expect(warningsOf(publish)).toEqual([warning]);
    const elsewhere = (scope: TerraformStack) => {
      publish(scope);
      new CloudEventGridTopic(scope, "other", place).grantPublish(existing.writerId);
    };
    expect(warningsOf(elsewhere)).toEqual([warning]);
  });

  it("is not named after grantPublish, nor with a role assignment of the stack's own", () => {
    expect(warningsOf((scope) => publish(scope).grantPublish(existing.writerId))).toEqual([]);
    const own = (scope: TerraformStack) => {
      publish(scope);
      new RoleAssignment(scope, "sender", {
        scope: resourceGroup,
        roleDefinitionName: "EventGrid Data Sender",
        principalId: existing.writerId,
      });
    };
    expect(warningsOf(own)).toEqual([]);
  });

  it("is named for a topic of a namespace, too", () => {
    const publisher = (granted: boolean) => (scope: TerraformStack) => {
      const topic = new CloudEventGridNamespace(scope, "events", place).addTopic("orders");
      topic.runtimeEnvironment("ORDERS");
      if (granted) topic.grantPublish(existing.writerId);
    };
    expect(warningsOf(publisher(false))).toEqual([
      "runtimeEnvironment has no accessKey, and the stack grants nobody the right to publish: call " +
        "grantPublish with the identity of the service, or pass an accessKey",
    ]);
    expect(warningsOf(publisher(true))).toEqual([]);
    // Where an existing topic was created, its publishers usually got their role.
    const existingTopic = (scope: TerraformStack) => {
      const namespace = new CloudEventGridNamespace(scope, "events", place);
      namespace.existingTopic("orders").runtimeEnvironment("ORDERS");
    };
    expect(warningsOf(existingTopic)).toEqual([]);
  });
});

describe("a pull binding without a receiver", () => {
  const pull = (props: object, accessKey?: string) => (scope: TerraformStack) => {
    const topic = new CloudEventGridNamespace(scope, "events", place).addTopic("orders");
    new CloudEventGridPullBinding(scope, "orders", {
      topic,
      eventSubscriptionName: "shop",
      ...props,
    }).runtimeEnvironment("ORDERS", accessKey === undefined ? {} : { accessKey });
  };

  it("is named by a warning, unless an empty list or an access key says why", () => {
    expect(warningsOf(pull({}))).toEqual([
      "receiver is not set, so that nobody gets the right to receive: name the identity of the " +
        "service, or pass an empty list if it has the role EventGrid Data Receiver already",
    ]);
    expect(warningsOf(pull({ receiver: [] }))).toEqual([]);
    expect(warningsOf(pull({ receiver: existing.writerId }))).toEqual([]);
    expect(warningsOf(pull({}, "key"))).toEqual([]);
  });
});
