import { execFile } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { publint } from "publint";
import { beforeAll, describe, expect, it } from "vitest";
import { startProgram } from "../local/support/run-program.js";
import { itWith } from "../support/describe-with.js";
import { root } from "../support/project.js";
import { type EmptyProject, emptyProject, manifest, pack, publishedFolders } from "./packed.js";
import { packedPackages } from "./packed-once.js";

const run = promisify(execFile);

it("npm run pack writes the published packages, without what only this repository uses", async () => {
  const folder = await packedPackages();
  const { version } = manifest(".");
  const files = publishedFolders.map((each) => `${manifest(each).name}-${version}.tgz`);
  expect(readdirSync(folder).sort()).toEqual(files.sort());
  const args = ["-xzOf", `cloud-eventgrid-binding-${version}.tgz`, "package/package.json"];
  const { stdout } = await run("tar", args, { cwd: folder });
  const packed = JSON.parse(stdout);
  for (const field of ["scripts", "workspaces", "devDependencies"]) {
    expect(manifest(".")).toHaveProperty(field);
    expect(packed).not.toHaveProperty(field);
  }
});

it.each(publishedFolders)(
  "publint finds no problem in the packed package of %s",
  async (folder) => {
    const { buffer: tarball } = new Uint8Array(readFileSync(await pack(folder)));
    const { messages } = await publint({ pack: { tarball }, strict: true });
    expect(messages).toEqual([]);
  },
);

/** The specifiers in the `exports` of packages. */
const specifiers = [".", "runtime", "local"].flatMap((folder) => {
  const { name, exports } = manifest(folder) as { name: string; exports: Record<string, unknown> };
  const paths = Object.keys(exports).filter((path) => path !== "./package.json");
  return paths.map((path) => name + path.slice(1));
});

const typed = `
  import { App, TerraformStack } from "cdktf";
  import { CloudEventGridTopic } from "cloud-eventgrid-binding";
  import {
    bindingFromEnvironment,
    createListener,
    createPublisher,
    defineEvents,
    type,
  } from "cloud-eventgrid-binding-runtime";
  import { readComponentDocument } from "cloud-eventgrid-binding-runtime/document";
  import { LocalCloud } from "cloud-eventgrid-local";
  const { endpoint } = new CloudEventGridTopic(new TerraformStack(new App(), "s"), "t", {
    resourceGroupName: "g",
    location: "westeurope",
  });
  const text: string = endpoint;
  const binding = bindingFromEnvironment("ORDERS");
  const events = defineEvents({ "a.b": type<{ n: number }>() });
  createListener(binding, { events, on: { "a.b": ({ data }) => void data.n.toFixed() } });
  const publisher = createPublisher(binding, { events, source: "/a" });
  // @ts-expect-error: the payload's n is a number
  publisher.create({ type: "a.b", data: { n: text } });
  readComponentDocument("{}");
  LocalCloud.start().then((cloud) => cloud.keys.published());
`;

const express = `
  import { createServer } from "node:http";
  import {
    bindingFromEnvironment,
    createWebhook,
    type WebhookEndpoint,
  } from "cloud-eventgrid-binding-runtime";
  import { LocalCloud } from "cloud-eventgrid-local";
  import express from "express";
  const binding = bindingFromEnvironment("ORDERS", { direction: "input" });
  const webhook: WebhookEndpoint = createWebhook(binding, { on: { "*": ({ id }) => console.log(id) } });
  createServer({ maxHeaderSize: 65_536 }, express().use(webhook.node)).listen(9000);
  export const POST: (request: Request) => Promise<Response> = webhook.fetch;
  LocalCloud.start().then((cloud) => cloud.close());
`;

const served = `
  const { createListener, createWebhook } = require("cloud-eventgrid-binding-runtime");
  const express = require("express");
  const id = "11111111-1111-4111-8111-111111111111";
  const binding = { cloudTenantId: id, cloudClientId: id, handshakePort: "9000", path: "/api/events" };
  const options = { on: { "*": () => {} }, logger: false };
  const status = async (port) =>
    (await fetch("http://127.0.0.1:" + port + "/api/events", { method: "POST" })).status;
  const webhook = createWebhook(binding, options);
  const server = express().use(webhook.node).listen(0, async () => {
    console.log(await status(server.address().port));
    server.close();
    server.closeAllConnections();
    await webhook.close();
    const listener = createListener(binding, { ...options, port: 0 });
    const { port } = await listener.listen();
    console.log(await status(port));
    await listener.close();
  });
`;

/** Commands of `npx cloud-eventgrid`, with their exit code and what they print. */
const commands: readonly [command: string, exitCode: number, printed: RegExp][] = [
  ["--help", 0, /Usage: cloud-eventgrid/],
  ["check component.yaml --json", 0, /"ok": true/],
  ["probe https://orders.invalid/api/events --json", 10, /"outcome": "name-not-found"/],
  ["convert component.yaml --terraform --adopted", 0, /^module "/],
  ["doctor component.yaml", 1, /this command needs the package @azure\/identity/],
  ["dead-letters list --container dead", 1, /this command needs the package @azure\/storage-blob/],
];

/** The steps of a user, one after the other, in an empty directory with everything but cdktn's packages. */
describe("the packed packages in an empty project", () => {
  let project: EmptyProject;
  let bin: string;
  beforeAll(async () => {
    project = emptyProject();
    bin = join(project.folder, "node_modules/.bin");
    const folders = publishedFolders.filter((folder) => folder !== "cdktn");
    await project.install(...(await Promise.all(folders.map(pack))));
    const component = join(root, "examples/from-component/components/orders.yaml");
    copyFileSync(component, join(project.folder, "component.yaml"));
  });

  const npx = (command: string, variables: NodeJS.ProcessEnv = {}) =>
    new Promise<{ exitCode: number; printed: string }>((resolve) => {
      const options = { cwd: project.folder, env: { ...process.env, ...variables } };
      const args = ["--no", "--", "cloud-eventgrid", ...command.split(" ")];
      const child = execFile("npx", args, options, (_, out, error) => {
        resolve({ exitCode: child.exitCode ?? -1, printed: out + error });
      });
    });

  it("install no server, no cdktf and no SDK that only some services need", () => {
    const installed = readdirSync(join(project.folder, "node_modules"));
    const unwanted = /^(@cdktf|cdktf|constructs|fastify|express|redis|ioredis|pg|pino)$/;
    expect(installed.filter((name) => unwanted.test(name))).toEqual([]);
    const azure = readdirSync(join(project.folder, "node_modules/@azure"));
    expect(azure.filter((name) => /identity|storage/.test(name))).toEqual([]);
  });

  it("contain neither the documentation nor its images", () => {
    const folder = join(project.folder, "node_modules/cloud-eventgrid-binding");
    const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
      (file) => /\.(md|png|svg)$/.test(file) && !file.includes("node_modules"),
    );
    expect(pages.toSorted()).toEqual(["CHANGELOG.md", "README.md"]);
  });

  it("contain the licence of what is bundled in the dashboard", () => {
    const app = join(project.folder, "node_modules/cloud-eventgrid-local/dist/app");
    expect(readFileSync(join(app, "NOTICE.txt"), "utf8")).toMatch(/^preact \d[\s\S]*MIT License/);
  });

  it.each(commands)("cloud-eventgrid %s exits with %i", async (command, exitCode, printed) => {
    expect(await npx(command)).toEqual({ exitCode, printed: expect.stringMatching(printed) });
  });

  it("can be required and imported by every subpath", async () => {
    project.link("cdktf", "constructs", "@cdktf", "fastify", "redis", "pg", "@types/node");
    const print =
      "const empty = Object.entries(all).filter(([, m]) => !Object.keys(m).some((k) => k !== 'default' && k !== 'module.exports')); console.log(empty.map(([name]) => name).join());";
    const modules = (load: string) =>
      `const all = {}; for (const name of ${JSON.stringify(specifiers)}) all[name] = ${load}; ${print}`;
    expect(await project.node("r.cjs", modules("require(name)"))).toBe("");
    expect(await project.node("i.mjs", modules("await import(name)"))).toBe("");
  });

  it.each([
    { module: "commonjs", moduleResolution: "node10" },
    { module: "nodenext", moduleResolution: "nodenext" },
    { module: "esnext", moduleResolution: "bundler" },
  ])("have their types under $moduleResolution resolution", async (options) => {
    const types = { types: ["node"], skipLibCheck: true };
    expect(await project.compile("use.ts", typed, { ...options, ...types })).toBe("");
  });

  it("compile in an Express service without skipLibCheck", async () => {
    project.link("express", "@types/express");
    const options = { module: "nodenext", moduleResolution: "nodenext", types: ["node"] };
    const lib = ["es2022", "esnext.disposable"];
    expect(await project.compile("express.ts", express, { ...options, lib })).toBe("");
  });

  it("serve the webhook in Express, and with createListener", async () => {
    expect(await project.node("serve.cjs", served)).toBe("401\n401");
  });

  it("say that Azure cannot be reached, when @azure/identity is installed", async () => {
    project.link("@azure/identity");
    const unreachable = { ARM_METADATA_HOSTNAME: "localhost:1" };
    expect(await npx("doctor component.yaml", unreachable)).toEqual({
      exitCode: 1,
      printed: expect.stringContaining("https://localhost:1 cannot be reached"),
    });
  });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "start the local Azure, which stops cleanly on %s",
    async (signal) => {
      const local = startProgram(join(bin, "cloud-eventgrid-local"), ["--topic", "orders"], {
        cwd: project.folder,
      });
      await local.printed(/AZURE_CLIENT_SECRET/);
      local.child.kill(signal);
      expect(await once(local.child, "exit")).toEqual([0, null]);
    },
  );

  itWith("curl", "print an environment in which curl calls Resource Manager", async () => {
    const local = startProgram(join(bin, "cloud-eventgrid-local"), [], { cwd: project.folder });
    await local.printed(/AZURE_CLIENT_SECRET/);
    const script = `
      eval "$(cloud-eventgrid-local env)"
      azure="https://$ARM_METADATA_HOSTNAME"
      token=$(curl -sS --cacert "$NODE_EXTRA_CA_CERTS" "$azure/$ARM_TENANT_ID/oauth2/v2.0/token" \
        -d grant_type=client_credentials -d "client_id=$ARM_CLIENT_ID" \
        -d "client_secret=$ARM_CLIENT_SECRET" -d "scope=$azure/.default" |
        sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
      curl -sS --cacert "$SSL_CERT_FILE" -H "Authorization: Bearer $token" \
        "$azure/subscriptions/$ARM_SUBSCRIPTION_ID?api-version=2022-12-01"
    `;
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
    const { stdout } = await run("sh", ["-c", script], { cwd: project.folder, env });
    expect(JSON.parse(stdout)).toMatchObject({ state: "Enabled" });
  });
});
