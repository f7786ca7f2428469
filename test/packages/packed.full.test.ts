import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { publint } from "publint";
import { beforeAll, describe, expect, it } from "vitest";
import { root } from "../support/project.js";
import { type EmptyProject, emptyProject, manifest, pack, publishedFolders } from "./packed.js";
import { packedPackages } from "./packed-once.js";

const run = promisify(execFile);

const packages = { binding: "", runtime: "", local: "" };

beforeAll(async () => {
  packages.binding = await pack(".");
  packages.runtime = await pack("runtime");
  packages.local = await pack("local");
});

it.each(publishedFolders)(
  "publint finds no problem in the packed package of %s",
  async (folder) => {
    const { buffer: tarball } = new Uint8Array(readFileSync(await pack(folder)));
    const { messages } = await publint({ pack: { tarball }, strict: true });
    expect(messages).toEqual([]);
  },
);

/** The specifiers in a package's `exports`. */
function subpaths(folder: string): string[] {
  const manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as {
    name: string;
    exports: Record<string, unknown>;
  };
  return Object.keys(manifest.exports)
    .filter((path) => path !== "./package.json")
    .map((path) => manifest.name + path.slice(1));
}

/** Requires and imports all specifiers, in one process each. */
async function expectRequireAndImport(project: EmptyProject, specifiers: string[]) {
  const print =
    "const empty = Object.entries(all).filter(([, m]) => !Object.keys(m).some((k) => k !== 'default' && k !== 'module.exports')); console.log(empty.map(([name]) => name).join());";
  const modules = (load: string) =>
    `const all = {}; for (const name of ${JSON.stringify(specifiers)}) all[name] = ${load}; ${print}`;
  expect(await project.node("r.cjs", modules("require(name)"))).toBe("");
  expect(await project.node("i.mjs", modules("await import(name)"))).toBe("");
}

const resolutions = {
  node10: { module: "commonjs", moduleResolution: "node10" },
  nodenext: { module: "nodenext", moduleResolution: "nodenext" },
  bundler: { module: "esnext", moduleResolution: "bundler" },
};

describe("npm run pack", () => {
  it("writes the published packages, which do not build themselves when installed", async () => {
    const folder = await packedPackages();
    const { version } = manifest(".");
    const files = publishedFolders.map((each) => `${manifest(each).name}-${version}.tgz`);
    expect(readdirSync(folder).sort()).toEqual(files.sort());
    expect(manifest(".").scripts).toHaveProperty("prepare");
    const args = ["-xzOf", `cloud-eventgrid-binding-${version}.tgz`, "package/package.json"];
    const { stdout } = await run("tar", args, { cwd: folder });
    expect(JSON.parse(stdout).scripts).not.toHaveProperty("prepare");
  });
});

describe("the packed runtime in an empty project", () => {
  let project: EmptyProject;
  beforeAll(async () => {
    project = emptyProject();
    await project.install(packages.runtime, "fastify@5");
    project.link("@types/node");
  });

  it("can be required and imported by every subpath", async () => {
    await expectRequireAndImport(project, subpaths("runtime"));
  });

  it("has no command", async () => {
    expect(existsSync(join(project.folder, "node_modules/.bin/cloud-eventgrid"))).toBe(false);
  });

  it("says which package component documents need", async () => {
    const code = `
      import { readComponentDocument } from "cloud-eventgrid-binding-runtime/document";
      try {
        readComponentDocument("{}");
      } catch (error) {
        console.log(error.message);
      }
    `;
    expect(await project.node("document.mjs", code)).toBe(
      "Component documents cannot be read or written: the package yaml is not installed: npm install yaml",
    );
  });

  it("does not install cdktf", () => {
    expect(existsSync(join(project.folder, "node_modules/cdktf"))).toBe(false);
    expect(existsSync(join(project.folder, "node_modules/@cdktf"))).toBe(false);
    expect(existsSync(join(project.folder, "node_modules/constructs"))).toBe(false);
  });

  it.each(Object.entries(resolutions))("has its types under %s resolution", async (_, options) => {
    const code = `
      import {
        bindingFromEnvironment,
        createListener,
        createPublisher,
        createWebhook,
        defineEvents,
        RejectEvent,
        type,
        type WebhookEndpoint,
      } from "cloud-eventgrid-binding-runtime";
      const binding = bindingFromEnvironment("ORDERS");
      const events = defineEvents({ "a.b": type<{ n: number }>() });
      createListener(binding, { events, on: { "a.b": ({ data }) => { if (data.n < 0) throw new RejectEvent("no"); } } });
      const publisher = createPublisher(binding, { events, source: "/a" });
      // @ts-expect-error: the payload's n is a number
      publisher.create({ type: "a.b", data: { n: "1" } });
      readComponentDocument;
    `;
    expect(
      await project.compile("use.ts", code, { ...options, types: ["node"], skipLibCheck: true }),
    ).toBe("");
  });
});

describe("the packed runtime in an Express service", () => {
  let project: EmptyProject;
  beforeAll(async () => {
    project = emptyProject({ overrides: {} });
    await project.install(packages.runtime, "express@5", "@types/express@5", "@types/node@20");
  });

  it("installs no Fastify, and compiles without skipLibCheck", async () => {
    const installed = readdirSync(join(project.folder, "node_modules"));
    expect(installed.filter((name) => /fastify|light-my-request|pino/.test(name))).toEqual([]);
    const code = `
      import { createServer } from "node:http";
      import express from "express";
      const binding = bindingFromEnvironment("ORDERS", { direction: "input" });
      const webhook: WebhookEndpoint = createWebhook(binding, { on: { "*": ({ id }) => console.log(id) } });
      createServer({ maxHeaderSize: 65_536 }, express().use(webhook.node)).listen(9000);
      export const POST: (request: Request) => Promise<Response> = webhook.fetch;
    `;
    const options = { ...resolutions.nodenext, types: ["node"], esModuleInterop: true };
    expect(await project.compile("use.ts", code, { ...options, skipLibCheck: false })).toBe("");
  });

  it("serves the webhook in Express, and with createListener", async () => {
    const code = `
      const { once } = require("node:events");
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
    expect(await project.node("serve.cjs", code)).toBe("401\n401");
  });
});

describe("the packed constructs in an empty project", () => {
  let project: EmptyProject;
  beforeAll(async () => {
    project = emptyProject();
    await project.install(packages.binding, packages.runtime);
    project.link("cdktf", "constructs", "@cdktf", "@types/node");
  });

  it("can be required and imported", async () => {
    await expectRequireAndImport(project, ["cloud-eventgrid-binding"]);
  });

  it("contain neither the documentation nor its images", () => {
    const folder = join(project.folder, "node_modules/cloud-eventgrid-binding");
    const others = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
      (file) => /\.(md|png|svg)$/.test(file) && !file.includes("node_modules"),
    );
    expect(others.toSorted()).toEqual(["CHANGELOG.md", "README.md"]);
  });

  it.each(Object.entries(resolutions))(
    "have their types under %s resolution",
    async (_, options) => {
      const code = `
      import { App, TerraformStack } from "cdktf";
      import { CloudEventGridTopic } from "cloud-eventgrid-binding";
      const stack = new TerraformStack(new App(), "s");
      const endpoint: string = new CloudEventGridTopic(stack, "t", {
        resourceGroupName: "g",
        location: "westeurope",
      }).endpoint;
      endpoint;
    `;
      expect(
        await project.compile("use.ts", code, { ...options, types: ["node"], skipLibCheck: true }),
      ).toBe("");
    },
  );
});

describe("the packed local Azure in an empty project", () => {
  let project: EmptyProject;
  beforeAll(async () => {
    project = emptyProject();
    await project.install(packages.local);
  });

  it("can be required and imported, and installs none of the other two packages", async () => {
    await expectRequireAndImport(project, ["cloud-eventgrid-local"]);
    expect(
      readdirSync(join(project.folder, "node_modules")).filter((name) => name.startsWith("cloud-")),
    ).toEqual(["cloud-eventgrid-local"]);
  });

  it("has types that compile with those of Node 20 and of Node 26, without skipLibCheck", async () => {
    const code = `
      import { LocalCloud } from "cloud-eventgrid-local";
      LocalCloud.start().then((cloud) => cloud.keys.published());
    `;
    const options = {
      ...resolutions.nodenext,
      types: ["node"],
      lib: ["es2022", "esnext.disposable"],
    };
    for (const types of ["@types/node@20", "@types/node@26"]) {
      await project.install(types);
      expect(await project.compile("use.ts", code, options)).toBe("");
    }
  });
});
