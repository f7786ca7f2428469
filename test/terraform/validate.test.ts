import { AppRoleAssignment } from "@cdktf/provider-azuread/lib/app-role-assignment/index.js";
import { DataAzureadApplication } from "@cdktf/provider-azuread/lib/data-azuread-application/index.js";
import { DataAzureadServicePrincipal } from "@cdktf/provider-azuread/lib/data-azuread-service-principal/index.js";
import { DataAzurermClientConfig } from "@cdktf/provider-azurerm/lib/data-azurerm-client-config/index.js";
import { EventgridEventSubscription } from "@cdktf/provider-azurerm/lib/eventgrid-event-subscription/index.js";
import { EventhubNamespace } from "@cdktf/provider-azurerm/lib/eventhub-namespace/index.js";
import { RoleAssignment } from "@cdktf/provider-azurerm/lib/role-assignment/index.js";
import { ServicebusNamespace } from "@cdktf/provider-azurerm/lib/servicebus-namespace/index.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
  const subscription = (changed: object, overrides: Record<string, unknown> = {}) =>
    failure((stack) => {
      const made = new EventgridEventSubscription(stack, "orders", {
        name: "orders",
        scope: SCOPE,
        webhookEndpoint: { url: "https://orders.example.com/api/events" },
        ...changed,
      });
      for (const [path, value] of Object.entries(overrides)) made.addOverride(path, value);
    });

  it("accepts a valid resource", async () => {
    expect(await subscription({})).toBe("");
  });

  describe("the schema", () => {
    it("refuses a misspelt attribute", async () => {
      expect(await subscription({}, { event_delivery_shema: "CloudEventSchemaV1_0" })).toContain(
        'No argument or block type is named "event_delivery_shema"',
      );
    });

    it("refuses a misspelt attribute in a block", async () => {
      const webhook = { url: "https://orders.example.com", max_event_per_batch: 1 };
      expect(await subscription({}, { webhook_endpoint: webhook })).toContain(
        'named "max_event_per_batch"',
      );
    });

    it("refuses a wrong type", async () => {
      expect(await subscription({}, { labels: { a: "b" } })).toContain(
        'Inappropriate value for attribute "labels": list of string required',
      );
    });

    it("refuses a missing attribute", async () => {
      expect(await subscription({}, { scope: undefined })).toContain(
        'The argument "scope" is required, but no definition was found',
      );
    });

    it("refuses a missing attribute of a block", async () => {
      expect(await subscription({}, { "webhook_endpoint.url": undefined })).toContain(
        'The argument "url" is required, but no definition was found',
      );
    });

    it("refuses too many blocks", async () => {
      const twice = [{ url: "https://a.example.com" }, { url: "https://b.example.com" }];
      expect(await subscription({}, { webhook_endpoint: twice })).toContain(
        'No more than 1 "webhook_endpoint" blocks are allowed',
      );
    });

    it("refuses a missing block", async () => {
      const message = await failure((stack) => {
        stack.addOverride("resource.azurerm_container_app", {
          shop: {
            name: "shop",
            resource_group_name: "shop",
            container_app_environment_id: "/environment",
            revision_mode: "Single",
          },
        });
      });
      expect(message).toContain('At least 1 "template" blocks are required');
    });

    it("refuses an unknown resource type", async () => {
      const message = await failure((stack) => {
        stack.addOverride("resource.azurerm_eventgrid_subscription", { orders: {} });
      });
      expect(message).toContain(
        'The provider hashicorp/azurerm does not support resource type "azurerm_eventgrid_subscription"',
      );
    });
  });

  describe("the provider's own checks", () => {
    it("reports an invalid name, schema and numbers together", async () => {
      const message = await subscription({
        name: "or_ders",
        eventDeliverySchema: "CloudEvents",
        webhookEndpoint: { url: "http://orders.example.com?code=secret", maxEventsPerBatch: 5001 },
        retryPolicy: { maxDeliveryAttempts: 31, eventTimeToLive: 0 },
      });
      expect(message).toContain("contain only letters, numbers and hyphens");
      expect(message).toContain("expected event_delivery_schema to be one of");
      expect(message).toContain(
        'to have a url with schema of: "https", got http://orders.example.com?code=secret',
      );
      expect(message).toContain(
        "expected webhook_endpoint.0.max_events_per_batch to be in the range (1 - 5000), got 5001",
      );
      expect(message).toContain(
        "expected retry_policy.0.max_delivery_attempts to be in the range (1 - 30), got 31",
      );
      expect(message).toContain(
        "expected retry_policy.0.event_time_to_live to be in the range (1 - 1440), got 0",
      );
    });

    it("refuses two destinations", async () => {
      const queue = `${SCOPE}/resourceGroups/g/providers/Microsoft.ServiceBus/namespaces/n/queues/q`;
      expect(await subscription({ serviceBusQueueEndpointId: queue })).toContain(
        '"webhook_endpoint": conflicts with service_bus_queue_endpoint_id',
      );
    });

    it("refuses more than 25 filter values", async () => {
      const values = Array.from({ length: 26 }, (_, i) => `v${i}`);
      const advancedFilter = { stringIn: [{ key: "subject", values }] };
      expect(await subscription({ advancedFilter })).toContain("supports 25 item maximum");
      const [first, ...rest] = values;
      const stringIn = [
        { key: "subject", values: rest },
        { key: "source", values: [first ?? ""] },
      ];
      expect(await subscription({ advancedFilter: { stringIn } })).toContain(
        "values allowed on a single event subscription is 25, but 26 are configured",
      );
    });

    it("refuses a messaging namespace whose name is too short", async () => {
      const place = { location: "westeurope", resourceGroupName: "shop", sku: "Standard" };
      const message = await failure((stack) => {
        new EventhubNamespace(stack, "hubs", { ...place, name: "hubs" });
        new ServicebusNamespace(stack, "bus", { ...place, name: "bus" });
      });
      expect(message.match(/between 6 and 50 characters/g)).toHaveLength(2);
    });

    it("refuses a role assignment without a role, and one with two", async () => {
      const principalId = "44444444-4444-4444-8444-444444444444";
      const role = (config: object) =>
        failure((stack) => {
          new RoleAssignment(stack, "role", { scope: SCOPE, principalId, ...config });
        });
      expect(await role({})).toContain(
        "one of `role_definition_id,role_definition_name` must be specified",
      );
      expect(await role({ roleDefinitionId: "/x", roleDefinitionName: "Reader" })).toContain(
        '"role_definition_id": only one of `role_definition_id,role_definition_name` can be specified, but `role_definition_id,role_definition_name` were specified.',
      );
      expect(await role({ roleDefinitionName: "Reader", principalType: "Robot" })).toContain(
        'expected principal_type to be one of ["User" "Group" "ServicePrincipal"], got Robot',
      );
    });

    it("refuses look-ups by no attribute or by two", async () => {
      const lookUp = (config: object) =>
        failure((stack) => {
          new DataAzureadApplication(stack, "application", config);
          new DataAzureadServicePrincipal(stack, "principal", config);
        });
      const nothing = await lookUp({});
      expect(nothing).toContain(
        "one of `client_id,object_id,display_name,identifier_uri` must be specified",
      );
      expect(nothing).toContain("one of `client_id,object_id,display_name` must be specified");
      expect(await lookUp({ clientId: "c", displayName: "orders" })).toContain(
        "but `client_id,display_name` were specified",
      );
    });

    it("refuses an unknown set of registrations", async () => {
      const message = await failure((stack) => {
        stack.azurerm.resourceProviderRegistrations = "some";
        new DataAzurermClientConfig(stack, "caller");
      });
      expect(message).toContain("expected resource_provider_registrations to be one of");
    });

    it("refuses an app role assignment to an invalid UUID", async () => {
      const message = await failure((stack) => {
        new AppRoleAssignment(stack, "role", {
          appRoleId: "reader",
          principalObjectId: "44444444-4444-4444-8444-444444444444",
          resourceObjectId: "44444444-4444-4444-8444-444444444444",
        });
      });
      expect(message).toContain('expected "app_role_id" to be a valid UUID, got reader');
    });
  });
});
