import type { TerraformStack } from "cdktf";
import {
  CloudEventGridBinding,
  type IWebhookApplication,
  WebhookApplication,
} from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { synthesized } from "../../support/synthesized.js";
import { existing, receivedWithoutApplication } from "../fixtures.js";

describe("a named writer that is the webhook's own application", () => {
  const made = (scope: TerraformStack) =>
    new WebhookApplication(scope, "webhook", { displayName: "orders" });

  it.each<[string, (scope: TerraformStack) => IWebhookApplication]>([
    ["made by the stack", made],
    [
      "named by its client ID",
      (scope) => WebhookApplication.fromClientId(scope, "webhook", { clientId: existing.clientId }),
    ],
  ])("is assigned nothing a second time, together with %s", (_how, create) => {
    const stack = synthesized((scope) => {
      const application = create(scope);
      new CloudEventGridBinding(scope, "orders", {
        ...receivedWithoutApplication,
        application,
        writerPrincipals: [
          { objectId: application.principalId, principalType: "ServicePrincipal" },
        ],
      });
    });
    const assigned = stack.all("azuread_app_role_assignment");
    expect(assigned.map(({ path }) => path.replace(/^.*\/subscriber\//, ""))).toEqual([
      "client",
      "event-grid",
    ]);
    for (const { body } of assigned) expect(body).not.toHaveProperty("lifecycle");
    expect(stack.all("azurerm_role_assignment")).toHaveLength(1);
    expect(stack.waits("azurerm_eventgrid_event_subscription", "orders/subscription")).toEqual(
      expect.arrayContaining(assigned.map(({ path }) => path)),
    );
  });

  it("gets no assignments if all of them exist already", () => {
    const stack = synthesized((scope) => {
      const application = WebhookApplication.fromClientId(scope, "webhook", {
        clientId: existing.clientId,
        existingAssignments: ["eventGrid", "client"],
      });
      new CloudEventGridBinding(scope, "orders", {
        ...receivedWithoutApplication,
        application,
        existingAssignments: ["clientAtScope"],
        writerPrincipals: [
          { objectId: application.principalId, principalType: "ServicePrincipal" },
        ],
      });
    });
    expect(stack.all("azuread_app_role_assignment")).toEqual([]);
    expect(stack.all("azurerm_role_assignment")).toEqual([]);
  });
});
