import { describe, it } from "vitest";
import { isOnPath, type Program } from "./programs.js";

/**
 * A `describe` whose tests run a program. They are skipped if it is not on the `PATH`, but fail on a
 * build machine (`CI=true`). A line after all tests says which programs were missing.
 */
export function describeWith(
  program: Program,
  name: string,
  tests: () => void,
  { timeout = 30_000 } = {},
): void {
  if (isOnPath(program)) {
    describe(name, { timeout }, tests);
  } else if (process.env.CI === "true") {
    it(`${name} needs ${program}`, () => {
      throw new Error(`CI=true, but ${program} is not on the PATH`);
    });
  } else {
    describe.skip(name, tests);
  }
}
