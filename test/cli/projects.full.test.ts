import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../examples/start/free-port.js";
import { readConfiguration } from "../../local/src/cli/configuration.js";
import { testedVersions } from "../packages/package-managers.js";
import { packedPackages } from "../packages/packed-once.js";
import { buildImage } from "../support/container-image.js";
import { root } from "../support/project.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { containerAppOrigin, describeWithTerraform } from "../terraform/with-terraform.js";
import { command } from "./command.js";
import { DeployedProject } from "./deployed-project.js";
import { combinations, forLocalAzure } from "./generated-project.js";

const run = promisify(execFile);
const cdks = ["cdktf", "cdktn"] as const;
type Cdk = (typeof cdks)[number];

/** Projects of one cdk, which share one installation of their packages. */
const workspaces: Record<Cdk, string> = { cdktf: temporaryFolder(), cdktn: temporaryFolder() };
const component = readFileSync(
  join(root, "examples/from-component/components/orders.yaml"),
  "utf8",
);

beforeAll(async () => {
  const packed = await packedPackages();
  for (const cdk of cdks) {
    const folder = workspaces[cdk];
    const args = [
      "init",
      ".",
      "--name",
      "all",
      "--direction",
      "both",
      // With everything that a standalone project installs, and Fastify.
      "--app",
      "fastify",
      "--packages",
      packed,
      "--yes",
    ];
    const created = await command([...args, "--cdk", cdk], { directory: folder });
    expect(created.exitCode, created.error).toBe(0);
    const install = ["install", "--prefer-offline", "--no-audit", "--no-fund"];
    // A project has one server; the workspace needs those of all.
    const servers = ["express@5", "@types/express@5"];
    await run("npm", [...install, ...servers], { cwd: folder });
    writeFileSync(join(folder, "orders.yaml"), component);
  }
}, 600_000);

/** Generates a project beside the installed packages. Returns its folder. */
async function generate(cdk: Cdk, name: string, options: readonly string[]): Promise<string> {
  const folder = join(workspaces[cdk], name);
  const args = options[0] === "convert" ? [...options, "--out", name] : ["init", name, ...options];
  const yes = options[0] === "convert" ? [] : ["--yes"];
  const { exitCode, error } = await command([...args, ...yes, "--cdk", cdk], {
    directory: workspaces[cdk],
  });
  expect(exitCode, error).toBe(0);
  symlinkSync(join(workspaces[cdk], "node_modules"), join(folder, "node_modules"));
  return folder;
}

describe("every generated project", () => {
  it.each(cdks)("compiles and synthesizes with %s", async (cdk) => {
    const folders: string[] = [];
    for (const [i, options] of combinations.entries()) {
      folders.push(await generate(cdk, `all-${i}`, options));
    }
    const compilerOptions = {
      noEmit: true,
      noUnusedLocals: true,
      exactOptionalPropertyTypes: true,
    };
    const files = { extends: "./tsconfig.json", compilerOptions, include: ["all-*/**/*.ts"] };
    const workspace = workspaces[cdk];
    writeFileSync(join(workspace, "tsconfig.all.json"), JSON.stringify(files));
    const tsc = [join(workspace, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.all.json"];
    const compiled = await run(process.execPath, tsc, { cwd: workspace }).catch(
      (failure: { stdout: string }) => failure,
    );
    expect(compiled.stdout).toBe("");

    // One process, because loading a cdk and its providers takes longer than to synthesize.
    const program = `for (const folder of ${JSON.stringify(folders)}) {
      process.chdir(folder);
      await import(folder + "/main.ts");
    }`;
    writeFileSync(join(workspace, "synth-all.ts"), program);
    const env = { ...process.env, ...forLocalAzure };
    await run("npx", ["tsx", "synth-all.ts"], { cwd: workspace, env });
    for (const folder of folders) {
      const { stacks } = JSON.parse(readFileSync(join(folder, "cdktf.out/manifest.json"), "utf8"));
      expect(Object.keys(stacks)).toHaveLength(1);
    }
  });

  it("prints the variables that are missing, in synthesis and in the service", async () => {
    const folder = await generate("cdktf", "missing", ["--host", "container-apps"]);
    const failed = (args: string[]) =>
      run("npm", args, { cwd: folder, env: { PATH: process.env.PATH } }).then(
        () => "",
        ({ stderr }: { stderr: string }) => stderr,
      );
    expect(await failed(["run", "--silent", "synth"])).toBe(
      "Set ARM_TENANT_ID, ARM_SUBSCRIPTION_ID, IMAGE before you synthesize: README.md says how.\n",
    );
    await run("npm", ["run", "build"], { cwd: folder });
    const lines = (await failed(["start", "--silent"])).trim().split("\n");
    expect(lines).toContain("- MISSING_TENANT_ID is not set; it is required to receive events");
    expect(lines.filter((line) => line.includes(" at "))).toEqual([]);
  });

  it.each(["standalone", "express", "fastify"])(
    "prints one line when the port of its service is in use: %s",
    async (app) => {
      const used = createServer().listen(0);
      await once(used, "listening");
      const { port } = used.address() as AddressInfo;
      const folder = await generate("cdktn", `used-${app}`, ["--app", app, "--port", `${port}`]);
      await run("npm", ["run", "build"], { cwd: folder });
      const prefix = `USED_${app.toUpperCase()}`;
      const id = "11111111-1111-4111-8111-111111111111";
      const env = {
        PATH: process.env.PATH,
        [`${prefix}_TENANT_ID`]: id,
        [`${prefix}_CLIENT_ID`]: id,
        [`${prefix}_HANDSHAKE_PORT`]: `${port}`,
        [`${prefix}_WEBHOOK_PATH`]: "/api/events",
      };
      const started = run(process.execPath, ["dist/start.js"], { cwd: folder, env });
      const { code, stderr } = await started.catch((error) => error);
      used.close();
      expect(code).toBe(1);
      expect(stderr).toMatch(/^[^\n]*in use[^\n]*\n$/);
    },
  );
});

describeWithTerraform("a generated project, deployed to a local Azure", () => {
  let deployed: DeployedProject | undefined;
  afterEach(async () => {
    await deployed?.stop();
    deployed = undefined;
  });

  async function built(cdk: Cdk, name: string, options: readonly string[]): Promise<string> {
    const folder = await generate(cdk, name, options);
    await run("npm", ["test"], { cwd: folder });
    await run("npm", ["run", "build"], { cwd: folder });
    return folder;
  }

  /** Deploys the project, starts its service and creates its event subscription. */
  async function receiving(
    folder: string,
    origin: string,
    prepare?: (cloud: DeployedProject["cloud"]) => void,
  ) {
    deployed = await DeployedProject.start(folder, prepare);
    const { cloud } = deployed;
    const port = Number(/"(\d+)"/.exec(/handshakePort: .*/.exec(sources(folder))?.[0] ?? "")?.[1]);
    for (const each of [origin, "https://events.example.com"]) {
      cloud.ingress.route(each, `http://127.0.0.1:${port}`);
    }
    const outputs = await deployed.deploy({ SUBSCRIBED: "no" });
    await deployed.serve(outputs, port);
    return { project: deployed, cloud, outputs: await deployed.deploy() };
  }

  /** Publishes an event to the only topic. */
  async function publish(cloud: DeployedProject["cloud"], type: string): Promise<void> {
    const [topic] = cloud.topics.list();
    await send(topic?.endpoint ?? "", { "aeg-sas-key": topic?.publishKey ?? "" }, type);
  }

  async function send(url: string, key: Record<string, string>, type: string): Promise<void> {
    const { status } = await fetch(url, {
      method: "POST",
      headers: { ...key, "content-type": "application/cloudevents+json" },
      body: JSON.stringify({
        specversion: "1.0",
        id: "1",
        source: "/test",
        type,
        data: { id: "1" },
      }),
    });
    expect(status).toBe(200);
  }

  // Each choice occurs in one of these. Every combination is compiled and synthesized above.
  it.each([
    ["cdktf", "receive", "topic", "standalone", "none"],
    ["cdktn", "both", "storage", "fastify", "container-apps"],
    ["cdktf", "both", "topic", "express", "kubernetes"],
  ] as const)(
    "receives an event: %s, %s, %s, %s, %s",
    async (cdk, direction, source, app, host) => {
      const name = `${source}-${host}`;
      const options = ["--direction", direction, "--source", source, "--app", app, "--host", host];
      const port = String(await freePort());
      const folder = await built(cdk, name, [...options, "--port", port]);
      const isApp = host === "container-apps";
      const { project, cloud, outputs } = await receiving(
        folder,
        isApp ? containerAppOrigin(name) : "https://orders.example.com",
      );
      if (source === "topic") await publish(cloud, `com.example.${name}.created`);
      else {
        const scope = String(outputs.storage_account_id);
        const subject = "/blobServices/default/containers/uploads/blobs/1.json";
        await cloud.emit("Microsoft.Storage.BlobCreated", { scope, subject });
      }
      await cloud.drain();
      expect(cloud.deliveries()).toMatchObject([{ outcome: "delivered" }]);
      const message = source === "topic" ? "event received" : "blob created";
      await expect.poll(() => project.log).toContain(message);
      await project.destroy();
      expect([...cloud.topics.list(), ...cloud.eventSubscriptions.list()]).toEqual([]);
    },
  );

  it("pulls an event: cdktn, container-apps", async () => {
    const port = await freePort();
    const options = ["--pull", "--host", "container-apps", "--port", String(port)];
    const folder = await built("cdktn", "pulled", options);
    deployed = await DeployedProject.start(folder);
    const { cloud } = deployed;
    // The local Azure runs no containers, so the test runs the service.
    await deployed.serve(await deployed.deploy(), port, cloud.proxyEnvironment());
    const [namespace] = cloud.namespaces.list();
    const url = `${namespace?.endpoint}/topics/pulled:publish?api-version=2024-06-01`;
    const key = { authorization: `SharedAccessKey ${namespace?.accessKey}` };
    await send(url, key, "com.example.pulled.created");
    await expect.poll(() => deployed?.log).toContain("event received");
    await deployed.destroy();
    expect(cloud.namespaces.list()).toEqual([]);
  });

  it("publishes an event", async () => {
    const folder = await built("cdktf", "published", ["--direction", "publish"]);
    deployed = await DeployedProject.start(folder);
    const outputs = await deployed.deploy();
    const identity = deployed.cloud.identityEnvironment("published");
    expect(await deployed.publish(outputs, identity)).toMatch(/^published /);
    const [topic] = deployed.cloud.topics.list();
    expect(topic?.events()).toMatchObject([{ type: "com.example.published.created" }]);
    await deployed.destroy();
    expect(deployed.cloud.topics.list()).toEqual([]);
  });

  it("receives an event in the place of a component", async () => {
    const file = join(workspaces.cdktn, "orders.yaml");
    writeFileSync(file, component.replace('"9000"', `"${await freePort()}"`));
    const options = ["--app", "fastify", "--event-type", "shop.order.placed"];
    const folder = await built("cdktn", "converted", ["convert", file, ...options]);
    const { project, cloud } = await receiving(folder, "https://events.example.com", (local) => {
      // As `npm run azure` does.
      const configuration = readConfiguration(join(folder, "cloud-eventgrid-local.json"));
      for (const topic of configuration.topics ?? []) local.topics.create(topic);
      for (const each of configuration.applications ?? []) local.applications.create(each);
    });
    await publish(cloud, "shop.order.placed");
    await cloud.drain();
    expect(cloud.deliveries()).toMatchObject([{ outcome: "delivered" }]);
    await expect.poll(() => project.log).toContain("event received");
    await project.destroy();
    expect(cloud.eventSubscriptions.list()).toEqual([]);
  });
});

describe("the image of a generated project", () => {
  it("contains compiled code and production dependencies only, and runs as a numeric user", async () => {
    const options = ["--host", "kubernetes", "--packages", await packedPackages()];
    const folder = await generate("cdktf", "image", options);
    // npm would follow the link.
    rmSync(join(folder, "node_modules"));
    // The stack, which is no part of the image, needs 300 MB of providers.
    const file = join(folder, "package.json");
    const manifest = JSON.parse(readFileSync(file, "utf8"));
    for (const name of Object.keys(manifest.devDependencies)) {
      if (/cdktf|^cloud-eventgrid-binding$/.test(name)) delete manifest.devDependencies[name];
    }
    Object.assign(manifest, { overrides: { ...manifest.overrides, ...testedVersions } });
    writeFileSync(file, JSON.stringify(manifest));
    await run("npm", ["install", "--package-lock-only", "--prefer-offline"], { cwd: folder });
    const dockerfile = readFileSync(join(folder, "Dockerfile"), "utf8");
    const image = await buildImage(dockerfile, folder);
    const names = JSON.stringify(Object.keys(manifest.dependencies));
    const program = `for (const name of ${names}) require(name);
      try { require("typescript"); console.log("typescript"); } catch { console.log("none"); }`;
    const { stdout } = await run(process.execPath, ["-e", program], { cwd: image.folder });
    expect(stdout).toBe("none\n");
    expect(image.command).toEqual(["node", "dist/start.js"]);
    const deployment = readFileSync(join(folder, "manifests/image.yaml"), "utf8");
    expect(deployment).toContain(`runAsUser: ${image.user}\n`);
  });
});

function sources(folder: string): string {
  return ["stack.ts", "component.ts"]
    .map((file) => {
      try {
        return readFileSync(join(folder, file), "utf8");
      } catch {
        return "";
      }
    })
    .join("\n");
}
