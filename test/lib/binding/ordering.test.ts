import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  CloudEventGridBinding,
  CloudEventGridTopic,
  WebhookApplication,
} from "cloud-eventgrid-binding";
import { describe, expect, it, vi } from "vitest";
import { Compute } from "../../support/compute.js";
import { synthesized } from "../../support/synthesized.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { received, receivedWithoutApplication } from "../fixtures.js";
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
