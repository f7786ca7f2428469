import { afterEach, beforeEach, describe, expect, it } from "vitest";
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
