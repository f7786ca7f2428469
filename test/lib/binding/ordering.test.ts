import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ContainerApp } from "@cdktf/provider-azurerm/lib/container-app/index.js";
import { ContainerAppEnvironment } from "@cdktf/provider-azurerm/lib/container-app-environment/index.js";
import {
  CloudEventGridBinding,
  CloudEventGridTopic,
  WebhookApplication,
} from "cloud-eventgrid-binding";
import { describe, expect, it, vi } from "vitest";
import { Compute } from "../../support/compute.js";
import { synthesized } from "../../support/synthesized.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
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
      expect(JSON.stringify(body)).not.toMatch(/probe|terraform_data/);
    }
  });
});

/** What a binding with a probe runs during the apply. */
function probing(cloudEnvironment: "public" | "usgovernment" = "public") {
  const stack = synthesized((scope) => {
    new CloudEventGridBinding(scope, "orders", {
      ...received,
      webhookProbe: true,
      cloudEnvironment,
    });
  });
  const { provisioner } = stack.one("terraform_data", "orders/probe") as {
    provisioner: [{ "local-exec": LocalExec }];
  };
  return { warnings: stack.warnings, localExec: provisioner[0]["local-exec"] };
}

interface LocalExec {
  readonly interpreter: [string, ...string[]];
  readonly command: string;
  readonly environment: Readonly<Record<string, string>>;
}

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
              "node",
              "--eval",
              "require('cloud-eventgrid/bin/cloud-eventgrid.js')",
              "--",
              "cloud-eventgrid",
              "probe",
              "--timeout",
              "300",
              "--url-env",
            ],
            command: "CLOUD_EVENTGRID_PROBE_URL",
            environment: { CLOUD_EVENTGRID_PROBE_URL: "https://orders.example.com/api/events" },
          },
        },
      ],
    });
  });

  it("runs the package that is installed beside the stack, and downloads nothing", () => {
    const project = temporaryFolder();
    const installed = join(project, "node_modules", "cloud-eventgrid");
    const stackFolder = join(project, "cdktf.out", "stacks", "orders");
    const probed = () => {
      vi.spyOn(process, "cwd").mockReturnValue(project);
      const { warnings, ...stack } = probing();
      vi.restoreAllMocks();
      const { interpreter, command, environment } = stack.localExec;
      const [program, ...args] = [...interpreter, command];
      const env = { ...process.env, ...environment };
      const { status, stdout, stderr } = spawnSync(program, args, {
        cwd: stackFolder,
        env,
        encoding: "utf8",
      });
      return { warnings, status, stdout, stderr };
    };
    mkdirSync(stackFolder, { recursive: true });
    const missing = probed();
    expect(missing.warnings).toEqual([
      "webhookProbe runs the package cloud-eventgrid, which is not installed in this project: add it " +
        "to the devDependencies, in the version of the constructs",
    ]);
    expect(missing.status).toBe(1);
    expect(missing.stderr).toContain("Cannot find module 'cloud-eventgrid/bin/cloud-eventgrid.js'");

    mkdirSync(join(installed, "bin"), { recursive: true });
    writeFileSync(join(installed, "package.json"), "{}");
    writeFileSync(
      join(installed, "bin", "cloud-eventgrid.js"),
      "console.log(process.argv.slice(2).join(' '), process.env.CLOUD_EVENTGRID_PROBE_URL)",
    );
    expect(probed()).toMatchObject({
      warnings: [],
      status: 0,
      stdout:
        "probe --timeout 300 --url-env CLOUD_EVENTGRID_PROBE_URL https://orders.example.com/api/events\n",
    });
  });

  it("knows the cloud", () => {
    const { localExec } = probing("usgovernment");
    expect(localExec.interpreter.join(" ")).toContain(
      " probe --timeout 300 --cloud usgovernment --url-env",
    );
  });
});

describe("a compute resource with the default host name of its platform", () => {
  const stack = synthesized((scope) => {
    const topic = new CloudEventGridTopic(scope, "topic", {
      resourceGroupName: "shop",
      location: "westeurope",
      localAuthEnabled: true,
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
