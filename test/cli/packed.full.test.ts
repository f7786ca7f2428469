import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EmptyProject, emptyProject, pack } from "../packages/packed.js";
import { root } from "../support/project.js";

let project: EmptyProject;

beforeAll(async () => {
  const packed = await Promise.all(["cli", "runtime"].map(pack));
  project = emptyProject();
  await project.install(...packed);
});
afterAll(() => rmSync(project.folder, { recursive: true, force: true }));

/** Runs the packed `cloud-eventgrid` with npx in the empty project. */
function npx(...args: readonly string[]) {
  return new Promise<{ exitCode: number; out: string; error: string }>((resolve) => {
    const all = ["--no", "--", "cloud-eventgrid", ...args];
    const child = execFile("npx", all, { cwd: project.folder }, (_, out, error) => {
      resolve({ exitCode: child.exitCode ?? -1, out, error });
    });
  });
}

describe("the packed command line, run by npx in an empty directory", () => {
  it("prints its help", async () => {
    const { exitCode, out } = await npx("--help");
    expect(exitCode).toBe(0);
    expect(out).toContain("Usage: cloud-eventgrid");
  });

  it("checks component documents", async () => {
    const file = join(root, "examples/from-component/components/orders.yaml");
    const { exitCode, out } = await npx("check", file, "--json");
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ ok: true });
  });

  it("probes a webhook and exits with the outcome's code", async () => {
    const { exitCode, out } = await npx("probe", "https://orders.invalid/api/events", "--json");
    expect(exitCode).toBe(10);
    expect(JSON.parse(out)).toMatchObject({ outcome: "name-not-found" });
  });
});
