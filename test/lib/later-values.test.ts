import { TerraformVariable } from "cdktf";
import { CloudEventGridBinding, WebhookApplication } from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { synthesized } from "../support/synthesized.js";
import { existing, received, resourceGroup } from "./fixtures.js";

describe("values that are known only later", () => {
  it("can be the labels of a subscription that is adopted", () => {
    const stack = synthesized((scope) => {
      const labels = new TerraformVariable(scope, "labels", { type: "list(string)" });
      new CloudEventGridBinding(scope, "orders", {
        ...received,
        labels: labels.listValue,
        existingSubscription: "adopt",
      });
    });
    expect(stack.one("azurerm_eventgrid_event_subscription").labels).toBe(
      '${distinct(concat(var.labels, ["adopted"]))}',
    );
  });

  it("can stand untyped in props that are of a class, by its getters too, or of no prototype", () => {
    class Orders {
      readonly cloudTenantId = existing.tenantId;
      readonly cloudSubscriptionId = existing.subscriptionId;
      readonly subscriberEndpoint = received.subscriberEndpoint;
      readonly handshakePort = "9000";
      readonly cloudClientId: string;
      constructor({ value }: TerraformVariable) {
        this.cloudClientId = value;
      }
      get scope(): string {
        return resourceGroup;
      }
    }
    const stack = synthesized((scope) => {
      const later = new TerraformVariable(scope, "later", { type: "string" });
      new CloudEventGridBinding(scope, "orders", new Orders(later));
      const named = Object.assign(Object.create(null), { clientId: later.value });
      WebhookApplication.fromClientId(scope, "application", named);
    });
    expect(stack.one("azurerm_eventgrid_event_subscription")).toMatchObject({
      scope: resourceGroup,
      webhook_endpoint: { active_directory_app_id_or_uri: "${var.later}" },
    });
  });

  it("can be the application ID of Event Grid", () => {
    const stack = synthesized((scope) => {
      const id = new TerraformVariable(scope, "event_grid", { type: "string" });
      new CloudEventGridBinding(scope, "orders", {
        ...received,
        eventGridApplicationId: id.stringValue,
      });
    });
    const clientIds = stack.all("data.azuread_service_principal").map(({ body }) => body.client_id);
    expect(clientIds).toContain("${var.event_grid}");
  });
});
