import { ContainerApp } from "@cdktf/provider-azurerm/lib/container-app/index.js";
import { ContainerAppEnvironment } from "@cdktf/provider-azurerm/lib/container-app-environment/index.js";
import {
  CloudEventGridBinding,
  CloudEventGridTopic,
  WebhookApplication,
} from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { Compute } from "../../support/compute.js";
import { synthesized } from "../../support/synthesized.js";
import { existing, received, receivedWithoutApplication } from "../fixtures.js";
import { SUBSCRIPTION } from "../subscriptions.js";

describe("the order of the resources of a binding", () => {
  const stack = synthesized((scope) => {
    const topic = new CloudEventGridTopic(scope, "topic", {
      resourceGroupName: "shop",
      location: "westeurope",
    });
    const application = new WebhookApplication(scope, "webhook", { displayName: "orders" });
    const binding = new CloudEventGridBinding(scope, "orders", {
      ...receivedWithoutApplication,
      application,
      scope: topic.id,
      webhookProbe: true,
    });
    binding.waitFor(new Compute(scope, "service"));
  });

  it("is roles and compute, then the probe, then the event subscription", () => {
    expect(stack.waits("terraform_data", "orders/probe").sort()).toEqual([
      expect.stringMatching(/^cloud-eventgrid\/eventgrid-eventsubscription-contributor-/),
      "orders/preconditions",
      "service",
      "webhook/subscriber/caller",
      "webhook/subscriber/client",
      "webhook/subscriber/event-grid",
    ]);
    expect(stack.waits(SUBSCRIPTION, "orders/subscription")).toEqual(["orders/probe"]);
  });

  it("never delays the application and its principal, which the compute's settings need", () => {
    for (const { body } of [
      ...stack.all("azuread_application_registration"),
      ...stack.all("azuread_application_app_role"),
      ...stack.all("azuread_service_principal"),
    ]) {
      expect(JSON.stringify(body)).not.toMatch(/preconditions|probe|terraform_data/);
    }
  });
});

describe("the webhook probe", () => {
  it("runs again when the webhook's URL changes, and keeps the URL out of the log", () => {
    const stack = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", { ...received, webhookProbe: true });
    });
    expect(stack.one("terraform_data", "orders/probe")).toMatchObject({
      triggers_replace: { url: '${sha256("https://orders.example.com/api/events")}' },
      provisioner: [
        {
          "local-exec": {
            interpreter: [
              "npx",
              "--yes",
              "--",
              "cloud-eventgrid",
              "probe",
              "--timeout",
              "120",
              "--url-env",
            ],
            command: "CLOUD_EVENTGRID_PROBE_URL",
            environment: { CLOUD_EVENTGRID_PROBE_URL: "https://orders.example.com/api/events" },
          },
        },
      ],
    });
  });

  it("can be another program with another timeout, and knows the cloud", () => {
    const stack = synthesized((scope) => {
      new CloudEventGridBinding(scope, "orders", {
        ...received,
        cloudEnvironment: "usgovernment",
        webhookProbe: {
          timeoutSeconds: 600,
          command: ["/opt/probe"],
          options: ["--interval", "10"],
        },
      });
    });
    expect(stack.one("terraform_data", "orders/probe").provisioner).toMatchObject([
      {
        "local-exec": {
          interpreter: [
            "/opt/probe",
            "probe",
            "--timeout",
            "600",
            "--cloud",
            "usgovernment",
            "--interval",
            "10",
            "--url-env",
          ],
        },
      },
    ]);
  });
});

describe("a compute resource with the default host name of its platform", () => {
  const stack = synthesized((scope) => {
    const topic = new CloudEventGridTopic(scope, "topic", {
      resourceGroupName: "shop",
      location: "westeurope",
    });
    const environment = new ContainerAppEnvironment(scope, "environment", {
      name: "shop",
      resourceGroupName: "shop",
      location: "westeurope",
    });
    const binding = new CloudEventGridBinding(scope, "orders", {
      ...received,
      subscriberEndpoint: `https://orders.${environment.defaultDomain}/hook`,
      scope: topic.id,
      topicEndpoint: topic.endpoint,
      accessKey: topic.accessKey,
    });
    const { env, secret } = binding.runtimeEnvironment("ORDERS").forContainerApp();
    const app = new ContainerApp(scope, "app", {
      name: "orders",
      resourceGroupName: "shop",
      containerAppEnvironmentId: environment.id,
      revisionMode: "Single",
      secret,
      template: {
        container: [{ name: "orders", image: "orders:1", cpu: 0.25, memory: "0.5Gi", env }],
      },
    });
    binding.waitFor(app);
  });

  it("gets its settings without the webhook's host, so that there is no dependency cycle", () => {
    const app = JSON.stringify(stack.one("azurerm_container_app"));
    expect(app).not.toContain("default_domain");
    expect(app).toContain('{"name":"ORDERS_WEBHOOK_PATH","value":"/hook"}');
    expect(stack.one(SUBSCRIPTION).webhook_endpoint).toMatchObject({
      url: "https://orders.${azurerm_container_app_environment.environment.default_domain}/hook",
    });
    expect(stack.waits(SUBSCRIPTION, "orders/subscription")).toContain("app");
    expect(existing.clientId).toBeTruthy();
  });
});
