import { EventgridEventSubscription } from "@cdktf/provider-azurerm/lib/eventgrid-event-subscription/index.js";
import { EventgridSystemTopic } from "@cdktf/provider-azurerm/lib/eventgrid-system-topic/index.js";
import { EventgridSystemTopicEventSubscription } from "@cdktf/provider-azurerm/lib/eventgrid-system-topic-event-subscription/index.js";
import { ResourceGroup } from "@cdktf/provider-azurerm/lib/resource-group/index.js";
import { ResourceProviderRegistration } from "@cdktf/provider-azurerm/lib/resource-provider-registration/index.js";
import { RoleAssignment } from "@cdktf/provider-azurerm/lib/role-assignment/index.js";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Scenario } from "./scenario.js";
import { describeWithTerraform } from "./with-terraform.js";

/** The behaviour of the real azurerm with plain resources, some of which the constructs avoid. */
let shop: Scenario;
beforeEach(async () => {
  shop = await Scenario.start({ eventGridRegistered: true });
});
afterEach(() => shop.stop());

const subscription = () => `/subscriptions/${shop.cloud.subscriptionId}`;
const tenant = () => {
  const found = shop.cloud.directory.tenant(shop.cloud.tenantId);
  if (found === undefined) throw new Error("there is no tenant");
  return found;
};
/** The values that Azure answers for a webhook without them: every plan would show a difference. */
const UNBATCHED = { maxEventsPerBatch: 1, preferredBatchSizeInKilobytes: 64 };
const READER = "acdd72a7-3385-48ef-bd42-f606fba81ae7";

describeWithTerraform("a role assignment", () => {
  const assign = (config: object) =>
    shop.write((stack) => {
      const principal = tenant().servicePrincipals.list()[0];
      new RoleAssignment(stack, "role", {
        scope: subscription(),
        principalId: principal?.objectId ?? "",
        principalType: "ServicePrincipal",
        ...config,
      });
    });

  it("has an empty plan with the name of the role, or its ID in the subscription", async () => {
    await assign({ roleDefinitionName: "Reader" });
    await shop.apply();
    expect(await shop.plan()).toEqual([]);

    const id = `${subscription()}/providers/Microsoft.Authorization/roleDefinitions/${READER}`;
    await assign({ roleDefinitionId: id });
    expect(await shop.plan()).toEqual([]);
    await assign({ roleDefinitionId: id.replace("Authorization", "authorization") });
    expect(await shop.plan(), "case is the same").toEqual([]);
  });

  it("is replaced at every plan with the bare ID of the role", async () => {
    await assign({
      roleDefinitionId: `/providers/Microsoft.Authorization/roleDefinitions/${READER}`,
    });
    await shop.apply();
    expect(await shop.plan()).toEqual(["replace azurerm_role_assignment"]);
  });

  it("is replaced at every plan with a slash at the end of its scope", async () => {
    await assign({ scope: `${subscription()}/`, roleDefinitionName: "Reader" });
    await shop.apply();
    expect(await shop.plan()).toEqual(["replace azurerm_role_assignment"]);
  });

  it("names an unknown role in its error", async () => {
    await assign({ roleDefinitionName: "EventGrid Wizard" });
    expect(await shop.failedApply()).toContain("could not find role `EventGrid Wizard`");
  });
});

describeWithTerraform("a resource provider registration", () => {
  const register = (azurerm: object = {}) =>
    shop.write((stack) => {
      new ResourceProviderRegistration(stack, "registration", { name: "Microsoft.EventGrid" });
    }, azurerm);

  it("fails if the provider is registered already", async () => {
    await register();
    expect(await shop.failedApply()).toContain(
      'providers/Microsoft.EventGrid" already exists - to be managed via Terraform',
    );
  });

  it("conflicts with automatic registration", async () => {
    await register({ resourceProvidersToRegister: ["Microsoft.EventGrid"] });
    expect(await shop.failedApply()).toContain(
      'The Resource Provider "Microsoft.EventGrid" is automatically registered by Terraform',
    );
  });

  it("unregisters the provider for the whole subscription at destroy", async () => {
    const { registrations } = shop.cloud.control;
    registrations.set("Microsoft.EventGrid", "NotRegistered");
    await register();
    await shop.apply();
    expect(registrations.find("Microsoft.EventGrid")?.state).toBe("Registered");
    expect(await shop.plan()).toEqual([]);
    await shop.terraform.destroy();
    expect(registrations.find("Microsoft.EventGrid")?.state).toBe("Unregistered");
  });
});

describeWithTerraform("an event subscription", () => {
  it("fails only at apply if it has no destination", async () => {
    await shop.write((stack) => {
      new EventgridEventSubscription(stack, "orders", { name: "orders", scope: subscription() });
    });
    await shop.terraform.validate();
    expect(await shop.failedApply()).toContain(
      "one of the following endpoint types must be specificed",
    );
  });

  it("has the Event Grid schema by default, and is replaced for another schema", async () => {
    const build = (config: object) =>
      shop.write((stack) => {
        new EventgridEventSubscription(stack, "orders", {
          name: "orders",
          scope: subscription(),
          webhookEndpoint: { url: "https://orders.example.com/api/events", ...UNBATCHED },
          ...config,
        });
      });
    await build({ eventDeliverySchema: "CloudEventSchemaV1_0" });
    await shop.apply();
    await build({});
    expect(await shop.plan()).toEqual(["replace azurerm_eventgrid_event_subscription"]);
  });

  it("cannot be destroyed with a slash at the end of its scope", async () => {
    await shop.write((stack) => {
      new EventgridEventSubscription(stack, "orders", {
        name: "orders",
        scope: `${subscription()}/`,
        eventDeliverySchema: "CloudEventSchemaV1_0",
        webhookEndpoint: { url: "https://orders.example.com/api/events", ...UNBATCHED },
        timeouts: { delete: "1m" }, // instead of half an hour
      });
    });
    await shop.apply();
    expect(await shop.plan()).toEqual([]);
    await expect(shop.terraform.destroy()).rejects.toThrow(
      "polling after Delete: context deadline exceeded",
    );
  });

  it("causes no handshake when it is imported without a change", async () => {
    const build = (imported: boolean) =>
      shop.write((stack) => {
        const made = new EventgridEventSubscription(stack, "orders", {
          name: "orders",
          scope: subscription(),
          eventDeliverySchema: "CloudEventSchemaV1_0",
          webhookEndpoint: { url: "https://orders.example.com/api/events", ...UNBATCHED },
        });
        const path = "/providers/Microsoft.EventGrid/eventSubscriptions/orders";
        if (imported) made.importFrom(`${subscription()}${path}`);
      });
    shop.webhook.status = 503;
    await build(false);
    expect(await shop.failedApply()).toContain("handshake failed");

    shop.webhook.status = 200;
    await build(true);
    await shop.apply();
    expect(await shop.plan()).toEqual([]);
    expect(shop.webhook.handshakes, "only the one that failed").toHaveLength(1);
    expect(shop.cloud.eventSubscriptions.list()[0]?.provisioningState).not.toBe("Succeeded");

    const [address] = (await shop.terraform.state()).map((each) => each.address);
    await shop.terraform.apply({ replace: [address ?? ""] });
    expect(shop.webhook.handshakes).toHaveLength(2);
    expect(shop.cloud.eventSubscriptions.list()[0]?.provisioningState).toBe("Succeeded");
  });
});

describeWithTerraform("a system topic", () => {
  it("can belong to a generic resource, and have event subscriptions", async () => {
    const build = (labels: string[]) =>
      shop.write((stack) => {
        const group = new ResourceGroup(stack, "group", { name: "shop", location: "West Europe" });
        const topic = new EventgridSystemTopic(stack, "system-topic", {
          name: "letters",
          resourceGroupName: group.name,
          location: group.location,
          sourceResourceId: `${group.id}/providers/Microsoft.Storage/storageAccounts/letters`,
          topicType: "Microsoft.Storage.StorageAccounts",
        });
        new EventgridSystemTopicEventSubscription(stack, "subscription", {
          name: "letters",
          resourceGroupName: group.name,
          systemTopic: topic.name,
          eventDeliverySchema: "CloudEventSchemaV1_0",
          webhookEndpoint: { url: "https://orders.example.com/api/letters", ...UNBATCHED },
          labels,
        });
      });
    await build([]);
    await shop.apply();
    expect(await shop.plan()).toEqual([]);
    expect(shop.webhook.handshakes).toEqual(["/api/letters"]);
    await build(["shop"]);
    expect(await shop.apply()).toEqual([
      "update azurerm_eventgrid_system_topic_event_subscription",
    ]);
    expect(shop.webhook.handshakes).toHaveLength(2);
    await shop.terraform.destroy();
    expect(await shop.terraform.state()).toEqual([]);
    expect(shop.cloud.eventSubscriptions.list()).toEqual([]);
  });
});
