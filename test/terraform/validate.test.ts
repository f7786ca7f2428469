import { AppRoleAssignment } from "@cdktf/provider-azuread/lib/app-role-assignment/index.js";
import { DataAzureadApplication } from "@cdktf/provider-azuread/lib/data-azuread-application/index.js";
import { DataAzureadServicePrincipal } from "@cdktf/provider-azuread/lib/data-azuread-service-principal/index.js";
import { DataAzurermClientConfig } from "@cdktf/provider-azurerm/lib/data-azurerm-client-config/index.js";
import { EventgridEventSubscription } from "@cdktf/provider-azurerm/lib/eventgrid-event-subscription/index.js";
import { EventhubNamespace } from "@cdktf/provider-azurerm/lib/eventhub-namespace/index.js";
import { RoleAssignment } from "@cdktf/provider-azurerm/lib/role-assignment/index.js";
import { ServicebusNamespace } from "@cdktf/provider-azurerm/lib/servicebus-namespace/index.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Providers, prepareProviders, Terraform } from "../stand-ins/src/index.js";
import { type ShopStack, Synthesis } from "./synthesize.js";
import { describeWithTerraform, source } from "./with-terraform.js";

const SCOPE = "/subscriptions/22222222-2222-4222-8222-222222222222";

describeWithTerraform("terraform validate", () => {
  let providers: Providers;
  let synthesis: Synthesis;
  let terraform: Terraform;

  beforeAll(async () => {
    // Validation sends no request: no cloud is running.
    providers = await prepareProviders(source, {});
    synthesis = new Synthesis();
    terraform = new Terraform({ directory: synthesis.directory, providers });
    synthesis.write(() => {});
    await terraform.init();
  });
  afterAll(async () => {
    await providers.stop();
    synthesis.remove();
  });

  const failure = async (build: (stack: ShopStack) => void): Promise<string> => {
    synthesis.write(build);
    return terraform.validate().then(
      () => "",
      (error: Error) => error.message,
    );
  };
  /** Adds a valid event subscription with changes, by their names in cdktf or in Terraform. */
  const subscribe = (stack: ShopStack, changed: object, overrides: object = {}) => {
    const id = `orders-${stack.node.children.length}`;
    const made = new EventgridEventSubscription(stack, id, {
      name: "orders",
      scope: SCOPE,
      webhookEndpoint: { url: "https://orders.example.com/api/events" },
      ...changed,
    });
    for (const [path, value] of Object.entries(overrides)) made.addOverride(path, value);
  };

  it("accepts a valid resource", async () => {
    expect(await failure((stack) => subscribe(stack, {}))).toBe("");
  });

  it("refuses what the schema does not allow", async () => {
    const message = await failure((stack) => {
      subscribe(stack, {}, { event_delivery_shema: "CloudEventSchemaV1_0" });
      const webhook = { url: "https://orders.example.com", max_event_per_batch: 1 };
      subscribe(stack, {}, { webhook_endpoint: webhook });
      subscribe(stack, {}, { labels: { a: "b" } });
      subscribe(stack, {}, { scope: undefined });
      subscribe(stack, {}, { "webhook_endpoint.url": undefined });
      const twice = [{ url: "https://a.example.com" }, { url: "https://b.example.com" }];
      subscribe(stack, {}, { webhook_endpoint: twice });
      stack.addOverride("resource.azurerm_container_app", {
        shop: {
          name: "shop",
          resource_group_name: "shop",
          container_app_environment_id: "/environment",
          revision_mode: "Single",
        },
      });
      stack.addOverride("resource.azurerm_eventgrid_subscription", { orders: {} });
    });
    for (const reason of [
      'No argument or block type is named "event_delivery_shema"',
      'named "max_event_per_batch"',
      'Inappropriate value for attribute "labels": list of string required',
      'The argument "scope" is required, but no definition was found',
      'The argument "url" is required, but no definition was found',
      'No more than 1 "webhook_endpoint" blocks are allowed',
      'At least 1 "template" blocks are required',
      'The provider hashicorp/azurerm does not support resource type "azurerm_eventgrid_subscription"',
    ]) {
      expect(message).toContain(reason);
    }
  });

  it("refuses what the providers check themselves", async () => {
    const queue = `${SCOPE}/resourceGroups/g/providers/Microsoft.ServiceBus/namespaces/n/queues/q`;
    const principal = "44444444-4444-4444-8444-444444444444";
    const values = Array.from({ length: 26 }, (_, i) => `v${i}`);
    const message = await failure((stack) => {
      subscribe(stack, {
        name: "or_ders",
        eventDeliverySchema: "CloudEvents",
        webhookEndpoint: { url: "http://orders.example.com?code=secret", maxEventsPerBatch: 5001 },
        retryPolicy: { maxDeliveryAttempts: 31, eventTimeToLive: 0 },
      });
      subscribe(stack, { serviceBusQueueEndpointId: queue });
      subscribe(stack, { advancedFilter: { stringIn: [{ key: "subject", values }] } });
      const stringIn = [
        { key: "subject", values: values.slice(1) },
        { key: "source", values: ["one more"] },
      ];
      subscribe(stack, { advancedFilter: { stringIn } });
      const place = { location: "westeurope", resourceGroupName: "shop", sku: "Standard" };
      new EventhubNamespace(stack, "hubs", { ...place, name: "hubs" });
      new ServicebusNamespace(stack, "bus", { ...place, name: "bus" });
      for (const [index, role] of [
        {},
        { roleDefinitionId: "/x", roleDefinitionName: "Reader" },
        { roleDefinitionName: "Reader", principalType: "Robot" },
      ].entries()) {
        const config = { scope: SCOPE, principalId: principal, ...role };
        new RoleAssignment(stack, `role-${index}`, config);
      }
      for (const [index, config] of [{}, { clientId: "c", displayName: "orders" }].entries()) {
        new DataAzureadApplication(stack, `application-${index}`, config);
        new DataAzureadServicePrincipal(stack, `principal-${index}`, config);
      }
      new AppRoleAssignment(stack, "app-role", {
        appRoleId: "reader",
        principalObjectId: principal,
        resourceObjectId: principal,
      });
    });
    for (const reason of [
      "contain only letters, numbers and hyphens",
      "expected event_delivery_schema to be one of",
      'to have a url with schema of: "https", got http://orders.example.com?code=secret',
      "expected webhook_endpoint.0.max_events_per_batch to be in the range (1 - 5000), got 5001",
      "expected retry_policy.0.max_delivery_attempts to be in the range (1 - 30), got 31",
      "expected retry_policy.0.event_time_to_live to be in the range (1 - 1440), got 0",
      '"webhook_endpoint": conflicts with service_bus_queue_endpoint_id',
      "supports 25 item maximum",
      "values allowed on a single event subscription is 25, but 26 are configured",
      "one of `role_definition_id,role_definition_name` must be specified",
      '"role_definition_id": only one of `role_definition_id,role_definition_name` can be specified, but `role_definition_id,role_definition_name` were specified.',
      'expected principal_type to be one of ["User" "Group" "ServicePrincipal"], got Robot',
      "one of `client_id,object_id,display_name,identifier_uri` must be specified",
      "one of `client_id,object_id,display_name` must be specified",
      "but `client_id,display_name` were specified",
      'expected "app_role_id" to be a valid UUID, got reader',
    ]) {
      expect(message).toContain(reason);
    }
    expect(message.match(/between 6 and 50 characters/g)).toHaveLength(2);
  });

  it("refuses an unknown set of registrations", async () => {
    const message = await failure((stack) => {
      stack.azurerm.resourceProviderRegistrations = "some";
      new DataAzurermClientConfig(stack, "caller");
    });
    expect(message).toContain("expected resource_provider_registrations to be one of");
  });
});
