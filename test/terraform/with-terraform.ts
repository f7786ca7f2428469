import { describe, it } from "vitest";
import { findTerraform, providerSource } from "../stand-ins/src/index.js";

/** The same lifecycles can be lived through with the real providers. */
export const source = providerSource(process.env.TERRAFORM_PROVIDERS ?? "stand-ins");

/** Generous for a busy machine; real providers pause for minutes between their questions. */
const options = { timeout: source === "stand-ins" ? 120_000 : 1_800_000 };

/**
 * A `describe` whose tests run the Terraform program. Where there is none they are skipped with a
 * message, except on a build machine (`CI=true`), which has to have it.
 */
export function describeWithTerraform(name: string, tests: () => void): void {
  if (findTerraform() !== undefined) {
    describe(name, options, tests);
  } else if (process.env.CI === "true") {
    it(`${name}: needs the terraform program on the PATH`, () => {
      throw new Error("CI=true, and there is no program named terraform on the PATH");
    });
  } else {
    console.warn(`${name}: skipped, there is no program named terraform on the PATH`);
    describe.skip(name, tests);
  }
}
