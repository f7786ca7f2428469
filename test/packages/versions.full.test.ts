import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { snippetsIn } from "../docs/snippets.js";
import { type EmptyProject, emptyProject, pack, publishedFolders } from "./packed.js";
import { testedVersions } from "./versions.js";

const run = promisify(execFile);

const nodes = testedVersions("Node");
const compilers = testedVersions("TypeScript");
const NODE_PACKAGE = `node-${process.platform}-${process.arch}`;

/** Delivers an event from a publisher through the local Azure to a listener. */
const roundTrip = `
  import { LocalCloud } from "cloud-eventgrid-local";
  import { createListener, createPublisher, defineEvents, type } from "cloud-eventgrid-binding-runtime";

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
  await cloud.stop();
`;

describe("the packed packages in an empty project", () => {
  let project: EmptyProject;
  let npmOutput: string;
  beforeAll(async () => {
    const packages = [];
    // A project of cdktf cannot have the constructs for cdktn.
    const folders = publishedFolders.filter((folder) => folder !== "cdktn");
    for (const folder of folders) packages.push(await pack(folder));
    project = emptyProject({ overrides: {} });
    npmOutput = await project.install(
      ...packages,
      "fastify@5",
      `cdktf@${testedVersions("cdktf")[0]}`,
      "constructs@10.7",
      "@cdktf/provider-azurerm@14",
      "@cdktf/provider-azuread@14",
      "@types/node@20",
    );
    await project.install(
      ...nodes.map((version) => `node-${version}@npm:${NODE_PACKAGE}@${version}`),
      ...compilers.map((version) => `typescript-${version}@npm:typescript@${version}`),
    );
  });

  it("install without a warning on the oldest supported Node", () => {
    expect(npmOutput).not.toContain("EBADENGINE");
    expect(npmOutput).not.toContain("deprecated");
  });

  describe.each(nodes)("with Node %s", (version) => {
    const node = () => join(project.folder, `node_modules/node-${version}/bin/node`);

    it("deliver an event from a publisher to a listener", async () => {
      expect((await run(node(), ["--version"])).stdout).toContain(`v${version}`);
      expect(await project.node("round-trip.mjs", roundTrip, node())).toBe("order 17");
    });

    it("can be required", async () => {
      const code = `
        const { createListener } = require("cloud-eventgrid-binding-runtime/listener");
        const { LocalCloud } = require("cloud-eventgrid-local");
        const { CloudEventGridBinding } = require("cloud-eventgrid-binding");
        console.log(typeof createListener, typeof LocalCloud, typeof CloudEventGridBinding);
      `;
      expect(await project.node("require.cjs", code, node())).toBe("function function function");
    });
  });

  it.each(compilers)("compile the code of the quick start with TypeScript %s", async (version) => {
    const modules = snippetsIn("docs/quick-start.md").filter(
      ({ name }) => !name.startsWith("snippet"),
    );
    expect(modules.map(({ name }) => name)).toEqual(["orders", "stack", "service"]);
    project.write("quick-start/package.json", '{ "type": "module" }');
    for (const { name, code } of modules) project.write(`quick-start/${name}.ts`, code);
    const errors = await project.compile(
      "quick-start/all.ts",
      modules.map(({ name }) => `import "./${name}.js";`).join("\n"),
      { module: "nodenext", types: ["node"], skipLibCheck: true },
      join(project.folder, `node_modules/typescript-${version}`),
    );
    expect(errors).toBe("");
  });
});
