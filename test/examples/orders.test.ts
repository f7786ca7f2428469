import { describe, expect, it, onTestFinished, vi } from "vitest";
import { readFlags } from "../../examples/start/flags.js";
import { hasProgram } from "../support/programs.js";
import { expectSkippedTerraform, startOrders, WITHOUT_PROGRAMS } from "./orders-run.js";

it("npm start deploys with Terraform if there is one, and does every step in any case", async () => {
  if (!hasProgram("terraform")) {
    expectSkippedTerraform(await startOrders(WITHOUT_PROGRAMS));
    return;
  }
  const { TERRAFORM_PROVIDERS: providers } = process.env;
  const flags = providers === undefined ? [] : [`--providers=${providers}`];
  const output = await startOrders(process.env, ...flags);
  expect(output).toMatch(/plan {8}\d+ to add, 0 to change, 0 to destroy/);
  expect(output).toMatch(/plan {8}once more: 0 changes/);
  expect(output).toMatch(/plan {8}0 to add, 1 to change, 0 to destroy/);
});

describe("the flags of npm start", () => {
  it("leave Terraform out with --without-terraform", () => {
    expect(readFlags(["--without-terraform"])).toEqual({ providers: undefined, keep: false });
  });

  it.each([
    [["--bogus"], "Unknown option '--bogus'"],
    [["--providers=/nowhere"], 'not "/nowhere"'],
    [["--providers="], 'not ""'],
    [["--without-terraform", "--providers=registry"], "cannot be combined"],
  ])("are refused with the usage: %j", (flags, complaint) => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    const exit = vi.spyOn(process, "exit").mockImplementation((code) => {
      throw new Error(`exit code ${code}`);
    });
    onTestFinished(() => void [printed, exit].map((spy) => spy.mockRestore()));
    expect(() => readFlags(flags)).toThrow("exit code 2");
    expect(printed).toHaveBeenCalledWith(expect.stringContaining(complaint));
    expect(printed).toHaveBeenCalledWith(expect.stringContaining("npm start -- [flags]"));
  });
});
