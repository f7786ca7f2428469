import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startAzurite } from "../../support/azurite.js";
import { writeBlob } from "../dead-letters/container.js";
import { directoryWith } from "../temporary.js";
import { Deployment } from "./deployment.js";

let deployment: Deployment;
beforeEach(async () => {
  deployment = await Deployment.start();
});
afterEach(() => deployment[Symbol.asyncDispose]());

describe("cloud-eventgrid doctor --fix", () => {
  it("asks, carries out the commands that it printed, and examines again", async () => {
    await deployment.subscribe();
    deployment.removeEventGridsRole();
    deployment.answers = ["y", "y"];
    const { exitCode, out } = await deployment.doctor(["--fix"]);
    const [report = ""] = out.split("Carry this out?");
    const printed = [...report.matchAll(/ {11}→ (az .*)/g)].map(([, line]) => line);
    const done = [...out.matchAll(/^done: (.*)$/gm)].map(([, line]) => line);
    expect(done.slice(0, printed.length)).toEqual(printed);
    // That the writer lacks the app role shows when it has its role at the scope.
    expect(done.map((line) => line?.split(" ").slice(0, 3).join(" "))).toEqual([
      "az rest --method",
      "az role assignment",
      "az rest --method",
    ]);
    expect(exitCode).toBe(0);
    expect(out).toContain("Nothing prevents delivery.");
  });

  it("changes nothing without a yes", async () => {
    await deployment.subscribe();
    deployment.removeEventGridsRole();
    deployment.answers = [""];
    const { exitCode, out } = await deployment.doctor(["--fix"]);
    expect(out).toContain("Carry this out? [y/N]");
    expect(out).not.toContain("done:");
    expect(exitCode).toBe(3);
  });

  it("asks for --yes when nobody can answer", async () => {
    await deployment.subscribe();
    deployment.removeEventGridsRole();
    const { exitCode, error } = await deployment.doctor(["--fix"]);
    expect([exitCode, error]).toEqual([2, "error: add --yes to --fix\n"]);
  });

  it("registers the provider, and waits until it is registered", async () => {
    await using unregistered = await Deployment.start({ registered: false });
    unregistered.allowWriter();
    const { out } = await unregistered.doctor(["--fix", "--yes"]);
    expect(out).toMatch(/^done: az provider register --namespace Microsoft.EventGrid /m);
    expect(out).toContain("Microsoft.EventGrid is registered");
  });

  it("creates a missing service principal, and enables a disabled one", async () => {
    deployment.allowWriter();
    await deployment.subscribe();
    const { eventGrid } = deployment;
    if (eventGrid === undefined) throw new Error("Event Grid has a principal");
    deployment.tenant.servicePrincipals.delete(eventGrid.objectId);
    const created = await deployment.doctor(["--fix", "--yes"]);
    expect(created.out).toMatch(/^done: az ad sp create --id /m);
    expect(deployment.eventGrid).toBeDefined();
  });
});

describe("cloud-eventgrid doctor --send", () => {
  const args = ["--send", "--type", "shop.order.placed", "--data", '{"orderId":"17"}'];

  it("asks, publishes one event and waits until the number of deliveries rises", async () => {
    deployment.allowWriter();
    await deployment.subscribe();
    deployment.answers = ["yes"];
    const { exitCode, out } = await deployment.doctor([...args, "--id", "test-1"]);
    expect(out).toContain("Every subscription of the topic may receive it. [y/N]");
    expect(out).toContain("accepted the event test-1\n");
    expect(out).toContain(
      "the number of deliveries rose by 1; metrics lag by minutes, and another event may have been counted\n",
    );
    expect(exitCode).toBe(0);
    expect(deployment.cloud.deliveries().map(({ events }) => events[0]?.id)).toEqual(["test-1"]);
  });

  it("publishes nothing without a yes", async () => {
    deployment.allowWriter();
    await deployment.subscribe();
    deployment.answers = ["n"];
    await deployment.doctor(args);
    expect(deployment.cloud.deliveries()).toEqual([]);
  });

  it("reports an attempt that failed", async () => {
    deployment.allowWriter();
    await deployment.subscribe({ retryPolicy: { maxDeliveryAttempts: 1 } });
    deployment.deliveryStatus = 401;
    const { exitCode, out } = await deployment.doctor([...args, "--yes"]);
    expect(out).toMatch(/failed {3}send +the number of (failed attempts|dropped events) rose by 1/);
    expect(exitCode).toBe(3);
  });

  it("finds the event among the dead letters", async () => {
    await using azurite = await startAzurite();
    const name = `dead-${randomUUID()}`;
    const container = await azurite.createContainer(name);
    deployment.allowWriter();
    await deployment.subscribe({ filter: { includedEventTypes: ["shop.order.paid"] } });
    deployment.env = { AZURE_STORAGE_CONNECTION_STRING: azurite.connectionString };
    deployment.sleep = async () => {
      await writeBlob(container, [{ id: "test-1", at: new Date().toISOString() }]);
    };
    const named = ["--id", "test-1", "--container", name, "--yes"];
    const { exitCode, out } = await deployment.doctor([...args, ...named]);
    expect(out).toContain(
      "the event was dead-lettered: MaxDeliveryAttemptsExceeded, last outcome GenericError (ORDERS-WEBHOOK/",
    );
    expect(exitCode).toBe(3);
  });

  it("ends with an unknown result when no count rises in time", async () => {
    deployment.allowWriter();
    await deployment.subscribe({ filter: { includedEventTypes: ["shop.order.paid"] } });
    const { exitCode, out } = await deployment.doctor([...args, "--yes", "--wait", "1"]);
    expect(out).toContain('no count of "orders" rose within 1 s');
    expect(exitCode).toBe(4);
  });

  it("reads the event from a file, and prints the findings with --json", async () => {
    deployment.allowWriter();
    await deployment.subscribe();
    const directory = directoryWith({ "order.json": '{"orderId":"17"}' });
    const { cloud, topic, probeUrl } = deployment;
    const { out } = await deployment.run(
      [
        ...["--env", "ORDERS", "--scope", topic.id, "--probe-url", probeUrl, "--json", "--yes"],
        ...["--send", "--type", "shop.order.placed", "--data", `@${directory}/order.json`],
      ],
      deployment.environment(),
    );
    const { findings } = JSON.parse(out) as { findings: { check: string; status: string }[] };
    expect(findings.filter(({ check }) => check === "send").map(({ status }) => status)).toEqual([
      "ok",
      "ok",
    ]);
    expect(JSON.parse(cloud.deliveries()[0]?.events[0]?.json ?? "{}").data).toEqual({
      orderId: "17",
    });
  });
});
