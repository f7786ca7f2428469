import { CloudEventGridBinding, WebhookApplication } from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { Synthesized, stackWithProviders, synthesized } from "../../support/synthesized.js";
import { existing, published, received, receivedWithoutApplication } from "../fixtures.js";
import { mainShapes } from "./main-shapes.js";

describe("synthesized bindings", () => {
  it.each(Object.entries(mainShapes))("%s matches its snapshot", async (name, build) => {
    const { json } = synthesized(build);
    const file = `./__snapshots__/${name}.json`;
    await expect(`${JSON.stringify(json, null, 2)}\n`).toMatchFileSnapshot(file);
  });

  it.each(Object.entries(mainShapes))("%s is the same JSON at every synthesis", (_, build) => {
    expect(synthesized(build).json).toEqual(synthesized(build).json);
  });
});

describe("the setup that the specification describes, for an existing application", () => {
  const application = `cloud-eventgrid/application-${existing.clientId}`;

  it("is provisioned completely", () => {
    expect(
      synthesized((scope) => void new CloudEventGridBinding(scope, "orders", received)).shape,
    ).toEqual([
      `azuread_app_role_assignment ${application}/subscriber/caller`,
      `azuread_app_role_assignment ${application}/subscriber/client`,
      `azuread_app_role_assignment ${application}/subscriber/event-grid`,
      `azuread_application_app_role ${application}/role`,
      "azurerm_eventgrid_event_subscription orders/subscription",
      "azurerm_role_assignment cloud-eventgrid/eventgrid-eventsubscription-contributor-77dec887",
      `data.azuread_application ${application}/application`,
      `data.azuread_service_principal ${application}/principal`,
      "data.azuread_service_principal cloud-eventgrid/event-grid-principal-4962773b-9cdb-44cf-a8bf-237846a00ab7",
      "data.azurerm_client_config cloud-eventgrid/caller",
      `terraform_data ${application}/role-replication`,
    ]);
  });

  it("does not change with other constructs in the stack", () => {
    const alone = synthesized((scope) => void new CloudEventGridBinding(scope, "orders", received));
    const second = synthesized((scope) => {
      new CloudEventGridBinding(scope, "parcels", received);
      new CloudEventGridBinding(scope, "orders", received);
    });
    expect(second.shape).toEqual(expect.arrayContaining(alone.shape));
    expect(second.one("azurerm_eventgrid_event_subscription", "orders/subscription")).toEqual(
      alone.one("azurerm_eventgrid_event_subscription"),
    );
  });
});

describe("a binding that only publishes", () => {
  it("provisions no resources", () => {
    const stack = synthesized((scope) => {
      const binding = new CloudEventGridBinding(scope, "orders", published);
      expect(binding.application).toBeUndefined();
      expect(binding.subscriptions).toEqual([]);
    });
    expect(stack.shape).toEqual([]);
  });
});

describe("bindings with different providers", () => {
  it("use their own provider, and share nothing between two tenants", () => {
    const build = mainShapes["two-bindings-two-providers"];
    const stack = synthesized((scope) => build?.(scope));
    const named = (type: string, text: string) =>
      stack
        .all(type)
        .filter(({ path }) => path.includes(text))
        .map(({ body }) => body.provider);
    expect(named("azurerm_eventgrid_event_subscription", "parcels/")).toEqual(["azurerm.hub"]);
    expect(named("azurerm_eventgrid_event_subscription", "orders/")).toEqual([undefined]);
    expect(named("azuread_app_role_assignment", "-partner/")).toEqual(
      Array(3).fill("azuread.partner"),
    );
    expect(named("data.azurerm_client_config", "caller-hub")).toEqual(["azurerm.hub"]);
    expect(named("data.azuread_service_principal", "event-grid-principal").sort()).toEqual([
      "azuread.partner",
      undefined,
    ]);
  });
});

describe("the definition of a binding", () => {
  it("contains the client ID of its application and the name of its event subscription", () => {
    const stack = stackWithProviders();
    const binding = new CloudEventGridBinding(stack, "orders", {
      ...receivedWithoutApplication,
      labels: ["north"],
      application: WebhookApplication.fromClientId(stack, "webhook", {
        clientId: existing.clientId,
      }),
    });
    expect(binding.definition).toEqual({ ...received, eventSubscriptionName: "orders" });
    expect(new Synthesized(stack).one("azurerm_eventgrid_event_subscription").name).toBe("orders");
  });
});
