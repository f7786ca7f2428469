import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { command } from "../cli/command.js";
import { forLocalAzure } from "../cli/generated-project.js";
import { forCdktf, snippetsIn } from "../docs/snippets.js";
import { root } from "../support/project.js";
import { type EmptyProject, emptyProject, pack, publishedFolders } from "./packed.js";
import { testedVersions } from "./versions.js";

const run = promisify(execFile);

const nodes = testedVersions("Node");
const compilers = testedVersions("TypeScript");
const jests = testedVersions("Jest");
const vitests = testedVersions("Vitest");
const NODE_PACKAGE = `node-${process.platform}-${process.arch}`;

const imports = `
  import { LocalCloud } from "cloud-eventgrid-local";
  import {
    createListener,
    createPublisher,
    defineEvents,
    type,
  } from "cloud-eventgrid-binding-runtime";
`;
/** Delivers an event from a publisher through the local Azure to a listener. */
const roundTrip = `
  const events = defineEvents({ "shop.order.placed": type() });
  const origin = "https://orders.example.com";
  const cloud = await LocalCloud.start();
  const { clientId } = cloud.applications.create({ displayName: "orders" });
  const topic = cloud.topics.create({ name: "orders" });
  const binding = {
    cloudTenantId: cloud.tenantId,
    cloudClientId: clientId,
    cloudAuthorityHost: cloud.authorityHost,
    handshakePort: "9000",
    path: "/api/events",
    topicEndpoint: topic.endpoint,
    accessKey: topic.accessKey,
  };
  const on = { "shop.order.placed": async ({ data }) => console.log("order", data.orderId) };
  const settings = { host: "127.0.0.1", port: 0, logger: false, drainLagMs: 0 };
  const listener = createListener(binding, { events, on, ...settings });
  const { port } = await listener.listen();
  cloud.ingress.route(origin, "http://127.0.0.1:" + port);
  await cloud.eventSubscriptions.create({
    name: "orders",
    scope: topic.id,
    endpointUrl: origin + "/api/events",
    clientId,
  });
  const publisher = createPublisher(binding, { events, source: "/shop" });
  await publisher.create({ type: "shop.order.placed", data: { orderId: "17" } });
  await cloud.drain();
  await publisher.close();
  await listener.close();
  await cloud.close();
`;
/** The same for a test runner. */
const roundTripTest = `
  test("an order arrives", async () => {
    const printed = [];
    const console = { log: (...words) => printed.push(words.join(" ")) };
    ${roundTrip}
    expect(printed).toEqual(["order 17"]);
  });
`;

const pageText = (name: string) => readFileSync(join(root, "docs", name), "utf8");

/** What a user of Node 20 adds to package.json so that npm installs Fastify without a warning. */
function overrideOfDocs(): Record<string, string> {
  const [, override = ""] = /`"overrides": (\{[^}]+\})`/.exec(pageText("servers.md")) ?? [];
  return JSON.parse(override);
}

describe("the packed packages in an empty project", () => {
  let project: EmptyProject;
  let npmOutput: string;
  beforeAll(async () => {
    const packages = [];
    // A project of cdktf cannot have the constructs for cdktn.
    const folders = publishedFolders.filter((folder) => folder !== "cdktn");
    for (const folder of folders) packages.push(await pack(folder));
    project = emptyProject({ overrides: overrideOfDocs() });
    npmOutput = await project.install(
      ...packages,
      "fastify@5",
      "@azure/identity@4.13.1",
      `cdktf@${testedVersions("cdktf")[0]}`,
      "constructs@10.7",
      "@cdktf/provider-azurerm@14",
      "@cdktf/provider-azuread@14",
      "@types/node@20",
    );
    await project.install(
      // Two versions of Vitest cannot have their optional peers side by side.
      "--legacy-peer-deps",
      ...nodes.map((version) => `node-${version}@npm:${NODE_PACKAGE}@${version}`),
      ...compilers.map((version) => `typescript-${version}@npm:typescript@${version}`),
      ...jests.map((version) => `jest-${version}@npm:jest@${version}`),
      ...vitests.map((version) => `vitest-${version}@npm:vitest@${version}`),
      "esbuild@0.28",
    );
  });

  it("install without a warning on the oldest supported Node, with the override that docs/servers.md names", () => {
    expect(npmOutput).not.toContain("EBADENGINE");
    expect(npmOutput).not.toContain("deprecated");
  });

  describe.each(nodes)("work with Node %s", (version) => {
    const node = () => join(project.folder, `node_modules/node-${version}/bin/node`);

    it("deliver an event from a publisher to a listener", async () => {
      expect((await run(node(), ["--version"])).stdout).toContain(`v${version}`);
      expect(await project.node("round-trip.mjs", imports + roundTrip, node())).toBe("order 17");
    });

    it("can be required", async () => {
      const code = `
        const { createListener } = require("cloud-eventgrid-binding-runtime");
        const { LocalCloud } = require("cloud-eventgrid-local");
        const { CloudEventGridBinding } = require("cloud-eventgrid-binding");
        console.log(typeof createListener, typeof LocalCloud, typeof CloudEventGridBinding);
      `;
      expect(await project.node("require.cjs", code, node())).toBe("function function function");
    });

    it("synthesize a generated project without a warning", async () => {
      const name = `generated-${version.replaceAll(".", "-")}`;
      const folder = join(project.folder, name);
      await command(["init", name, "--yes", "--cdk", "cdktf"], { directory: project.folder });
      const { app } = JSON.parse(readFileSync(join(folder, "cdktf.json"), "utf8"));
      const tsx = join(root, "node_modules/tsx/dist/cli.mjs");
      const args = [tsx, ...app.replace("npx tsx ", "").split(" ")];
      const env = { ...process.env, ...forLocalAzure };
      const { stderr } = await run(node(), args, { cwd: folder, env });
      expect(stderr).toBe("");
      expect(readdirSync(join(folder, "cdktf.out/stacks"))).toEqual([name]);
    });
  });

  it.each(jests)("are required by a test of Jest %s without configuration", async (version) => {
    const required = imports.replace(/import ([\s\S]*?) from (.*);/g, "const $1 = require($2);");
    project.write("runners/jest.test.js", required + roundTripTest);
    const jest = join(project.folder, `node_modules/jest-${version}/bin/jest.js`);
    const args = ["--testMatch", "**/runners/jest.test.js", "--cacheDirectory", "runners/cache"];
    await run(process.execPath, [jest, ...args], { cwd: project.folder });
  });

  it.each(vitests)("are imported by a test of Vitest %s", async (version) => {
    project.write("runners/vitest.test.mjs", imports + roundTripTest);
    const vitest = join(project.folder, `node_modules/vitest-${version}/vitest.mjs`);
    const args = ["run", "--globals", "runners/vitest.test.mjs"];
    // Vitest 5 does not run on Node 20.
    const node = join(project.folder, `node_modules/node-${nodes.at(-1)}/bin/node`);
    await run(node, [vitest, ...args], { cwd: project.folder });
  });

  const bundling = pageText("hosts.md");
  const commands = [...bundling.matchAll(/^npx esbuild .*--outfile=(\S+).*$/gm)].map(
    ([command, file]) => [command, file] as const,
  );
  it.each(commands)("are bundled with %s", async (command, file = "") => {
    project.write("service.ts", `${imports}void (async () => {${roundTrip}})();`);
    // The local Azure is no part of a service.
    const external = `${command} --external:cloud-eventgrid-local`;
    await run("sh", ["-c", external], { cwd: project.folder });
    const bundle = readFileSync(join(project.folder, file), "utf8");
    expect(bundle).not.toMatch(/(require\(|from )"(cloud-eventgrid-binding|fastify)/);
    const { stdout } = await run(process.execPath, [file], { cwd: project.folder });
    expect(stdout.trim()).toBe("order 17");
  });

  it.each(compilers)("compile the code of the quick start with TypeScript %s", async (version) => {
    const modules = snippetsIn("docs/quick-start.md").filter(
      ({ name }) => !name.startsWith("snippet"),
    );
    expect(modules.map(({ name }) => name)).toEqual(["orders", "stack", "service"]);
    project.write("quick-start/package.json", '{ "type": "module" }');
    for (const { name, code } of modules) {
      project.write(`quick-start/${name}.ts`, forCdktf(code));
    }
    const errors = await project.compile(
      "quick-start/all.ts",
      modules.map(({ name }) => `import "./${name}.js";`).join("\n"),
      { module: "nodenext", types: ["node"], skipLibCheck: true },
      join(project.folder, `node_modules/typescript-${version}`),
    );
    expect(errors).toBe("");
  });
});
