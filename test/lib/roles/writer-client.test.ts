import { CloudEventGridBinding, WebhookApplication } from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { synthesized } from "../../support/synthesized.js";
import { existing, received, receivedWithoutApplication } from "../fixtures.js";
import { problemsOf } from "../problems.js";

const byClient = {
  ...received,
  writer: "client",
  cloudClientSecret: "a-literal-secret",
} as const;

describe("a binding that the client writes", () => {
  const stack = synthesized((scope) => {
    new CloudEventGridBinding(scope, "orders", byClient);
    new CloudEventGridBinding(scope, "parcels", byClient);
  });

  it("uses one provider that signs in as the application and registers nothing", () => {
    const [, client, ...more] = stack.providers("azurerm");
    expect(more).toEqual([]);
    expect(client).toEqual({
      alias: expect.stringMatching(/^eventgrid_client_[0-9a-f]{8}$/),
      features: [{}],
      tenant_id: existing.tenantId,
      subscription_id: existing.subscriptionId,
      client_id: existing.clientId,
      client_secret: "a-literal-secret",
      environment: "public",
      resource_provider_registrations: "none",
      use_cli: false,
      use_msi: false,
      use_oidc: false,
    });
    for (const { body } of stack.all("azurerm_eventgrid_event_subscription")) {
      expect(body.provider).toBe(`azurerm.${client?.alias}`);
    }
  });

  it("waits for the given time, or not at all", () => {
    const longer = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", { ...byClient, roleEffectSeconds: 300 });
    });
    expect(longer.one("terraform_data", "orders/role-effect").provisioner).toMatchObject([
      { "local-exec": { command: "sleep 300 || ping -n 301 127.0.0.1" } },
    ]);
    const never = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", { ...byClient, roleEffectSeconds: 0 });
    });
    expect(never.shape).not.toContain("terraform_data orders/role-effect");
  });

  it("does not wait without assignments", () => {
    const left = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", {
        ...byClient,
        existingAssignments: ["eventGrid", "client", "clientAtScope"],
      });
    });
    expect(left.shape).not.toContain("terraform_data orders/role-effect");
  });

  it("is removed in two steps, with the provider in the second one", () => {
    const unsubscribed = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", {
        ...byClient,
        subscribed: false,
        webhookProbe: true,
      });
    });
    expect(unsubscribed.all("azurerm_eventgrid_event_subscription")).toEqual([]);
    expect(unsubscribed.providers("azurerm")[1]).toEqual(stack.providers("azurerm")[1]);
    expect(unsubscribed.all("azurerm_role_assignment")).toHaveLength(1);
    expect(unsubscribed.all("terraform_data").map(({ path }) => path)).toEqual([
      `cloud-eventgrid/application-${existing.clientId}/role-replication`,
      "orders/role-effect",
    ]);
  });

  it("notes that the application must be able to list resource providers", () => {
    expect(stack.infos).toContain(
      'With writer "client" and azurerm 4, the application must be allowed to list the resource providers ' +
        "of the subscription when Terraform plans: grant it Reader there, or set " +
        "ARM_PROVIDER_ENHANCED_VALIDATION=false in the environment of terraform plan and apply. " +
        "azurerm 5 does not list them by default, and refuses to start where the variable is set",
    );
  });

  it("fails synthesis with an application of the same stack", () => {
    expect(
      problemsOf((scope) => {
        const application = new WebhookApplication(scope, "webhook", {
          displayName: "orders",
          clientSecret: true,
        });
        new CloudEventGridBinding(scope, "orders", {
          ...receivedWithoutApplication,
          application,
          writer: "client",
          cloudClientSecret: application.clientSecret ?? "",
        });
      }),
    ).toEqual(["writer: client-sign-in"]);
  });

  it("fails synthesis if two bindings give different secrets", () => {
    expect(
      problemsOf((scope) => {
        new CloudEventGridBinding(scope, "orders", byClient);
        new CloudEventGridBinding(scope, "parcels", { ...byClient, cloudClientSecret: "another" });
      }),
    ).toEqual(["cloudClientSecret: same-client"]);
  });

  it("signs in to its Azure cloud", () => {
    const gov = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", { ...byClient, cloudEnvironment: "usgovernment" });
    });
    expect(gov.providers("azurerm")[1]?.environment).toBe("usgovernment");
  });
});
