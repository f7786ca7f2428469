import { CloudEventGridBinding, CloudEventGridTopic, WebhookApplication } from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { synthesized } from "../support/synthesized.js";
import { existing, received } from "./fixtures.js";

describe("the specification's setup, for an application that exists", () => {
  const stack = synthesized((scope) => {
    new CloudEventGridBinding(scope, "orders", received);
  });

  it("provisions exactly what the deployer needs to write the subscription", () => {
    expect(stack.shape).toEqual([
      `azuread_app_role_assignment cloud-eventgrid/application-${existing.clientId}/subscriber/caller`,
      `azuread_app_role_assignment cloud-eventgrid/application-${existing.clientId}/subscriber/client`,
      `azuread_app_role_assignment cloud-eventgrid/application-${existing.clientId}/subscriber/event-grid`,
      `azuread_application_app_role cloud-eventgrid/application-${existing.clientId}/role`,
      "azurerm_eventgrid_event_subscription orders/subscription",
      "azurerm_role_assignment cloud-eventgrid/eventgrid-eventsubscription-contributor-3ad34a6e",
      `data.azuread_application cloud-eventgrid/application-${existing.clientId}/application`,
      `data.azuread_service_principal cloud-eventgrid/application-${existing.clientId}/principal`,
      "data.azuread_service_principal cloud-eventgrid/event-grid-principal-4962773b-9cdb-44cf-a8bf-237846a00ab7",
      "data.azurerm_client_config cloud-eventgrid/caller",
    ]);
  });
});
