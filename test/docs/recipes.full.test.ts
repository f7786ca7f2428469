import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { freePort } from "../../examples/start/free-port.js";
import { CertificateAuthority } from "../../local/src/tls/index.js";
import { type EmptyProject, emptyProject, pack } from "../packages/packed.js";
import { buildImage, inReadOnlyFileSystem } from "../support/container-image.js";
import { root } from "../support/project.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { blockIn, blocksIn, pageText } from "./recipes.js";

const run = promisify(execFile);

/**
 * A service that handles one event, rejects one, denies one request and fails to publish one, then
 * calls `report`.
 */
const service = (report: string) => `
  const { createListener, createPublisher } = require("cloud-eventgrid-binding-runtime");
  const { RejectEvent } = require("cloud-eventgrid-binding-runtime");
  const { LocalCloud } = require("cloud-eventgrid-local");
  async function main() {
    const cloud = await LocalCloud.start({ clock: "stepped" });
    const topic = cloud.topics.create({ name: "orders" });
    const { clientId } = cloud.applications.create({ displayName: "orders" });
    const binding = {
      cloudTenantId: cloud.tenantId,
      cloudClientId: clientId,
      cloudAuthorityHost: cloud.authorityHost,
      handshakePort: "9000",
      path: "/api/events",
      topicEndpoint: topic.endpoint,
      accessKey: topic.accessKey,
    };
    const on = {
      "shop.order.placed": () => {},
      "shop.order.bad": () => { throw new RejectEvent("bad"); },
    };
    const listener = createListener(binding, { on, port: 0, drainLagMs: 0, logger: false });
    const { port } = await listener.listen();
    cloud.ingress.route("https://orders.example.com", "http://127.0.0.1:" + port);
    await cloud.eventSubscriptions.create({
      name: "orders",
      scope: topic.id,
      endpointUrl: "https://orders.example.com/api/events",
      clientId,
    });
    const publisher = createPublisher(binding, { source: "/shop" });
    await publisher.create({ type: "shop.order.placed", data: {} });
    await publisher.create({ type: "shop.order.bad", data: {} });
    await cloud.drain();
    const unknown = await cloud.tokens.delivery({ clientId, header: { kid: "unknown" } });
    await fetch("http://127.0.0.1:" + port + "/api/events", {
      method: "POST",
      headers: { authorization: "Bearer " + unknown, "content-type": "application/cloudevents+json" },
      body: "{}",
    });
    await publisher.create({ type: "", data: {} }).catch(() => {});
    await (${report})();
    await publisher.close();
    await listener.close();
    await cloud.close();
    process.exit();
  }
  main();
`;

let packages: string[];
beforeAll(async () => {
  packages = [await pack("runtime"), await pack("local")];
});

async function projectWith(...more: string[]): Promise<EmptyProject> {
  const project = emptyProject();
  await project.install(...packages, ...more);
  return project;
}

/** The packages that a page installs. */
function installed(page: string, heading?: string): string[] {
  const names = blocksIn(page, "sh", heading)
    .flatMap((block) => [...block.matchAll(/^npm install (?:--save-dev )?(.+)$/gm)])
    .flatMap(([, list = ""]) => list.split(" "));
  return names.filter((name) => !name.startsWith("cloud-eventgrid"));
}

describe("docs/observability.md", () => {
  const page = pageText("observability");
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  it("names metrics that Prometheus reads from a service, in the table and in the alerts", async () => {
    const project = await projectWith(...installed(page, "Prometheus"));
    project.write("telemetry.mjs", blockIn(page, "js", "Prometheus"));
    const port = await freePort();
    const report = `async () => console.log(await (await fetch("http://127.0.0.1:${port}/metrics")).text())`;
    project.write("service.js", service(report));
    const { stdout } = await run(process.execPath, ["--import", "./telemetry.mjs", "service.js"], {
      cwd: project.folder,
      env: { ...process.env, METRICS_PORT: String(port) },
    });
    const published = new Set([...stdout.matchAll(/^(eventgrid_\w+)\{/gm)].map(([, name]) => name));

    const { groups } = parse(
      readFileSync(join(root, "runtime/dashboards/prometheus-alerts.yaml"), "utf8"),
    );
    const all: { alert: string; expr: string }[] = groups[0].rules;
    const rules = all.filter(({ expr }) => /eventgrid_(?:listener|publisher)_/.test(expr));
    expect(rules).toHaveLength(3);
    const [, section = ""] = page.split("\n## Prometheus\n");
    const named = [...section.matchAll(/\b(eventgrid_listener_\w+|eventgrid_publisher_\w+)/g)];
    expect(named.map(([name]) => name).filter((name) => !published.has(name))).toEqual([]);

    // Each alert selects a series of this service.
    for (const { alert, expr } of rules) {
      const [, name = "", label = "", , values = ""] =
        /(eventgrid_\w+)\{(\w+)(=~|=)"([^"]+)"\}/.exec(expr) ?? [];
      const series = new RegExp(`^${name}\\{[^}]*${label}="(${values})"`, "m");
      expect(stdout, alert).toMatch(series);
    }
  });

  it("names metrics that Azure Monitor receives from a service, in the queries", async () => {
    const project = await projectWith(...installed(page, "Azure Monitor"));
    project.write("telemetry.mjs", blockIn(page, "js", "Azure Monitor"));
    project.write(
      "service.js",
      service("() => new Promise((resolve) => setTimeout(resolve, 3000))"),
    );

    const authority = new CertificateAuthority();
    closing.push(() => authority.remove());
    let received = "";
    const monitor = createServer(
      authority.issue(["localhost", "127.0.0.1"]),
      (request, response) => {
        const chunks: Buffer[] = [];
        request.on("data", (chunk) => chunks.push(chunk));
        request.on("end", () => {
          const body = Buffer.concat(chunks);
          const isZipped = request.headers["content-encoding"] === "gzip";
          received += isZipped ? gunzipSync(body) : body;
          response.setHeader("content-type", "application/json");
          response.end(JSON.stringify({ itemsReceived: 1, itemsAccepted: 1, errors: [] }));
        });
      },
    ).listen(0, "127.0.0.1");
    closing.push(() => monitor.close());
    await once(monitor, "listening");
    const { port } = monitor.address() as AddressInfo;

    const key = "InstrumentationKey=11111111-1111-4111-8111-111111111111";
    const endpoint = `https://localhost:${port}/`;
    await run(process.execPath, ["--import", "./telemetry.mjs", "service.js"], {
      cwd: project.folder,
      env: {
        ...process.env,
        APPLICATIONINSIGHTS_CONNECTION_STRING: `${key};IngestionEndpoint=${endpoint};LiveEndpoint=${endpoint}`,
        APPLICATION_INSIGHTS_NO_STATSBEAT: "1",
        OTEL_METRIC_EXPORT_INTERVAL: "500",
        NODE_EXTRA_CA_CERTS: authority.certificateFile,
      },
    });

    const queries = blocksIn(page, "kusto");
    expect(queries).toHaveLength(3);
    for (const query of queries) {
      const [, name = ""] = /name == "([^"]+)"/.exec(query) ?? [];
      const [, attribute = ""] = /customDimensions\["([^"]+)"\]/.exec(query) ?? [];
      expect(received).toContain(`"${name}"`);
      expect(received).toContain(`"${attribute}"`);
    }
  });
});

describe("docs/testing.md", () => {
  const page = pageText("testing");

  it("has lines with which a test for Jest passes", async () => {
    const project = await projectWith("jest");
    const test = `
      let cloud;
      let publisher;
      afterEach(async () => {
        await publisher?.close();
        await cloud?.close();
      });
      test("an order is published", async () => {
        cloud = await LocalCloud.start();
        const topic = cloud.topics.create({ name: "orders" });
        const binding = { topicEndpoint: topic.endpoint, accessKey: topic.accessKey };
        publisher = createPublisher(binding, { source: "/shop" });
        await publisher.create({ type: "shop.order.placed", data: { orderId: "17" } });
        expect(topic.events().map(({ data }) => data.orderId)).toEqual(["17"]);
      });`;
    project.write("orders.test.js", `${blockIn(page, "js", "Jest")}${test}`);
    const env = { ...process.env, TMPDIR: temporaryFolder() };
    const { stderr } = await run("npx", ["jest"], { cwd: project.folder, env });
    expect(stderr).toContain("1 passed");
  });
});

describe("docs/hosts.md", () => {
  const page = pageText("hosts");

  it("has steps that build a service with production dependencies only", async () => {
    const [runtime = ""] = packages;
    const manifest = JSON.parse(blockIn(page, "json"));
    const context = emptyProject();
    manifest.dependencies["cloud-eventgrid-binding-runtime"] = `file:${runtime}`;
    context.write("package.json", JSON.stringify(manifest));
    context.write(
      "tsconfig.json",
      JSON.stringify({
        compilerOptions: { module: "nodenext", rootDir: "src", outDir: "dist", skipLibCheck: true },
        include: ["src"],
      }),
    );
    context.write(
      "src/service.ts",
      `import { createListener } from "cloud-eventgrid-binding-runtime";
       console.log(typeof createListener);`,
    );
    await run("npm", ["install", "--package-lock-only", "--prefer-offline"], {
      cwd: context.folder,
    });

    const image = await buildImage(blockIn(page, "dockerfile"), context.folder);
    const [program = "", ...args] = inReadOnlyFileSystem(image.command);
    const { stdout } = await run(program, args, { cwd: image.folder });
    expect(stdout).toBe("function\n");
    expect(image.user).toBe("1000");
    expect(existsSync(join(image.folder, "node_modules/typescript"))).toBe(false);
  });
});
