import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

it("npm start of the exactly-once example ships each order once while it kills its services", async () => {
  const args = ["--import", "tsx", "examples/exactly-once/start.ts"];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toMatch(
    /200 orders, 200 shipped, 0 lost, 0 shipped twice; 3 processes killed, \d+ events delivered again\n$/,
  );
});
