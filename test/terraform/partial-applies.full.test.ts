import { ContainerApp } from "@cdktf/provider-azurerm/lib/container-app/index.js";
import { CloudEventGridTopic } from "cloud-eventgrid-binding";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { confirmValidation } from "../local/support/webhook.js";
import { Terraform } from "../stand-ins/src/index.js";
import { Scenario } from "./scenario.js";
import { describeWithTerraform } from "./with-terraform.js";

let shop: Scenario;
beforeEach(async () => {
  shop = await Scenario.start();
  await shop.createGroup();
});
afterEach(() => shop.stop());

const names = () => shop.cloud.eventSubscriptions.list().map(({ name }) => name);

/** A binding at a topic of the same stack, with its own application. */
const provisioned = (topicName = "orders", more: object = {}) =>
  shop.write((stack) => {
    const topic = new CloudEventGridTopic(stack, "topic", {
      resourceGroupName: "shop",
      location: "westeurope",
      topicName,
    });
    shop.binding(stack, {
      scope: topic.id,
      ...more,
    });
  });

describeWithTerraform("an apply that is killed during the handshake", () => {
  it("keeps its state, and continues once the subscription is adopted", async () => {
    const clientId = shop.newApplication();
    shop.webhook.answer = () => new Promise(() => {});
    await shop.write(shop.orders(clientId));
    const killing = new AbortController();
    const terraform = new Terraform({
      directory: shop.directory,
      providers: shop.providers,
      signal: killing.signal,
      killSignal: "SIGKILL",
    });
    const killed = terraform.apply();
    killed.catch(() => {});
    await vi.waitUntil(() => shop.handshakes.length > 0, { timeout: 60_000 });
    killing.abort(new Error("killed"));
    await expect(killed).rejects.toThrow("killed");

    shop.webhook.answer = confirmValidation;
    expect(await shop.failedApply()).toContain("already exists - to be managed via Terraform");
    await shop.write(shop.orders(clientId, { existingSubscription: "adopt" }));
    await shop.apply();
    await shop.write(shop.orders(clientId, { existingSubscription: "adopted" }));
    expect(await shop.plan()).toEqual([]);
    await shop.terraform.destroy();
    expect(names()).toEqual([]);
  });
});

describeWithTerraform("a resource that is missing in the state", () => {
  it.each([
    ["azurerm_role_assignment", "RoleAssignmentExists"],
    ["azuread_app_role_assignment", "Permission being assigned already exists on the object"],
    ["azuread_application_app_role", "already exists"],
    ["azurerm_eventgrid_topic", "already exists - to be managed via Terraform"],
  ])("%s cannot be created again, but imported by its ID", async (type, refusal) => {
    await provisioned();
    await shop.apply();
    const [made] = (await shop.terraform.state()).filter((each) => each.type === type);
    if (made === undefined) throw new Error(`no ${type} in the state`);
    await shop.terraform.forget(made.address);
    expect(await shop.failedApply()).toContain(refusal);

    await shop.terraform.import(made.address, String(made.values.id));
    await shop.applyCleanly();
    await shop.destroyAll();
  });
});

describeWithTerraform("a destroy after a failed apply", () => {
  it("leaves nothing if the topic is destroyed as well", async () => {
    shop.webhook.answer = () => ({ status: 503 });
    await provisioned();
    await shop.failedApply();
    await shop.destroyAll();
  });
});

describeWithTerraform("compute with create_before_destroy", () => {
  it("is complete before the event subscription, together with the resources that it reads", async () => {
    const write = (compute: string, topicName: string) =>
      shop.write((stack) => {
        const topic = new CloudEventGridTopic(stack, "topic", {
          resourceGroupName: "shop",
          location: "westeurope",
          topicName,
          localAuthEnabled: true,
        });
        const binding = shop.binding(stack, {
          direction: "input, output",
          scope: topic.id,
          topicEndpoint: topic.endpoint,
          accessKey: topic.accessKey,
        });
        const { env, secret } = binding.runtimeEnvironment("ORDERS").forContainerApp();
        const container = { name: "orders", image: "orders:1", cpu: 0.25, memory: "0.5Gi", env };
        const app = new ContainerApp(stack, "app", {
          name: compute,
          resourceGroupName: "shop",
          containerAppEnvironmentId: `${shop.group}/providers/Microsoft.App/managedEnvironments/shop`,
          revisionMode: "Single",
          secret,
          template: { container: [container] },
          lifecycle: { createBeforeDestroy: true },
        });
        binding.waitFor(app);
      });
    await write("blue", "orders");
    await shop.apply();
    await write("green", "orders");
    expect(await shop.apply()).toEqual(["replace azurerm_container_app"]);
    expect(await shop.plan()).toEqual([]);
    expect(shop.handshakes, "the subscription is left alone").toHaveLength(1);

    await write("green", "parcels");
    expect(await shop.apply()).toContain("replace azurerm_eventgrid_topic");
    expect(await shop.plan()).toEqual([]);
    expect(shop.cloud.topics.list().map(({ name }) => name)).toEqual(["parcels"]);
    await shop.destroyAll();
  });
});
