import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { root } from "../support/project.js";

it("the reports of the public API in tools/api/ are current", async () => {
  const check = promisify(execFile)(process.execPath, ["tools/api/report.mjs", "--check"], {
    cwd: root,
  });
  const { stderr } = await check.catch((failure: { stderr: string }) => failure);
  expect(stderr).toBe("");
});
