import { DataAzurermClientConfig } from "@cdktf/provider-azurerm/lib/data-azurerm-client-config/index.js";
import { CloudEventGridBinding, WebhookApplication } from "cloud-eventgrid-binding";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ORIGIN, Scenario } from "./scenario.js";
import { describeWithTerraform } from "./with-terraform.js";

let shop: Scenario;
beforeEach(async () => {
  shop = await Scenario.start();
});
afterEach(() => shop.stop());

describeWithTerraform("a stack that provisions everything", () => {
  it("is created in one apply, has an empty plan, and leaves nothing behind", async () => {
    const before = shop.objectCounts;
    await shop.write((stack) => {
      const topic = shop.topic(stack, {
        localAuthEnabled: true,
      });
      const application = new WebhookApplication(stack, "webhook", { displayName: "orders" });
      shop.binding(stack, {
        application,
        scope: topic.id,
        topicEndpoint: topic.endpoint,
        accessKey: topic.accessKey,
      });
    });
    await shop.terraform.validate();
    expect(await shop.apply()).toEqual([
      "create azuread_app_role_assignment",
      "create azuread_app_role_assignment",
      "create azuread_app_role_assignment",
      "create azuread_application_app_role",
      "create azuread_application_registration",
      "create azuread_service_principal",
      "create azurerm_eventgrid_event_subscription",
      "create azurerm_eventgrid_topic",
      "create azurerm_resource_group",
      "create azurerm_role_assignment",
    ]);
    expect(shop.handshakes).toEqual(["/api/events"]);
    expect(await shop.plan()).toEqual([]);

    const topic = `${shop.group}/providers/Microsoft.EventGrid/topics/orders`;
    expect(shop.cloud.eventSubscriptions.get(topic, "orders")?.settings).toMatchObject({
      endpointUrl: `${ORIGIN}/api/events`,
      tenantId: shop.cloud.tenantId,
    });

    await shop.destroyAll();
    expect(shop.objectCounts).toEqual(before);
    expect(shop.handshakes).toEqual(["/api/events"]);
  });
});

describeWithTerraform("a named writer that is the identity of a new topic", () => {
  it("gets its rights in the apply that creates topic and application", async () => {
    await shop.write((stack) => {
      const topic = shop.topic(stack, {
        identity: { type: "SystemAssigned" },
      });
      const deployer = new DataAzurermClientConfig(stack, "deployer", {}).objectId;
      const principals = [topic.principalId ?? "", deployer];
      shop.binding(stack, {
        scope: topic.id,
        writerPrincipals: principals.map((objectId) => ({
          objectId,
          principalType: "ServicePrincipal",
        })),
      });
    });
    const created = await shop.apply();
    expect(
      created.filter((change) => change === "create azuread_app_role_assignment"),
    ).toHaveLength(4);
    expect(shop.handshakes).toEqual(["/api/events"]);
    expect(await shop.plan()).toEqual([]);
  });
});

describeWithTerraform("a binding with an existing application", () => {
  it("is updated in place with a new handshake, and replaced if necessary", async () => {
    const clientId = shop.newApplication();
    const write = (changed: object = {}) =>
      shop.write((stack) => {
        shop.binding(stack, {
          cloudClientId: clientId,
          scope: `${shop.subscription}/`,
          ...changed,
        });
      });
    await write();
    expect(await shop.apply()).toEqual([
      "create azuread_app_role_assignment",
      "create azuread_app_role_assignment",
      "create azuread_app_role_assignment",
      "create azuread_application_app_role",
      "create azurerm_eventgrid_event_subscription",
      "create azurerm_role_assignment",
      // Waits until Graph knows the new app role.
      "create terraform_data",
    ]);
    expect(await shop.plan()).toEqual([]);
    expect(shop.handshakes).toEqual(["/api/events"]);

    const filtered = {
      subjectFilter: { beginsWith: "orders/" },
      includedEventTypes: ["Microsoft.Resources.ResourceWriteSuccess"],
    };
    await write(filtered);
    expect(await shop.apply()).toEqual(["update azurerm_eventgrid_event_subscription"]);
    expect(await shop.plan()).toEqual([]);

    const moved = { ...filtered, subscriberEndpoint: "https://new.example.com/hooks/orders" };
    await write(moved);
    expect(await shop.apply()).toEqual(["update azurerm_eventgrid_event_subscription"]);
    expect(await shop.plan()).toEqual([]);
    expect(shop.handshakes).toEqual(["/api/events", "/api/events", "/hooks/orders"]);

    await write({ ...moved, eventSubscriptionName: "invoices" });
    expect(await shop.apply()).toEqual(["replace azurerm_eventgrid_event_subscription"]);
    expect(await shop.plan()).toEqual([]);
    expect(shop.cloud.eventSubscriptions.list().map(({ name }) => name)).toEqual(["invoices"]);

    await shop.terraform.destroy();
    expect(shop.cloud.eventSubscriptions.list()).toEqual([]);
    const application = shop.cloud.directory
      .tenant(shop.cloud.tenantId)
      ?.applications.byClientId(clientId);
    expect(application?.appRoles, "the application stays, without the role").toEqual([]);
  });
});

describeWithTerraform("a change outside of Terraform", () => {
  it("is corrected by the next apply", async () => {
    const clientId = shop.newApplication();
    const scope = shop.subscription;
    const subscription = {
      name: "orders",
      scope,
      endpointUrl: `${ORIGIN}/api/events`,
      clientId,
    };
    await shop.write((stack) => {
      shop.binding(stack, {
        cloudClientId: clientId,
        scope,
      });
    });
    await shop.apply();

    shop.cloud.eventSubscriptions.delete(scope, "orders");
    expect(await shop.apply()).toEqual(["create azurerm_eventgrid_event_subscription"]);

    await shop.cloud.eventSubscriptions.put({
      ...subscription,
      filter: { subjectBeginsWith: "invoices/" },
    });
    expect(await shop.apply()).toEqual(["update azurerm_eventgrid_event_subscription"]);
    const [right] = shop.cloud.eventSubscriptions.list();
    expect(right?.settings.filter.subjectBeginsWith ?? "").toBe("");
    expect(await shop.plan()).toEqual([]);
  });
});

describeWithTerraform("a binding that only publishes", () => {
  it("gets its settings from the topic", async () => {
    await shop.write((stack) => {
      const topic = shop.topic(stack, {
        localAuthEnabled: true,
      });
      new CloudEventGridBinding(stack, "orders", {
        direction: "output",
        topicEndpoint: topic.endpoint,
        accessKey: topic.accessKey,
      });
    });
    expect(await shop.apply()).toEqual([
      "create azurerm_eventgrid_topic",
      "create azurerm_resource_group",
    ]);
    expect(await shop.plan()).toEqual([]);
    await shop.terraform.destroy();
    expect(shop.cloud.topics.list()).toEqual([]);
  });
});
