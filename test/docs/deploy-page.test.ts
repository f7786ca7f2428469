import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { command } from "../cli/command.js";
import { root } from "../support/project.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const page = readFileSync(join(root, "docs/deploy.md"), "utf8");

it("publishes a type to which the project that docs/deploy.md generates subscribes", async () => {
  const [, options = ""] = /npm create cloud-eventgrid@latest orders -- (.*)/.exec(page) ?? [];
  const [, type] = /"type":"([^"]+)"/.exec(page) ?? [];
  const directory = temporaryFolder();
  const { exitCode } = await command(["init", "orders", ...options.split(" ")], { directory });
  expect(exitCode).toBe(0);
  expect(readFileSync(join(directory, "orders/src/events.ts"), "utf8")).toContain(`"${type}"`);
});
