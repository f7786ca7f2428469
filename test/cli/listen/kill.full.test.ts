import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { prepareProviders, Terraform } from "../../stand-ins/src/index.js";
import { root } from "../../support/project.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { describeWithTerraform, source } from "../../terraform/with-terraform.js";
import { cloudEvent, RealAzure, Service } from "./real-azure.js";

let azure: RealAzure;
let service: Service;
beforeAll(async () => {
  azure = await RealAzure.start("stepped");
  service = await Service.start();
});
afterEach(() => child?.kill("SIGKILL"));
afterAll(async () => {
  for (const stop of stopping) await stop();
  await service[Symbol.asyncDispose]();
  await azure[Symbol.asyncDispose]();
});

const stopping: (() => Promise<void>)[] = [];
let child: ChildProcess | undefined;

/** Runs the command in a process of its own. */
function start(...args: readonly string[]) {
  const program = join(root, "cli/bin/cloud-eventgrid.js");
  const started = spawn(process.execPath, [program, "listen", ...args, ...azure.place], {
    env: { ...process.env, ...azure.env },
  });
  child = started;
  const ended = once(started, "exit") as Promise<[exitCode: number | null]>;
  let printed = "";
  for (const stream of [started.stdout, started.stderr]) {
    stream.on("data", (text) => {
      printed += text;
    });
  }
  return {
    printed: (text: string | RegExp) =>
      expect.poll(() => printed, { timeout: 60_000 }).toMatch(text),
    end: async (signal?: NodeJS.Signals) => {
      if (signal !== undefined) started.kill(signal);
      const [exitCode] = await ended;
      return { exitCode, printed };
    },
  };
}

it("deletes what it has created when the reader of its output ends", async () => {
  const listening = start(String(service.port));
  await listening.printed("the service consents");
  child?.stdout?.destroy();
  await azure.publish(cloudEvent());
  await azure.cloud.drain();
  expect(await listening.end()).toMatchObject({ exitCode: 0 });
  expect(azure.subscriptionNames()).toEqual([]);
  expect(await azure.queueNames()).toEqual([]);
});

describeWithTerraform("cloud-eventgrid listen beside resources of Terraform", () => {
  it("deletes what it has created after SIGTERM, and Terraform plans no changes", async () => {
    const { cloud, accountId, topic } = azure;
    const directory = temporaryFolder();
    const archive = {
      name: "archive",
      scope: topic.id,
      event_delivery_schema: "CloudEventSchemaV1_0",
      included_event_types: ["shop.order.placed"],
      storage_queue_endpoint: { storage_account_id: accountId, queue_name: "archive" },
    };
    const configuration = {
      terraform: { required_providers: { azurerm: { source: "hashicorp/azurerm" } } },
      provider: { azurerm: { features: {} } },
      resource: { azurerm_eventgrid_event_subscription: { archive } },
    };
    writeFileSync(join(directory, "main.tf.json"), JSON.stringify(configuration));
    const providers = await prepareProviders(source, cloud.terraformEnvironment());
    stopping.push(() => providers.stop());
    const terraform = new Terraform({ directory, providers });
    await terraform.init();
    await terraform.apply();
    const listening = start(String(service.port));
    await listening.printed("the service consents");
    const event = cloudEvent();
    await azure.publish(event);
    await cloud.drain();
    await expect.poll(() => service.ids()).toContain(event.id);
    await listening.printed(/200, in/);
    expect(await listening.end("SIGTERM")).toMatchObject({
      exitCode: 0,
      printed: expect.stringContaining("1 event arrived: 1 accepted."),
    });
    expect(azure.subscriptionNames()).toEqual(["archive"]);
    expect(await azure.queueNames()).toEqual(["archive"]);
    expect((await terraform.plan()).changes).toEqual([]);
  });
});

// The last test: it moves the cloud's clock past the expiry of new subscriptions.
it("leaves an event subscription that expires when it is killed, and --clean deletes its queue", async () => {
  const listening = start(String(service.port));
  await listening.printed("the service consents");
  await listening.end("SIGKILL");
  const left = azure.cloud.eventSubscriptions.list().find(({ name }) => name !== "archive");
  const expiry = Date.parse(left?.settings.expiresAt ?? "");
  expect(expiry).toBeLessThanOrEqual(Date.now() + 3_600_000);
  const queue = azure.queues.getQueueClient(left?.name ?? "");
  await azure.publish(cloudEvent());
  await azure.cloud.drain();
  expect((await queue.getProperties()).approximateMessagesCount).toBe(1);
  await azure.cloud.clock.advance({ minutes: 61 });
  await azure.publish(cloudEvent());
  await azure.cloud.drain();
  expect((await queue.getProperties()).approximateMessagesCount).toBe(1);
  const cleaning = start("--clean");
  const { exitCode, printed } = await cleaning.end();
  // Azure no longer lists an event subscription that has expired.
  expect(printed).toBe(`Deleted the queue ${left?.name}.\n`);
  expect(exitCode).toBe(0);
  expect(azure.subscriptionNames()).not.toContain(left?.name);
  expect(await azure.queueNames()).not.toContain(left?.name);
});
