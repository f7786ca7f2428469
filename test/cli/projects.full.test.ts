import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../support/project.js";
import { command } from "./command.js";
import { expectWorkingProject } from "./generated-project.js";
import { directoryWith } from "./temporary.js";

describe("a project of cloud-eventgrid init compiles, synthesizes and passes its test", () => {
  it.each([
    ["--direction publish"],
    ["--direction both --host container-apps"],
    ["--direction receive --source storage --app fastify --host kubernetes"],
  ])("with %s", async (options) => {
    const directory = directoryWith();
    const args = ["init", "orders", "--yes", ...options.split(" ")];
    expect((await command(args, { directory })).exitCode).toBe(0);
    await expectWorkingProject(join(directory, "orders"));
  });
});

describe("a project of cloud-eventgrid convert compiles, synthesizes and passes its test", () => {
  it.each([["orders-earlier.yaml", "--event-type", "shop.order.placed", "--app", "fastify"]])(
    "from %s with %s",
    async (file, ...options) => {
      const text = readFileSync(join(root, "examples/from-component/components", file), "utf8");
      const directory = directoryWith({ [file]: text });
      const args = ["convert", file, "--out", "shop", ...options];
      expect((await command(args, { directory })).exitCode).toBe(0);
      await expectWorkingProject(join(directory, "shop"));
    },
  );
});
