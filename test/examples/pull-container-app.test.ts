import { describe, expect, it } from "vitest";
import { placeFromEnvironment } from "../../examples/place.js";
import { PullContainerAppStack } from "../../examples/pull-container-app/stack.js";
import { Synthesized, testApp } from "../support/synthesized.js";

describe("the stack of the pull-container-app example", () => {
  const image = "example.azurecr.io/warehouse:1";
  const stack = new Synthesized(
    new PullContainerAppStack(testApp(), "pull", { ...placeFromEnvironment({}), image }),
  );
  const app = stack.one("azurerm_container_app");

  it("has no ingress, and no secret", () => {
    expect(app).not.toHaveProperty("ingress");
    expect(app).toMatchObject({ secret: [] });
    expect(stack.all("azuread_application_registration")).toEqual([]);
  });

  it("gives the service its binding and an identity that may receive", () => {
    const identity = "${azurerm_user_assigned_identity.identity.id}";
    expect(app).toMatchObject({
      identity: { type: "UserAssigned", identity_ids: [identity] },
      template: {
        container: [
          {
            env: expect.arrayContaining([
              { name: "WAREHOUSE_TOPIC_NAME", value: "orders" },
              { name: "WAREHOUSE_SUBSCRIPTION_NAME", value: "warehouse" },
              {
                name: "AZURE_CLIENT_ID",
                value: "${azurerm_user_assigned_identity.identity.client_id}",
              },
            ]),
          },
        ],
      },
    });
    const receiving = stack
      .all("azurerm_role_assignment")
      .filter(({ body }) => body.description === "Receives events from this namespace");
    expect(receiving).toHaveLength(1);
  });
});
