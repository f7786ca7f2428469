import { CloudEventGridBinding, WebhookApplication } from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { problemsOf, synthesized } from "../support/synthesized.js";
import { existing, received, receivedWithoutApplication, subscriber } from "./fixtures.js";

const byClient = {
  ...received,
  writer: "client",
  cloudClientSecret: "a-literal-secret",
} as const;

describe("the client writes", () => {
  const stack = synthesized((scope) => {
    new CloudEventGridBinding(scope, "orders", byClient);
    new CloudEventGridBinding(scope, "parcels", byClient);
  });

  it("through one provider that signs in as the application and registers nothing", () => {
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

  it("needs no role for whoever applies", () => {
    expect(stack.all("azuread_app_role_assignment").map(({ path }) => path)).toEqual([
      `${subscriber}/client`,
      `${subscriber}/event-grid`,
    ]);
    expect(stack.all("data.azurerm_client_config")).toEqual([]);
  });

  it("waits until its roles have taken effect, and again when they change", () => {
    expect(stack.one("terraform_data", "orders/role-effect")).toEqual({
      triggers_replace: {
        "0": expect.stringMatching(/^\$\{azurerm_role_assignment\..*\.id\}$/),
        "1": expect.stringMatching(/^\$\{azuread_app_role_assignment\..*event-grid.*\.id\}$/),
        "2": expect.stringMatching(/^\$\{azuread_app_role_assignment\..*client.*\.id\}$/),
      },
      provisioner: [
        {
          "local-exec": {
            interpreter: ["node", "-e"],
            command: "setTimeout(() => {}, 60000)",
          },
        },
      ],
    });
    expect(stack.waits("azurerm_eventgrid_event_subscription", "orders/subscription")).toContain(
      "orders/role-effect",
    );
  });

  it("waits as long as it is told to, or not at all", () => {
    const longer = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", { ...byClient, roleEffectSeconds: 300 });
    });
    expect(longer.one("terraform_data", "orders/role-effect").provisioner).toMatchObject([
      { "local-exec": { command: "setTimeout(() => {}, 300000)" } },
    ]);
    const never = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", { ...byClient, roleEffectSeconds: 0 });
    });
    expect(never.all("terraform_data")).toEqual([]);
  });

  it("does not wait where it makes no assignment", () => {
    const left = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", {
        ...byClient,
        existingAssignments: ["eventGrid", "client", "clientAtScope"],
      });
    });
    expect(left.all("terraform_data")).toEqual([]);
  });

  it("is taken away in two steps: the provider stays until nothing in the state needs it", () => {
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
      "orders/role-effect",
    ]);
  });

  it("says that the application must be able to list resource providers", () => {
    expect(stack.infos).toContain(
      'With writer "client" the application must be allowed to list the resource providers of the ' +
        "subscription already when Terraform plans: give it Reader there, or set " +
        "ARM_PROVIDER_ENHANCED_VALIDATION=false in the environment of terraform plan and apply",
    );
  });

  it("is refused with an application of the same stack", () => {
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
    ).toEqual([
      'writer "client" cannot sign in as an application that the same stack makes: its credentials ' +
        "are unknown when Terraform plans. Make the application in a stack of its own, or leave " +
        "writer to the deployer",
    ]);
  });

  it("signs in with one secret only", () => {
    expect(
      problemsOf((scope) => {
        new CloudEventGridBinding(scope, "orders", byClient);
        new CloudEventGridBinding(scope, "parcels", { ...byClient, cloudClientSecret: "another" });
      }),
    ).toEqual([
      "cloudClientSecret differs from that of another binding of the stack with the same " +
        "cloudClientId: the event subscriptions are written through one provider, so give both the " +
        "same",
    ]);
  });

  it("signs in to its cloud", () => {
    const gov = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", { ...byClient, cloudEnvironment: "usgovernment" });
    });
    expect(gov.providers("azurerm")[1]?.environment).toBe("usgovernment");
  });
});
