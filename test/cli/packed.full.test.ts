import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { LocalCloud } from "cloud-eventgrid-local";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EmptyProject, emptyProject, pack } from "../packages/packed.js";
import { startAzurite } from "../support/azurite.js";
import { root } from "../support/project.js";
import { deadLetter } from "./dead-letters/from-local-azure.js";
import { expectWorkingProject } from "./generated-project.js";

const run = promisify(execFile);

let project: EmptyProject;
let runtime: string;
let cli: string;

beforeAll(async () => {
  runtime = await pack("runtime");
  cli = await pack("cli");
  project = emptyProject();
  await project.install(cli, runtime, await pack("create"));
});
afterAll(() => rmSync(project.folder, { recursive: true, force: true }));

const component = join(root, "examples/from-component/components/orders.yaml");
const NPX = ["--no", "--", "cloud-eventgrid"];

/** Runs the packed `cloud-eventgrid` with npx in the empty project. */
function npx(args: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  return new Promise<{ exitCode: number; out: string; error: string }>((resolve) => {
    const options = { cwd: project.folder, env: { ...process.env, ...variables } };
    const child = execFile("npx", [...NPX, ...args], options, (_, out, error) => {
      resolve({ exitCode: child.exitCode ?? -1, out, error });
    });
  });
}

describe("the packed command line, run by npx in an empty directory", () => {
  it("prints its help", async () => {
    const { exitCode, out } = await npx(["--help"]);
    expect(exitCode).toBe(0);
    expect(out).toContain("Usage: cloud-eventgrid");
  });

  it("checks component documents", async () => {
    const { exitCode, out } = await npx(["check", component, "--json"]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ ok: true });
  });

  it("says how to run listen, which needs another package", async () => {
    const scope =
      "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop/providers/Microsoft.EventGrid/namespaces/shop/topics/orders";
    const { exitCode, error } = await npx(["listen", "9000", "--scope", scope]);
    expect(exitCode).toBe(1);
    expect(error).toContain("this command needs the package cloud-eventgrid-local");
  });

  it("probes a webhook and exits with the outcome's code", async () => {
    const { exitCode, out } = await npx(["probe", "https://orders.invalid/api/events", "--json"]);
    expect(exitCode).toBe(10);
    expect(JSON.parse(out)).toMatchObject({ outcome: "name-not-found" });
  });

  it("converts a component document to a project that passes its test", async () => {
    const { exitCode } = await npx(["convert", component, "--out", "shop", "--adopt"]);
    expect(exitCode).toBe(0);
    await expectWorkingProject(join(project.folder, "shop"));
  });

  it("creates a project that passes its test", async () => {
    const { exitCode } = await npx(["init", "orders", "--yes", "--cdk", "cdktf"]);
    expect(exitCode).toBe(0);
    await expectWorkingProject(join(project.folder, "orders"));
  });

  it("creates the same project as npm create", async () => {
    const create = join(project.folder, "node_modules/.bin/create-cloud-eventgrid");
    const args = ["created", "--name", "orders", "--yes"];
    await run(create, args, { cwd: project.folder });
    const read = (folder: string) => readFileSync(join(project.folder, folder, "stack.ts"), "utf8");
    expect(read("created")).toBe(read("orders"));
  });

  it("writes a Terraform module", async () => {
    const args = ["synth", component, "--out", "module", "--adopted", "--json"];
    const { exitCode, out } = await npx(args);
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ ok: true, modules: [{ variables: [] }] });
  });

  it("needs @azure/identity for the doctor, and then reports that Azure cannot be reached", async () => {
    const args = ["doctor", component];
    expect((await npx(args)).error).toContain("this command needs the package @azure/identity");
    project.link("@azure/identity");
    const variables = { ARM_METADATA_HOSTNAME: "localhost:1" };
    const { exitCode, error } = await npx(args, variables);
    expect(exitCode).toBe(1);
    expect(error).toContain("https://localhost:1 cannot be reached");
  });

  it("says which package dead-letters needs", async () => {
    const { exitCode, error } = await npx(["dead-letters", "list", "--container", "dead"], {
      AZURE_STORAGE_CONNECTION_STRING: "UseDevelopmentStorage=true",
    });
    expect(exitCode).toBe(1);
    expect(error).toContain("this command needs the package @azure/storage-blob");
  });

  it("replays 300 dead letters of a local Azure in spite of a kill, and loses none", async () => {
    project.link("@azure/storage-blob");
    await using azurite = await startAzurite();
    await using cloud = await LocalCloud.start();
    const topic = cloud.topics.create({ name: "orders" });
    const ids = Array.from({ length: 300 }, (_, i) => `${i}`);
    await deadLetter(ids, azurite.connectionString, "dead");
    const args = ["dead-letters", "replay", "--container", "dead", "--env", "ORDERS", "--yes"];
    const variables = {
      AZURE_STORAGE_CONNECTION_STRING: azurite.connectionString,
      ORDERS_TOPIC_ENDPOINT: topic.endpoint,
      ORDERS_ACCESS_KEY: topic.accessKey,
    };

    const options = { cwd: project.folder, env: { ...process.env, ...variables } };
    const killed = spawn("npx", [...NPX, ...args], { ...options, detached: true, stdio: "ignore" });
    const exited = once(killed, "exit");
    try {
      const sent = expect.poll(() => topic.events().length, { interval: 1, timeout: 120_000 });
      await sent.toBeGreaterThan(100);
    } finally {
      // The whole group, because npx runs the command in a separate process.
      process.kill(-(killed.pid ?? 0), "SIGKILL");
      await exited;
    }
    const before = topic.events().length;
    expect(before).toBeLessThan(300);

    const { exitCode } = await npx(args, variables);
    expect(exitCode).toBe(0);
    const received = topic.events().map(({ id }) => id);
    expect([...new Set(received)].sort()).toEqual([...ids].sort());
    // Eight blobs are under way at a time, and the local Azure writes one for each event.
    expect(received.length - 300).toBeLessThanOrEqual(8);
    const again = await npx(args, variables);
    expect(again.out).toBe("0 events were accepted.\n");
    const list = await npx(["dead-letters", "list", "--container", "dead", "--json"], variables);
    expect(JSON.parse(list.out).groups).toMatchObject([
      { key: { reason: "UndeliverableDueToHttpBadRequest" }, count: 300, replayed: 300 },
    ]);
  });
});
