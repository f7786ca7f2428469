import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { LocalCloud } from "cloud-eventgrid-local";
import type { Contender, Group, Sample } from "../harness/scenario.js";

const run = promisify(execFile);
const project = fileURLToPath(new URL("../..", import.meta.url));

/** The dependencies of a service, and a program that uses them to receive events. */
interface Candidate {
  readonly name: string;
  readonly ours?: boolean;
  readonly packages: readonly string[];
  /** The folder of the runtime, which it installs as published. */
  readonly runtime?: string;
  /** Calls `ready()` when it listens, or when it can only continue with its host. */
  readonly program: string;
}

const runtime = join(project, "runtime");

const BINDING = `
    const { createListener, createWebhook } = require("cloud-eventgrid-binding-runtime");
    const binding = {
      cloudTenantId: env.TENANT, cloudClientId: env.CLIENT, cloudAuthorityHost: env.AUTHORITY,
      handshakePort: "9000", path: "/api/events",
    };
    const on = { "*": () => {} };`;

const OURS: Candidate = {
  name: "cloud-eventgrid-binding-runtime",
  ours: true,
  packages: [],
  runtime,
  program: `${BINDING}
    createListener(binding, { on, host: "127.0.0.1", port: 0, logger: false }).listen().then(ready);`,
};

const OTHER_HOSTS: readonly Candidate[] = [
  {
    name: "cloud-eventgrid-binding-runtime + express",
    packages: ["express@5"],
    runtime,
    program: `${BINDING}
    const { createServer } = require("node:http");
    const app = require("express")();
    app.use(createWebhook(binding, { on, logger: false }).node);
    createServer({ maxHeaderSize: 65536 }, app).listen(0, "127.0.0.1", ready);`,
  },
];

const OTHERS: readonly Candidate[] = [
  {
    name: "by hand: fastify, jose, @azure/eventgrid",
    packages: ["fastify@5", "jose@6", "@azure/eventgrid@5"],
    program: `
      const { createRemoteJWKSet, jwtVerify } = require("jose");
      const { EventGridDeserializer } = require("@azure/eventgrid");
      const keys = createRemoteJWKSet(new URL(env.AUTHORITY + "/" + env.TENANT + "/discovery/keys"));
      const deserializer = new EventGridDeserializer();
      const app = require("fastify")();
      app.post("/api/events", async (request) => {
        await jwtVerify(request.headers.authorization.slice(7), keys, { audience: env.CLIENT });
        await deserializer.deserializeCloudEvents(request.body);
      });
      app.listen({ host: "127.0.0.1", port: 0 }).then(ready);`,
  },
  {
    name: "@dapr/dapr (without its sidecar)",
    packages: ["@dapr/dapr@3"],
    program: `
      const { DaprServer } = require("@dapr/dapr");
      const server = new DaprServer({ serverHost: "127.0.0.1", serverPort: "0" });
      server.binding.receive("orders", async () => {}).then(ready);`,
  },
  {
    name: "@azure/functions (without its host)",
    packages: ["@azure/functions@4"],
    program: `
      const { app } = require("@azure/functions");
      app.eventGrid("orders", { handler: () => {} });
      ready();`,
  },
];

const PRELUDE = `
  const { env } = process;
  const ready = () => {
    const seconds = process.uptime();
    console.log(JSON.stringify({ start: seconds * 1000, memory: process.memoryUsage().rss / 1e6 }));
    process.exit(0);
  };`;

export const footprint: Group = {
  name: "footprint",
  title: "Installed size and start of a service",
  async *scenarios(settings) {
    await reachRegistry();
    const folder = await mkdtemp(join(tmpdir(), "cloud-eventgrid-bench-"));
    const cloud = await LocalCloud.start();
    try {
      const installed: Installed[] = [];
      const { smoke, against } = settings;
      const reference = against && {
        ...OURS,
        name: against.named(OURS.name),
        ours: false,
        runtime: join(against.folder, "runtime"),
      };
      const candidates = [
        OURS,
        ...(reference ? [reference] : []),
        ...(smoke ? [] : [...OTHER_HOSTS, ...OTHERS]),
      ];
      for (const candidate of candidates) {
        installed.push(await install(candidate, join(folder, String(installed.length))));
      }
      yield {
        name: "installed",
        columns: [
          { key: "megabytes", title: "MB", better: "less" },
          { key: "packages", title: "packages", better: "less" },
        ],
        rounds: 1,
        contenders: installed.map(({ name, ours, size }) => ({
          name,
          ours,
          measure: async () => size,
        })),
      };
      yield {
        name: "cold start, from the process to listening",
        note: "The clients of the sidecar and of the functions host are started without them.",
        columns: [
          { key: "start", title: "ms", better: "less" },
          { key: "memory", title: "MB of memory", better: "less" },
        ],
        contenders: installed.map((each) => starting(each, cloud)),
      };
    } finally {
      await cloud.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** By default npm retries for minutes, without a message, when it cannot reach its registry. */
const NPM = ["--prefer-offline", "--fetch-retries=0", "--loglevel=error"];

/** Checked first, because the error of a failed installation is misleading. */
async function reachRegistry(): Promise<void> {
  try {
    await run("npm", ["view", "fastify", "version", ...NPM]);
  } catch {
    throw new Error(
      "the compared packages come from npm's registry, which cannot be reached; see `npm view fastify`",
    );
  }
}

interface Installed {
  readonly name: string;
  readonly ours: boolean;
  readonly size: Sample;
  readonly program: string;
}

async function install(candidate: Candidate, folder: string): Promise<Installed> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), '{ "private": true }');
  const { runtime } = candidate;
  const packages = [...candidate.packages, ...(runtime ? [await packed(runtime, folder)] : [])];
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--omit=dev"];
  await run("npm", ["install", ...NPM, ...quiet, ...packages], { cwd: folder });
  const program = join(folder, "start.cjs");
  await writeFile(program, PRELUDE + candidate.program);
  return {
    name: candidate.name,
    ours: candidate.ours ?? false,
    size: await sizeOf(join(folder, "node_modules")),
    program,
  };
}

/** Packs the runtime as for publishing. */
async function packed(runtime: string, folder: string): Promise<string> {
  const args = ["pack", "--ignore-scripts", "--pack-destination", folder, "--json"];
  const { stdout } = await run("npm", args, { cwd: runtime });
  // An array until npm 10, an object since npm 11.
  const [{ filename }] = Object.values<{ filename: string }>(JSON.parse(stdout)) as [
    { filename: string },
  ];
  return join(folder, filename);
}

async function sizeOf(folder: string): Promise<Sample> {
  let bytes = 0;
  let packages = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    bytes += (await stat(path)).size;
    if (/node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+[\\/]package\.json$/.test(path)) packages += 1;
  }
  return { megabytes: bytes / 1e6, packages };
}

function starting({ name, ours, program }: Installed, cloud: LocalCloud): Contender {
  const env = {
    ...process.env,
    NODE_ENV: "production",
    TENANT: cloud.tenantId,
    CLIENT: "33333333-3333-4333-8333-333333333333",
    AUTHORITY: cloud.authorityHost,
  };
  return {
    name,
    ours,
    measure: async () => {
      const { stdout } = await run(process.execPath, [program], { env });
      return JSON.parse(stdout.trim().split("\n").at(-1) ?? "{}");
    },
  };
}
