import { describe, it } from "vitest";
import { isOnPath, type Program } from "./programs.js";

/**
 * A `describe` whose tests run a program. They are skipped if it is not on the `PATH`; a line after
 * all tests says so. On a build machine (`CI=true`) they fail, unless `SKIP` lists the program.
 */
export function describeWith(
  program: Program,
  name: string,
  tests: () => void,
  { timeout = 30_000 } = {},
): void {
  if (isOnPath(program)) {
    describe(name, { timeout }, tests);
  } else if (process.env.CI === "true" && !process.env.SKIP?.split(",").includes(program)) {
    it(`${name} needs ${program}`, () => {
      throw new Error(`CI=true, but ${program} is not on the PATH`);
    });
  } else {
    describe.skip(name, tests);
  }
}
