import { EventgridTopic } from "@cdktf/provider-azurerm/lib/eventgrid-topic/index.js";
import { UserAssignedIdentity } from "@cdktf/provider-azurerm/lib/user-assigned-identity/index.js";
import { TerraformOutput, TerraformVariable } from "cdktf";
import { CloudEventGridBinding, CloudEventGridTopic } from "cloud-eventgrid-binding";
import type { OutputBindingProps } from "cloud-eventgrid-binding-runtime";
import { describe, expect, it } from "vitest";
import { synthesized } from "../../support/synthesized.js";
import { existing, identity, resourceGroup } from "../fixtures.js";

const place = { resourceGroupName: "shop", location: "westeurope" };
const topicId = `${resourceGroup}/providers/Microsoft.EventGrid/topics/shop`;

describe("a topic", () => {
  it("accepts CloudEvents, and is named after the construct and its path", () => {
    const stack = synthesized((scope) => {
      new CloudEventGridTopic(scope, "topic", place);
    });
    expect(stack.one("azurerm_eventgrid_topic")).toEqual({
      name: "topic-8b75d334",
      resource_group_name: "shop",
      location: "westeurope",
      input_schema: "CloudEventSchemaV1_0",
      identity: { type: "SystemAssigned" },
      local_auth_enabled: false,
    });
  });

  it("can accept access keys, refuse addresses, and have tags", () => {
    const stack = synthesized((scope) => {
      new CloudEventGridTopic(scope, "topic", {
        ...place,
        topicName: "shop-orders",
        localAuthEnabled: true,
        publicNetworkAccess: true,
        allowedAddresses: ["203.0.113.0/24"],
        tags: { team: "shop" },
      });
    });
    expect(stack.one("azurerm_eventgrid_topic")).toMatchObject({
      name: "shop-orders",
      local_auth_enabled: true,
      public_network_access_enabled: true,
      inbound_ip_rule: [{ ip_mask: "203.0.113.0/24", action: "Allow" }],
      tags: { team: "shop" },
    });
  });

  it("grants an identity the right to publish once", () => {
    const stack = synthesized((scope) => {
      const topic = new CloudEventGridTopic(scope, "topic", place);
      const identity = new UserAssignedIdentity(scope, "identity", { name: "shop", ...place });
      topic.grantPublish(identity.principalId);
      topic.grantPublish(identity.principalId);
      topic.grantPublish(existing.groupId, { principalType: "Group" });
    });
    const grants = stack.all("azurerm_role_assignment").map(({ body }) => body);
    expect(grants).toHaveLength(2);
    expect(grants).toContainEqual(
      expect.objectContaining({
        scope: expect.stringMatching(/^\$\{azurerm_eventgrid_topic\..*\.id\}$/),
        role_definition_id: expect.stringMatching(
          /^\/subscriptions\/\$\{element\(split\("\/", azurerm_eventgrid_topic\..*\.id\), 2\)\}\/providers\/Microsoft\.Authorization\/roleDefinitions\/d5a91429-5739-47e2-a06b-3470a27159e7$/,
        ),
        principal_id: "${azurerm_user_assigned_identity.identity.principal_id}",
        principal_type: "ServicePrincipal",
      }),
    );
    expect(grants).toContainEqual(
      expect.objectContaining({ principal_id: existing.groupId, principal_type: "Group" }),
    );
  });

  it("distinguishes identities by ID regardless of case, and by Terraform address", () => {
    const stack = synthesized((scope) => {
      const topic = new CloudEventGridTopic(scope, "topic", place);
      for (const id of ["shop", "Shop"]) {
        const { principalId } = new UserAssignedIdentity(scope, id, { name: id, ...place });
        topic.grantPublish(principalId);
      }
      const group = "aaaaaaaa-2222-3333-4444-000000000005";
      topic.grantPublish(group, { principalType: "Group" });
      topic.grantPublish(group.toUpperCase(), { principalType: "Group" });
    });
    const grants = stack.all("azurerm_role_assignment").map(({ body }) => body.principal_id);
    expect(grants.sort()).toEqual([
      "${azurerm_user_assigned_identity.Shop.principal_id}",
      "${azurerm_user_assigned_identity.shop.principal_id}",
      "aaaaaaaa-2222-3333-4444-000000000005",
    ]);
  });
});

describe("the managed identities of a topic", () => {
  it("can be system-assigned, with its principal as a property", () => {
    const stack = synthesized((scope) => {
      const topic = new CloudEventGridTopic(scope, "topic", place);
      new TerraformOutput(scope, "principal", { value: topic.principalId });
    });
    expect(stack.one("azurerm_eventgrid_topic").identity).toEqual({ type: "SystemAssigned" });
    expect(stack.json.output).toMatchObject({
      principal: {
        value: expect.stringMatching(
          /\? azurerm_eventgrid_topic\..*\.identity\[0\]\.principal_id : ""\)\}$/,
        ),
      },
    });
  });

  it("can be left out", () => {
    const stack = synthesized((scope) => {
      const topic = new CloudEventGridTopic(scope, "topic", { ...place, identity: "none" });
      expect(topic.principalId).toBeUndefined();
    });
    expect(stack.one("azurerm_eventgrid_topic").identity).toBeUndefined();
  });

  it("can be user-assigned", () => {
    const stack = synthesized((scope) => {
      const topic = new CloudEventGridTopic(scope, "topic", {
        ...place,
        identity: { type: "UserAssigned", userAssignedIdentities: [identity] },
      });
      expect(topic.principalId).toBeUndefined();
    });
    expect(stack.one("azurerm_eventgrid_topic").identity).toEqual({
      type: "UserAssigned",
      identity_ids: [identity],
    });
  });
});

describe("an existing topic", () => {
  it("is looked up only if its endpoint or key is used", () => {
    const stack = synthesized((scope) => {
      const topic = CloudEventGridTopic.fromTopicId(scope, "topic", topicId);
      topic.grantPublish(existing.writerId);
    });
    expect(stack.all("data.azurerm_eventgrid_topic")).toEqual([]);
    expect(stack.one("azurerm_role_assignment")).toMatchObject({
      scope: topicId,
      role_definition_id: `/subscriptions/${existing.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/d5a91429-5739-47e2-a06b-3470a27159e7`,
    });
  });

  it("has the endpoint and key of the topic that its ID names", () => {
    const stack = synthesized((scope) => {
      const topic = CloudEventGridTopic.fromTopicId(scope, "topic", `${topicId}/`);
      expect(topic.id).toBe(topicId);
      expect(topic.endpoint).not.toBe(topic.accessKey);
    });
    expect(stack.one("data.azurerm_eventgrid_topic")).toEqual({
      resource_group_name: "shop",
      name: "shop",
    });
  });

  it("may have a token as its ID", () => {
    const stack = synthesized((scope) => {
      const id = new TerraformVariable(scope, "topic_id", { type: "string" });
      expect(CloudEventGridTopic.fromTopicId(scope, "topic", id.stringValue).endpoint).toBeTruthy();
    });
    expect(stack.one("data.azurerm_eventgrid_topic")).toMatchObject({
      resource_group_name: '${element(split("/", var.topic_id), 4)}',
      name: '${element(split("/", var.topic_id), 8)}',
    });
  });
});

describe("a topic of the stack's own", () => {
  const warnings = (inputSchema?: string) =>
    synthesized((scope) => {
      const schema = inputSchema === undefined ? {} : { inputSchema };
      const { endpoint } = new EventgridTopic(scope, "own", { ...place, name: "own", ...schema });
      const publisher = { topicEndpoint: endpoint, publishWith: "accessKey", accessKey: endpoint };
      new CloudEventGridBinding(scope, "orders", publisher as OutputBindingProps);
    }).warnings;

  it("is reported if it expects no CloudEvents, as by default", () => {
    for (const schema of [undefined, "CustomEventSchema"]) {
      const shown = schema ?? "EventGridSchema";
      const message = `topicEndpoint is that of orders/own, whose inputSchema is "${shown}"`;
      expect(warnings(schema)).toEqual([expect.stringContaining(message)]);
    }
    expect(warnings("CloudEventSchemaV1_0")).toEqual([]);
  });
});
