import { CloudEventGridBinding } from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { synthesized } from "../../support/synthesized.js";
import { existing, received, resourceGroup, subscriber } from "../fixtures.js";

const definition = `/subscriptions/${existing.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/428e0ff0-5e57-4d9c-a221-2c70d0e0a443`;

describe("a binding that the deployer writes", () => {
  it("uses the stack's own provider, and assigns the app role to the deployer", () => {
    const stack = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", received);
    });
    expect(stack.providers("azurerm")).toHaveLength(1);
    expect(stack.one("azurerm_eventgrid_event_subscription")).not.toHaveProperty("provider");
    expect(stack.one("azuread_app_role_assignment", `${subscriber}/caller`)).toMatchObject({
      principal_object_id: expect.stringMatching(
        /^\$\{data\.azurerm_client_config\..*object_id\}$/,
      ),
    });
  });

  it("grants only the application the right to write at the scope", () => {
    const stack = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", received);
    });
    expect(stack.one("azurerm_role_assignment")).toEqual({
      scope: resourceGroup,
      role_definition_id: definition,
      principal_id: expect.stringContaining("data.azuread_service_principal"),
      principal_type: "ServicePrincipal",
      description: "The webhook's application writes event subscriptions at this scope",
    });
  });
});
