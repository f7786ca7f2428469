import { EventgridEventSubscription } from "@cdktf/provider-azurerm/lib/eventgrid-event-subscription/index.js";
import { TerraformVariable } from "cdktf";
import { CloudEventGridBinding, CloudEventGridTopic, where } from "cloud-eventgrid-binding";
import { afterAll, beforeAll, expect, it } from "vitest";
import { received } from "../lib/fixtures.js";
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
  afterAll(() => providers.stop());

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

  it("accepts the constructs' resources with values that Terraform learns later", async () => {
    const message = await failure((stack) => {
      const variable = (type: string) => new TerraformVariable(stack, type, { type });
      const [text, number] = [variable("string").stringValue, variable("number").numberValue];
      const topic = new CloudEventGridTopic(stack, "topic", {
        resourceGroupName: text,
        location: text,
      });
      topic.alerts({ actionGroupId: text, dropped: { severity: number, threshold: number } });
      new CloudEventGridBinding(stack, "orders", {
        ...received,
        scope: text,
        retryPolicy: { maxDeliveryAttempts: number },
        advancedFilters: [where("data.total").numberIn(number)],
      });
    });
    expect(message).toBe("");
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
});
