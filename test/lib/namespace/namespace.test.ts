import { AzurermProvider } from "@cdktf/provider-azurerm/lib/provider/index.js";
import { TerraformProvider, type TerraformStack, TerraformVariable } from "cdktf";
import {
  CloudEventGridNamespace,
  type CloudEventGridNamespaceProps,
  CloudEventGridPullBinding,
  type CloudEventGridPullBindingProps,
  where,
} from "cloud-eventgrid-binding";
import {
  namespaceTopicFromEnvironment,
  pullBindingFromEnvironment,
} from "cloud-eventgrid-binding-runtime";
import { describe, expect, it } from "vitest";
import { stackWithProviders, synthesized } from "../../support/synthesized.js";
import { existing, identity, resourceGroup, storageAccount } from "../fixtures.js";

const place = { resourceGroupName: "shop", location: "westeurope" };
const namespaceId = `${resourceGroup}/providers/Microsoft.EventGrid/namespaces/shop`;

function create(scope: TerraformStack, props: Partial<CloudEventGridNamespaceProps> = {}) {
  return new CloudEventGridNamespace(scope, "events", { ...place, ...props });
}

function pull(
  scope: TerraformStack,
  props: Partial<CloudEventGridPullBindingProps> = {},
): CloudEventGridPullBinding {
  return new CloudEventGridPullBinding(scope, "orders", {
    topic: props.topic ?? create(scope).addTopic("orders"),
    eventSubscriptionName: "shop",
    ...props,
  });
}

describe("a namespace", () => {
  it("is written by azapi, with every setting and an identity of its own", () => {
    const stack = synthesized((scope) => void create(scope));
    expect(stack.one("azapi_resource")).toMatchObject({
      type: "Microsoft.EventGrid/namespaces@2025-02-15",
      name: expect.stringMatching(/^events-[0-9a-f]{8}$/),
      parent_id: expect.stringMatching(
        /^\/subscriptions\/\$\{data\.azurerm_client_config\.\S+\.subscription_id\}\/resourceGroups\/shop$/,
      ),
      location: "westeurope",
      identity: [{ type: "SystemAssigned" }],
      body: {
        sku: { name: "Standard", capacity: 1 },
        properties: {
          publicNetworkAccess: "Enabled",
          inboundIpRules: [],
          minimumTlsVersionAllowed: "1.2",
        },
      },
      response_export_values: ["properties.topicsConfiguration.hostname"],
    });
  });

  it("can refuse the public internet, and have addresses, identities and tags", () => {
    const stack = synthesized((scope) => {
      create(scope, {
        namespaceName: "shop-events",
        capacity: 2,
        publicNetworkAccess: false,
        allowedAddresses: ["203.0.113.0/24"],
        identity: { type: "SystemAssigned, UserAssigned", userAssignedIdentities: [identity] },
        tags: { team: "shop" },
      });
    });
    expect(stack.one("azapi_resource")).toMatchObject({
      name: "shop-events",
      identity: [{ type: "SystemAssigned, UserAssigned", identity_ids: [identity] }],
      tags: { team: "shop" },
      body: {
        sku: { capacity: 2 },
        properties: {
          publicNetworkAccess: "Disabled",
          inboundIpRules: [{ ipMask: "203.0.113.0/24", action: "Allow" }],
        },
      },
    });
  });

  it("is looked up only if it exists already and its endpoint is used", () => {
    const shapes = [false, true].map((isUsed) => {
      const stack = synthesized((scope) => {
        const namespace = CloudEventGridNamespace.fromId(scope, "events", namespaceId);
        const binding = pull(scope, { topic: namespace.existingTopic("orders") });
        if (isUsed) binding.runtimeEnvironment("ORDERS");
      });
      expect(stack.one("azapi_resource", "orders/subscription")).toMatchObject({
        parent_id: `${namespaceId}/topics/orders`,
        body: { properties: { deliveryConfiguration: { queue: { eventTimeToLive: "P1D" } } } },
      });
      return stack.shape;
    });
    expect(shapes).toEqual([
      ["azapi_resource orders/subscription"],
      ["azapi_resource orders/subscription", "data.azapi_resource events/namespace"],
    ]);
  });

  it("has its rights granted with its own provider if it exists already", () => {
    const stack = synthesized((scope) => {
      const azurerm = new AzurermProvider(scope, "north", { features: [{}], alias: "north" });
      const namespace = CloudEventGridNamespace.fromId(scope, "events", namespaceId, {
        azurerm,
        principalId: existing.groupId,
      });
      pull(scope, {
        topic: namespace.existingTopic("orders"),
        receiver: existing.writerId,
        deadLetter: { storageAccount, container: "dead" },
      });
    });
    const grants = stack.all("azurerm_role_assignment").map(({ body }) => body);
    expect(new Set(grants.map(({ principal_id, provider }) => [principal_id, provider]))).toEqual(
      new Set([
        [existing.writerId, "azurerm.north"],
        [existing.groupId, "azurerm.north"],
      ]),
    );
  });
});

/** A provider that the stack declares itself, as bindings that cdktf generates do. */
class OwnProvider extends TerraformProvider {}

describe("the azapi provider", () => {
  it("is part of a stack only with a namespace, and signs in as azurerm does", () => {
    const without = synthesized(() => {});
    expect(without.providers("azapi")).toEqual([]);
    const stack = synthesized((scope) => {
      const azurerm = scope.node.findChild("azurerm");
      if (TerraformProvider.isTerraformProvider(azurerm)) {
        azurerm.addOverride("tenant_id", existing.tenantId);
        azurerm.addOverride("use_cli", false);
      }
      create(scope);
    });
    expect(stack.json.terraform).toMatchObject({
      required_providers: { azapi: { source: "Azure/azapi", version: "~> 2.12" } },
    });
    expect(stack.providers("azapi")).toEqual([{ tenant_id: existing.tenantId, use_cli: false }]);
  });

  it("is the stack's own, if it has one", () => {
    const stack = synthesized((scope) => {
      create(scope);
      const own = new OwnProvider(scope, "azapi", {
        terraformResourceType: "azapi",
        terraformProviderSource: "Azure/azapi",
      });
      own.addOverride("use_msi", true);
    });
    expect(stack.providers("azapi")).toEqual([{ use_msi: true }]);
  });
});

describe("a pull binding", () => {
  it("writes every setting of the queue, also those that are not set", () => {
    const stack = synthesized((scope) => void pull(scope));
    expect(stack.one("azapi_resource", "orders/subscription")).toMatchObject({
      type: "Microsoft.EventGrid/namespaces/topics/eventSubscriptions@2025-02-15",
      name: "shop",
      ignore_casing: true,
      body: {
        properties: {
          eventDeliverySchema: "CloudEventSchemaV1_0",
          deliveryConfiguration: {
            deliveryMode: "Queue",
            queue: {
              receiveLockDurationInSeconds: 60,
              maxDeliveryCount: 10,
              eventTimeToLive: "P7D",
              deadLetterDestinationWithResourceIdentity: null,
            },
          },
          filtersConfiguration: { includedEventTypes: null, filters: [] },
          expirationTimeUtc: null,
        },
      },
    });
  });

  it.each([
    [1, "PT1M"],
    [90, "PT1H30M"],
    [1440, "P1D"],
    [1501, "P1DT1H1M"],
  ])("writes a time to live of %i minutes as %s", (eventTimeToLiveMinutes, duration) => {
    const stack = synthesized((scope) => void pull(scope, { eventTimeToLiveMinutes }));
    expect(stack.one("azapi_resource", "orders/subscription")).toMatchObject({
      body: { properties: { deliveryConfiguration: { queue: { eventTimeToLive: duration } } } },
    });
  });

  it("filters by the types of the catalogue and by attributes", () => {
    const filters = [where("subject").stringBeginsWith("a", "b"), where("team").isNotNull()];
    const stack = synthesized((scope) => {
      pull(scope, { events: { types: ["shop.order.placed"] }, filters });
    });
    expect(stack.one("azapi_resource", "orders/subscription")).toMatchObject({
      body: {
        properties: {
          filtersConfiguration: {
            includedEventTypes: ["shop.order.placed"],
            filters: [
              { operatorType: "StringBeginsWith", key: "subject", values: ["a", "b"] },
              { operatorType: "IsNotNull", key: "team" },
            ],
          },
        },
      },
    });
  });

  it("lets its receivers receive, and publishers publish, at the namespace", () => {
    const stack = synthesized((scope) => {
      const topic = create(scope).addTopic("orders");
      const group = { principalId: existing.groupId, principalType: "Group" } as const;
      pull(scope, { topic, receiver: [existing.writerId, group] });
      topic.grantPublish(existing.writerId);
    });
    const grants = stack.all("azurerm_role_assignment").map(({ body }) => ({
      scope: body.scope,
      role: String(body.role_definition_id).split("/").at(-1),
      principal: `${body.principal_type} ${body.principal_id}`,
    }));
    const scope = expect.stringMatching(/^\$\{azapi_resource\.events_namespace_\w+\.id\}$/);
    const receiver = "78cbd9e7-9798-4e2e-9b5a-547d9ebb31fb";
    expect(grants).toEqual(
      expect.arrayContaining([
        { scope, role: receiver, principal: `ServicePrincipal ${existing.writerId}` },
        { scope, role: receiver, principal: `Group ${existing.groupId}` },
        {
          scope,
          role: "d5a91429-5739-47e2-a06b-3470a27159e7",
          principal: `ServicePrincipal ${existing.writerId}`,
        },
      ]),
    );
    expect(grants).toHaveLength(3);
  });

  it("dead-letters with the namespace's identity, once that may write", () => {
    const stack = synthesized((scope) => {
      pull(scope, { deadLetter: { storageAccount, container: "dead" } });
    });
    expect(stack.one("azurerm_role_assignment")).toMatchObject({
      scope: `${storageAccount}/blobServices/default/containers/dead`,
      principal_id: expect.stringMatching(
        /^\$\{azapi_resource\.events_namespace_\w+\.identity\[0\]\.principal_id\}$/,
      ),
    });
    expect(stack.waits("azapi_resource", "orders/subscription")).toEqual([
      expect.stringContaining("storage-blob-data-contributor"),
      "orders/role-effect",
    ]);
  });

  it("dead-letters with an identity that is named, to which the container is granted", () => {
    const deadLetterIdentity = { type: "UserAssigned", userAssignedIdentity: identity } as const;
    const stack = synthesized((scope) => {
      const principalId = existing.writerId;
      pull(scope, {
        deadLetter: {
          storageAccount,
          container: "dead",
          identity: { ...deadLetterIdentity, principalId },
        },
      });
    });
    expect(stack.one("azurerm_role_assignment")).toMatchObject({
      principal_id: existing.writerId,
    });
  });

  it("has an environment that the runtime reads", () => {
    const stack = stackWithProviders();
    const topic = create(stack).addTopic("orders");
    const binding = pull(stack, { topic, receiveLockSeconds: 90 });
    const read = (environment: Readonly<Record<string, string>>) => ({
      ...environment,
      ORDERS_NAMESPACE_ENDPOINT: "https://shop.example.com",
    });
    const { variables, secrets } = binding.runtimeEnvironment("ORDERS");
    expect(secrets).toEqual({});
    expect(pullBindingFromEnvironment("ORDERS", { env: read(variables) })).toMatchObject({
      name: "orders",
      namespaceEndpoint: "https://shop.example.com",
      topicName: "orders",
      eventSubscriptionName: "shop",
      receiveLockSeconds: 90,
    });
    const accessKey = new TerraformVariable(stack, "key", { type: "string" }).stringValue;
    const keyed = topic.runtimeEnvironment("ORDERS", { accessKey });
    expect(keyed.secrets).toEqual({ ORDERS_ACCESS_KEY: accessKey });
    const env = { ...read(keyed.variables), ORDERS_ACCESS_KEY: "secret" };
    expect(namespaceTopicFromEnvironment("ORDERS", { env })).toMatchObject({
      topicName: "orders",
      publishWith: "accessKey",
      accessKey: "secret",
    });
  });
});

it("has an address that other tokens do not change, for a topic whose name is one", () => {
  const addresses = (isOther: boolean) =>
    synthesized((scope) => {
      const variable = new TerraformVariable(scope, "topic", { type: "string" });
      const namespace = create(scope);
      if (isOther) String(new TerraformVariable(scope, "other", {}).stringValue);
      const topic = namespace.addTopic(variable.value);
      const { variables } = topic.runtimeEnvironment("ORDERS");
      expect(variables.ORDERS_NAME).toBe(topic.topicName);
    }).shape.filter((one) => one.endsWith("/topic"));
  expect(addresses(true)).toEqual(addresses(false));
  expect(addresses(true)).toHaveLength(1);
});
