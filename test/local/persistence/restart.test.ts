import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LocalCloudOptions } from "cloud-eventgrid-local";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import {
  cloudEvent,
  PUBLIC_URL,
  publishBatch,
  publishTo,
  startCloud,
  startWebhook,
} from "../support/cloud.js";
import { emptyDirectory } from "../support/command.js";
import { deadLettersTo } from "../support/dead-letters.js";
import { newIdentity, signIn } from "../support/management-client.js";
import type { Webhook } from "../support/webhook.js";

describe("a cloud that keeps its state in a directory", () => {
  let directory: string;
  let webhook: Webhook;

  beforeEach(async () => {
    directory = emptyDirectory();
    webhook = await startWebhook();
  });

  const start = (options: LocalCloudOptions = {}) =>
    startCloud({
      persist: directory,
      ingress: { "https://orders.example.com": webhook.url },
      ...options,
    });

  async function startShop(options: LocalCloudOptions = {}) {
    const cloud = await start(options);
    const application = cloud.applications.create({ displayName: "webhook", secret: "s3cret" });
    const topic = cloud.topics.create({ name: "orders", resourceGroupName: "shop" });
    await cloud.eventSubscriptions.create({
      name: "orders-sub",
      scope: topic.id,
      endpointUrl: PUBLIC_URL,
      clientId: application.clientId,
      ...deadLettersTo("dead"),
    });
    return { cloud, topic, application };
  }

  /** Leaves events that the webhook has refused, and returns their topic. */
  async function leavePending(...ids: string[]) {
    const { cloud, topic } = await startShop();
    webhook.answerDeliveries(() => 500);
    for (const id of ids) await publishTo(topic, { id });
    await expect.poll(() => cloud.deliveries().length).toBe(ids.length);
    await cloud.close();
    return topic;
  }

  /** A cloud that warns about what it finds. */
  async function startWarned() {
    const warned = once(process, "warning");
    const cloud = await start();
    const [{ message }] = await warned;
    return { cloud, message };
  }

  it.skipIf(process.platform !== "linux")(
    "starts although its killed predecessor is still in the process table",
    async () => {
      // A program that replaces its shell does not know the shell's child, and never collects it.
      const node = (code: string) => `"$0" --eval "${code}; setTimeout(() => {}, 30_000)"`;
      const script = `${node("")} & exec ${node("console.log($!)")}`;
      const parent = spawn("sh", ["-c", script, process.execPath]);
      onTestFinished(() => void parent.kill());
      const [zombie] = await once(parent.stdout, "data");
      process.kill(Number(zombie), "SIGKILL");
      await expect
        .poll(() => readFileSync(`/proc/${Number(zombie)}/stat`, "utf8"))
        .toContain(") Z ");
      writeFileSync(join(directory, "lock"), String(Number(zombie)));
      const cloud = await start();
      await cloud.close();
    },
  );

  it("has topics, keys, subscriptions and applications again after a restart", async () => {
    const { cloud, topic, application } = await startShop();
    const keys = await cloud.keys.published();
    await cloud.close();
    const again = await start();
    expect(await again.keys.published()).toEqual(keys);
    const restored = again.topics.get(topic.id);
    expect(restored?.keys()).toEqual(topic.keys());
    expect(again.eventSubscriptions.get(topic.id, "orders-sub")).toMatchObject({
      provisioningState: "Succeeded",
      settings: {
        clientId: application.clientId,
        deadLetter: { properties: { blobContainerName: "dead" } },
      },
    });
    const kept = again.directory.applicationOf(application.clientId);
    expect(kept?.objectId).toBe(application.objectId);
    expect(kept?.passwords.check("s3cret")).toBe("valid");
    expect(webhook.requests).toHaveLength(1); // no second handshake

    await publishTo(restored ?? topic);
    await again.drain();
    expect(again.deliveries()).toMatchObject([{ status: 200 }]);
  });

  it("keeps role assignments, registrations and resource groups of the control plane", async () => {
    const first = await start({ control: { eventGridRegistered: true } });
    const { servicePrincipal } = first.applications.create({ displayName: "pipeline" });
    const scope = `/subscriptions/${first.subscriptionId}`;
    first.control.assignRole("EventGrid Data Sender", servicePrincipal.objectId, scope);
    const assignments = first.control.roleAssignments.list();
    await first.close();
    const again = await start({ control: true });
    expect(again.control.roleAssignments.list()).toEqual(assignments);
    expect(again.control.registrations.find("Microsoft.EventGrid")?.state).toBe("Registered");
  });

  it("has the allowed actions, domains and domain topics again", async () => {
    const first = await start({ control: { eventGridRegistered: true } });
    const writer = newIdentity(first, "writer");
    const scope = `/subscriptions/${first.subscriptionId}`;
    const group = `${scope}/resourceGroups/shop`;
    const domain = `${group}/providers/Microsoft.EventGrid/domains/shop`;
    first.control.allow(writer.principalId, ["Microsoft.EventGrid/domains/*"], scope);
    await (await signIn(first))("PUT", group, { location: "westeurope" });
    const call = await signIn(first, writer);
    await call("PUT", domain, { location: "westeurope" });
    await call("PUT", `${domain}/topics/orders`, {});
    const keys = first.domains.list()[0]?.keys();
    await first.close();

    const again = await start({ control: true });
    const callAgain = await signIn(again, writer);
    expect(await callAgain("POST", `${domain}/listKeys`)).toMatchObject({
      status: 200,
      body: keys,
    });
    expect((await callAgain("GET", `${domain}/topics/orders`)).status).toBe(200);
  });

  it("continues retries after a restart, with the attempts so far", async () => {
    await leavePending("a");
    const again = await start();
    expect(again.pendingEvents).toBe(1);
    webhook.answerDeliveries(() => 200);
    expect(again.retryNow()).toBe(1);
    await again.drain();
    expect(again.deliveries()).toMatchObject([
      {
        attempt: 2,
        status: 200,
        events: [{ id: "a", json: JSON.stringify(cloudEvent({ id: "a" })) }],
      },
    ]);
    await again.close();
    expect((await start()).pendingEvents).toBe(0);
  });

  it("has dead letters again after a restart, until they are cleared", async () => {
    const { cloud, topic } = await startShop();
    webhook.answerDeliveries(() => 400);
    await publishTo(topic, { id: "a" });
    await cloud.drain();
    const [letter] = cloud.deadLetters();
    await cloud.close();
    const again = await start();
    expect(again.deadLetters()).toEqual([letter]);
    await again.reset();
    await again.close();
    expect((await start()).deadLetters()).toEqual([]);
  });

  it("drops what is pending for a subscription that is deleted", async () => {
    const { cloud, topic } = await startShop();
    webhook.answerDeliveries(() => 500);
    await publishTo(topic);
    await expect.poll(() => cloud.deliveries().length).toBe(1);
    cloud.eventSubscriptions.delete(topic.id, "orders-sub");
    await cloud.close();
    expect((await start()).pendingEvents).toBe(0);
  });

  it("keeps undelivered events whose event subscriptions the state has lost", async () => {
    await leavePending("a");
    const state = join(directory, "state.json");
    const log = join(directory, "deliveries.log");
    renameSync(state, `${state}.lost`);

    const { cloud: without, message } = await startWarned();
    expect(message).toContain("does not contain the event subscriptions of 1 undelivered events");
    expect(without.pendingEvents).toBe(0);
    await without.close();

    renameSync(`${state}.lost`, state);
    renameSync(`${log}.copy-1`, log);
    expect((await start()).pendingEvents).toBe(1);
  });

  it("keeps dead letters when a start with a large log fails", async () => {
    const { cloud, topic } = await startShop();
    webhook.answerDeliveries(() => 400);
    await publishTo(topic, { id: "dead" });
    await cloud.drain();
    webhook.answerDeliveries(() => 500);
    const large = Array.from({ length: 100 }, () => cloudEvent({ data: "x".repeat(10_000) }));
    for (let round = 0; round < 6; round++) await publishBatch(topic, large);
    await cloud.close();
    const port = Number(new URL(webhook.url).port);
    await expect(start({ port })).rejects.toMatchObject({ code: "ERR_PORT_IN_USE" });
    const again = await start();
    expect(again.deadLetters().map(({ event }) => event.id)).toEqual(["dead"]);
    expect(again.pendingEvents).toBe(600);
  });

  it("refuses a directory that another cloud uses", async () => {
    const cloud = await start();
    await expect(start()).rejects.toMatchObject({ code: "ERR_PERSISTED_STATE_IN_USE" });
    await cloud.close();
  });

  it("warns of a log that was emptied", async () => {
    const { cloud } = await startShop();
    await cloud.close();
    const log = join(directory, "deliveries.log");
    writeFileSync(log, "");
    expect((await startWarned()).message).toContain(`${log} is missing or empty`);
  });

  it("says which file cannot be restored", async () => {
    const { cloud } = await startShop();
    await cloud.close();
    appendFileSync(join(directory, "state.json"), "}");
    const damaged = readFileSync(join(directory, "state.json"));
    for (const _ of [1, 2]) {
      await expect(start()).rejects.toMatchObject({
        code: "ERR_PERSISTED_STATE",
        message: expect.stringContaining("state.json cannot be restored"),
      });
    }
    expect(readFileSync(join(directory, "state.json"))).toEqual(damaged);
  });
});
