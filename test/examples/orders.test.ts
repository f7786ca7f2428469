import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { describeWithTerraform } from "../terraform/with-terraform.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

/** What `npm start` prints, once built. It fails when the story does not end as it should. */
async function start(env: NodeJS.ProcessEnv, ...flags: string[]): Promise<string> {
  const tsx = join(root, "node_modules/tsx/dist/cli.mjs");
  const args = [tsx, "examples/orders/start.ts", ...flags];
  const { stdout } = await run(process.execPath, args, { cwd: root, env });
  return stdout;
}

const ESCAPE = String.fromCharCode(27);

function expectTheStory(told: string): void {
  const story = [
    /handshake {3}OPTIONS https:\/\/orders\.example\.com\/api\/events → 200, webhook consents/,
    /publish {5}shop\.order\.placed orders\/17 \(teapot\), accepted as [0-9a-f-]{36}/,
    /service {5}shipped order 17, brought by verified caller 4962773b-9cdb-44cf-a8bf-237846a00ab7/,
    /delivery {4}shop\.order\.placed orders\/18 → 503, retrying/,
    /delivery {4}shop\.order\.placed orders\/18, attempt 2 → 200, delivered/,
    /intruder {4}no token → 401/,
    /intruder {4}a forged token → 401/,
    /intruder {4}an expired token → 401/,
    /destroy {5}nothing is left/,
    /result {6}all as it should be/,
  ];
  for (const event of story) expect(told).toMatch(event);
  expect(told, "colours are for terminals").not.toContain(ESCAPE);
}

describeWithTerraform("npm start, with Terraform", () => {
  it("plans, applies, plans nothing more, updates and destroys around the story", async () => {
    const told = await start(process.env);
    expectTheStory(told);
    expect(told).toMatch(/plan {8}\d+ to add, 0 to change, 0 to destroy/);
    expect(told).toMatch(/plan {8}once more: 0 changes/);
    expect(told).toMatch(/plan {8}0 to add, 1 to change, 0 to destroy/);
  }, 180_000);
});

describe("npm start, without Terraform", () => {
  it("says where to get it, and creates the subscription from what was synthesized", async () => {
    const told = await start({ ...process.env, PATH: "/nowhere" });
    expectTheStory(told);
    expect(told).toContain(
      "terraform   not on the PATH (https://developer.hashicorp.com/terraform/install): going on without it",
    );
  }, 180_000);

  it("leaves it out when asked to", async () => {
    const told = await start(process.env, "--without-terraform");
    expectTheStory(told);
    expect(told).toContain("terraform   left out, as asked");
  }, 180_000);
});

describe("npm start, asked for what it does not know", () => {
  it.each([
    [["--bogus"], "Unknown option '--bogus'"],
    [["--providers=/nowhere"], 'not "/nowhere"'],
    [["--providers="], 'not ""'],
    [["--without-terraform", "--providers=registry"], "exclude each other"],
  ])("%j: says so, and how it is used", async (flags, complaint) => {
    const failure: unknown = await start(process.env, ...flags).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 2, stderr: expect.stringContaining(complaint) });
    expect(failure).toMatchObject({ stderr: expect.stringContaining("npm start -- [flags]") });
  });
});
