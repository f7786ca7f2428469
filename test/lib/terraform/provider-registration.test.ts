import { AzurermProvider } from "@cdktf/provider-azurerm/lib/provider/index.js";
import { TerraformStack, TerraformVariable } from "cdktf";
import { CloudEventGridBinding, CloudEventGridTopic } from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import {
  Synthesized,
  stackWithProviders,
  synthesized,
  testApp,
} from "../../support/synthesized.js";
import { published, received } from "../fixtures.js";

const topic = { resourceGroupName: "shop", location: "westeurope" };

function stackWith(options: { readonly resourceProvidersToRegister?: string[] }): TerraformStack {
  const stack = new TerraformStack(testApp(), "orders");
  new AzurermProvider(stack, "azurerm", { features: [{}], ...options });
  return stack;
}

describe("registration through the azurerm provider", () => {
  it("adds Event Grid's namespace once, however many bindings need it", () => {
    const stack = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", received);
      new CloudEventGridBinding(scope, "parcels", received);
      new CloudEventGridTopic(scope, "topic", topic);
    });
    expect(stack.providers("azurerm")).toEqual([
      { features: [{}], resource_providers_to_register: ["Microsoft.EventGrid"] },
    ]);
  });

  it("keeps the entries of the user without repeating one", () => {
    const stack = stackWith({
      resourceProvidersToRegister: ["Microsoft.App", "Microsoft.EventGrid"],
    });
    new CloudEventGridTopic(stack, "topic", topic);
    expect(new Synthesized(stack).providers("azurerm")[0]).toMatchObject({
      resource_providers_to_register: ["Microsoft.App", "Microsoft.EventGrid"],
    });

    const other = stackWith({ resourceProvidersToRegister: ["Microsoft.App"] });
    new CloudEventGridTopic(other, "topic", topic);
    expect(new Synthesized(other).providers("azurerm")[0]).toMatchObject({
      resource_providers_to_register: ["Microsoft.App", "Microsoft.EventGrid"],
    });
  });

  it("extends a list that is a token", () => {
    const stack = new TerraformStack(testApp(), "orders");
    const list = new TerraformVariable(stack, "namespaces", { type: "list(string)" });
    new AzurermProvider(stack, "azurerm", {
      features: [{}],
      resourceProvidersToRegister: list.listValue,
    });
    new CloudEventGridTopic(stack, "topic", topic);
    expect(new Synthesized(stack).providers("azurerm")[0]).toMatchObject({
      resource_providers_to_register:
        '${distinct(concat(var.namespaces, ["Microsoft.EventGrid"]))}',
    });
  });

  it("applies to a provider that is declared after the binding", () => {
    const stack = new TerraformStack(testApp(), "orders");
    new CloudEventGridTopic(stack, "topic", topic);
    new AzurermProvider(stack, "azurerm", { features: [{}] });
    expect(new Synthesized(stack).providers("azurerm")[0]).toMatchObject({
      resource_providers_to_register: ["Microsoft.EventGrid"],
    });
  });

  it("does not change the providers of other subscriptions", () => {
    const stack = stackWithProviders();
    new AzurermProvider(stack, "hub", { features: [{}], alias: "hub" });
    new CloudEventGridTopic(stack, "topic", topic);
    expect(new Synthesized(stack).providers("azurerm")).toEqual([
      { features: [{}], resource_providers_to_register: ["Microsoft.EventGrid"] },
      { features: [{}], alias: "hub" },
    ]);
  });

  it("changes only the provider that the binding names", () => {
    const stack = stackWithProviders();
    const hub = new AzurermProvider(stack, "hub", { features: [{}], alias: "hub" });
    new CloudEventGridTopic(stack, "topic", { ...topic, azurerm: hub });
    expect(new Synthesized(stack).providers("azurerm")).toEqual([
      { features: [{}] },
      { features: [{}], alias: "hub", resource_providers_to_register: ["Microsoft.EventGrid"] },
    ]);
  });

  it("is omitted for a binding that only publishes", () => {
    const stack = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", published);
    });
    expect(stack.providers("azurerm")).toEqual([{ features: [{}] }]);
  });
});

describe("disabled registration", () => {
  it("does not change the provider", () => {
    const stack = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", { ...received, providerRegistration: "none" });
      new CloudEventGridTopic(scope, "topic", { ...topic, providerRegistration: "none" });
    });
    expect(stack.providers("azurerm")).toEqual([{ features: [{}] }]);
  });
});
