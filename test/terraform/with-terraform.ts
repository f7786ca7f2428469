import { describe, it } from "vitest";
import { findTerraform } from "../stand-ins/src/index.js";

/**
 * A `describe` whose tests run the Terraform program. Where there is none they are skipped with a
 * message, except on a build machine (`CI=true`), which has to have it.
 */
export function describeWithTerraform(name: string, tests: () => void): void {
  if (findTerraform() !== undefined) {
    describe(name, tests);
  } else if (process.env.CI === "true") {
    it(`${name}: needs the terraform program on the PATH`, () => {
      throw new Error("CI=true, and there is no program named terraform on the PATH");
    });
  } else {
    describe.skip(`${name} (skipped: there is no program named terraform on the PATH)`, tests);
  }
}
