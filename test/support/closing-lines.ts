import type { SerializedError } from "vitest";
import type { Reporter, TestModule } from "vitest/node";
import { hasProgram, type Program, programs } from "./programs.js";

/** Prints last which programs the skipped tests need, and how many tests passed, failed and were skipped. */
export default class ClosingLines implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      // A file that cannot be loaded, or a hook that fails, is an error without a test.
      const suites = [module, ...module.children.allSuites()];
      for (const suite of suites) count.failed += suite.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        count[state === "pending" ? "skipped" : state] += 1;
      }
    }
    if (count.skipped > 0) {
      for (const [program, url] of Object.entries(programs) as [Program, string][]) {
        if (!hasProgram(program)) {
          console.log(`Skipped all tests that need ${program}, which is not installed: ${url}`);
        }
      }
    }
    console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  }
}
