import { TerraformVariable } from "cdktf";
import { CloudEventGridBinding } from "cloud-eventgrid-binding";
import { Construct } from "constructs";
import { describe, expect, it } from "vitest";
import { synthesized } from "../../support/synthesized.js";
import { existing, received, resourceGroup } from "../fixtures.js";
import { SUBSCRIPTION, subscriptionWith } from "../subscriptions.js";

describe("the event subscription of a binding", () => {
  it("delivers CloudEvents to the webhook, protected by Entra", () => {
    expect(subscriptionWith({})).toEqual({
      name: "orders",
      scope: resourceGroup,
      event_delivery_schema: "CloudEventSchemaV1_0",
      webhook_endpoint: {
        url: "https://orders.example.com/api/events",
        active_directory_tenant_id: existing.tenantId,
        active_directory_app_id_or_uri: existing.clientId,
        max_events_per_batch: 1,
        preferred_batch_size_in_kilobytes: 64,
      },
      included_event_types: expect.arrayContaining(["Microsoft.Resources.ResourceWriteSuccess"]),
      retry_policy: { max_delivery_attempts: 30, event_time_to_live: 1440 },
      depends_on: expect.any(Array),
    });
  });

  it("is named after the construct's path in its stack, unless the props name it", () => {
    const stack = synthesized((scope) => {
      new CloudEventGridBinding(scope, "place-orders", received);
      new CloudEventGridBinding(new Construct(scope, "shop"), "orders", received);
      new CloudEventGridBinding(scope, "named", { ...received, eventSubscriptionName: "Orders1" });
    });
    expect(stack.one(SUBSCRIPTION, "place-orders/subscription").name).toBe("place-orders");
    expect(stack.one(SUBSCRIPTION, "shop/orders/subscription").name).toMatch(
      /^shop-orders-[0-9a-f]{8}$/,
    );
    expect(stack.one(SUBSCRIPTION, "named/subscription").name).toBe("Orders1");
  });

  it("registers the default path if the host or the whole URL is a token", () => {
    const stack = synthesized((scope) => {
      const host = new TerraformVariable(scope, "host", { type: "string" }).stringValue;
      const url = new TerraformVariable(scope, "url", { type: "string" }).stringValue;
      const of = (subscriberEndpoint: string) => ({ ...received, subscriberEndpoint });
      new CloudEventGridBinding(scope, "path", of(`https://orders.${host}/hook?a=b`));
      new CloudEventGridBinding(scope, "host-only", of(`https://${host}`));
      new CloudEventGridBinding(scope, "unknown", of(url));
    });
    const urlAt = (path: string) => stack.one(SUBSCRIPTION, path).webhook_endpoint;
    expect(urlAt("path/subscription")).toMatchObject({
      url: "https://orders.${var.host}/hook?a=b",
    });
    expect(urlAt("host-only/subscription")).toMatchObject({
      url: "https://${var.host}/api/events",
    });
    expect(urlAt("unknown/subscription")).toMatchObject({
      url: '${replace(var.url, "/^(https:[/][/][^/?#]+)[/]?([?].*)?$/", "$1/api/events$2")}',
    });
  });

  it("shows the value of a header unless it is secret", () => {
    const deliveryProperties = [
      { headerName: "X-Shop", value: "north" },
      { headerName: "X-Key", value: "hidden", secret: true },
      { headerName: "X-Order", sourceField: "data.orderId" },
    ];
    expect(subscriptionWith({ deliveryProperties }).delivery_property).toEqual([
      { header_name: "X-Shop", type: "Static", value: "north", secret: false },
      { header_name: "X-Key", type: "Static", value: "hidden", secret: true },
      { header_name: "X-Order", type: "Dynamic", source_field: "data.orderId" },
    ]);
  });
});

describe("the scope of an event subscription", () => {
  const bare = `/subscriptions/${existing.subscriptionId}`;

  it.each([
    [`${bare}/`, bare],
    [bare.slice(1), bare],
    [`${bare}/resourcegroups/shop/`, `${bare}/resourceGroups/shop`],
  ])("%s is written without what would make Terraform replace or hang", (scope, written) => {
    const stack = synthesized((construct) => {
      new CloudEventGridBinding(construct, "orders", { ...received, scope });
    });
    expect(stack.one(SUBSCRIPTION).scope).toBe(written);
    expect(stack.one("azurerm_role_assignment").scope).toBe(written);
  });
});
