import { AzureadProvider } from "@cdktf/provider-azuread/lib/provider/index.js";
import { AzurermProvider } from "@cdktf/provider-azurerm/lib/provider/index.js";
import { type App, TerraformStack } from "cdktf";
import { CloudEventGridBinding, WebhookApplication } from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { AzureFunctionsStack } from "../../../examples/azure-functions/stack.js";
import { ExpressStack } from "../../../examples/express/stack.js";
import { OrdersStack } from "../../../examples/orders/stack.js";
import { placeFromEnvironment } from "../../../examples/place.js";
import { schemaProblems } from "../../support/provider-schemas.js";
import { Synthesized, synthesize, testApp } from "../../support/synthesized.js";
import { received } from "../fixtures.js";

const place = placeFromEnvironment({});
/** Tests of the other examples synthesize them, too. */
const { cloudClientId: _, ...own } = place;
const examples: readonly (readonly [name: string, make: (app: App) => TerraformStack])[] = [
  ["express", (app) => new ExpressStack(app, "express", place)],
  ["azure-functions", (app) => new AzureFunctionsStack(app, "azure-functions", place)],
  ["orders", (app) => new OrdersStack(app, "orders", { ...own, logFile: "orders.log" })],
];

describe("synthesized stacks", () => {
  it.each(examples)("follow the schemas of the providers: the example %s", (_name, make) => {
    expect(schemaProblems(new Synthesized(make(testApp())).json)).toEqual([]);
  });

  it("synthesize without the terraform program, so that they can be tested without it", () => {
    const { PATH } = process.env;
    process.env.PATH = "";
    try {
      const stack = new TerraformStack(testApp(), "orders");
      new AzurermProvider(stack, "azurerm", { features: [{}] });
      new AzureadProvider(stack, "azuread", {});
      new CloudEventGridBinding(stack, "orders", { ...received, webhookProbe: true });
      new WebhookApplication(stack, "webhook", { displayName: "orders" });
      expect(() => synthesize(stack)).not.toThrow();
    } finally {
      process.env.PATH = PATH;
    }
  });
});

describe("the comparison with the schemas", () => {
  const subscription = (body: object) => ({
    resource: { azurerm_eventgrid_event_subscription: { orders: body } },
  });
  const right = { name: "orders", scope: "/subscriptions/x" };
  const at = "azurerm_eventgrid_event_subscription.orders";

  it("finds every kind of mistake", () => {
    expect(schemaProblems(subscription(right))).toEqual([]);
    const wrong = {
      name: "orders",
      url: "x",
      labels: "x",
      webhook_endpoint: { url: "https://x", base_url: "https://x" },
      retry_policy: { event_time_to_live: 1 },
      subject_filter: [{}, {}],
      delivery_identity: { type: "${azurerm_eventgrid_topic.topic.id}" },
    };
    const json = {
      ...subscription(wrong),
      data: { azurerm_nothing: { x: {} } },
      output: { x: { value: `\${${at}.uri}` } },
      provider: { azurerm: [{ features: [{}], tenant: "x" }] },
    };
    expect(schemaProblems(json).toSorted()).toEqual(
      [
        `${at}: no attribute or block url`,
        `${at}: scope is required`,
        `${at}.labels: "x" is not a ["list","string"]`,
        `${at}.webhook_endpoint.base_url: only the provider can set it`,
        `${at}.retry_policy: max_delivery_attempts is required`,
        `${at}.subject_filter: 2 blocks, allowed are 0 to 1`,
        "data.azurerm_nothing.x: no such type in the schemas",
        "a reference to azurerm_eventgrid_topic.topic, which is not declared",
        `a reference to ${at}.uri, which the type does not have`,
        "provider azurerm: no attribute or block tenant",
      ].toSorted(),
    );
  });
});
