import { describe, it } from "vitest";
import { hasProgram, isLeftOut, type Program } from "./programs.js";

/**
 * A `describe` whose tests run a program. They are skipped if it is not installed; a line after all
 * tests says so. On a build machine (`CI=true`) they fail, unless `SKIP` lists the program.
 */
export function describeWith(
  program: Program,
  name: string,
  tests: () => void,
  options: { readonly timeout?: number } = {},
): void {
  if (hasProgram(program)) describe(name, options, tests);
  else if (isMissed(program)) fail(program, name);
  else describe.skip(name, tests);
}

/** The same for a single test. */
export function itWith(program: Program, name: string, test: () => Promise<void>): void {
  if (hasProgram(program)) it(name, test);
  else if (isMissed(program)) fail(program, name);
  else it.skip(name, test);
}

/** Whether a build machine lacks a program that nobody left out. */
export function isMissed(program: Program): boolean {
  return process.env.CI === "true" && !hasProgram(program) && !isLeftOut(program);
}

function fail(program: Program, name: string): void {
  it(`${name} needs ${program}`, () => {
    throw new Error(`CI=true, but ${program} is not installed`);
  });
}
