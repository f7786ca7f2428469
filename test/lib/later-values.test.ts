import { TerraformVariable } from "cdktf";
import { CloudEventGridBinding } from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { synthesized } from "../support/synthesized.js";
import { received } from "./fixtures.js";

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
