import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import LongestFirst from "./test/support/longest-first.js";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Applies to all tests. */
const shared = {
  setupFiles: ["test/support/leave-nothing-behind.ts"],
  // Terraform, tsc and esbuild run for moments: collecting garbage takes a fifth of their time.
  env: { GOGC: "off", GOMEMLIMIT: "1GiB" },
  // These limits end what hangs, and are never reached on a busy machine.
  expect: { poll: { timeout: 120_000 } },
};

/** The last lines say which tests were skipped for lack of a program. */
const reporters = ["default", "./test/support/closing-lines.ts"];

/**
 * Optimizing PGlite's code takes longer than the tests that run it. Most objects of tests live for a moment,
 * so that with more memory for new objects, fewer have to be copied, and collected as old ones.
 */
const execArgv = ["--liftoff-only", "--max-semi-space-size=64"];

const quick = {
  include: ["test/**/*.test.ts"],
  exclude: ["**/node_modules/**", "**/*.full.test.ts"],
  ...shared,
  execArgv,
  testTimeout: 300_000,
  hookTimeout: 300_000,
};

/**
 * Loading modules takes longer than most tests, so a worker loads them once for all its files. These
 * files get a worker of their own, because they change it for the files after them.
 */
const isolated = [
  // One browser for all tests of the page.
  "test/local/dashboard/dashboard.test.ts",
];

/** `--mode full` runs the long tests, `*.full.test.ts`, instead of the others. */
export default defineConfig(({ mode }) => ({
  resolve: {
    // Tests import the sources instead of the build, so an edit can be tested at once.
    alias: [
      { find: /^cloud-eventgrid-binding$/, replacement: here("lib/index.ts") },
      { find: /^cloud-eventgrid\/routes$/, replacement: here("cli/src/plan/routes.ts") },
      { find: /^cloud-eventgrid-local$/, replacement: here("local/src/index.ts") },
      { find: /^cloud-eventgrid-binding-runtime$/, replacement: here("runtime/src/index.ts") },
      {
        find: /^cloud-eventgrid-binding-runtime\/(\w+)$/,
        replacement: here("runtime/src/$1/index.ts"),
      },
    ],
  },
  test:
    mode === "full"
      ? {
          include: ["test/**/*.full.test.ts"],
          reporters,
          globalSetup: "test/packages/packed-once.ts",
          ...shared,
          testTimeout: 600_000,
          hookTimeout: 300_000,
          // Some of them start a dozen processes. A third waits while two compute.
          maxWorkers: 3,
          sequence: { sequencer: LongestFirst },
          runner: "test/support/time-limit.ts",
        }
      : {
          reporters,
          // The next run loads what has not changed without transforming it.
          experimental: { fsModuleCache: true },
          projects: [
            {
              extends: true,
              test: {
                name: "shared",
                ...quick,
                exclude: [...quick.exclude, ...isolated],
                isolate: false,
              },
            },
            { extends: true, test: { name: "isolated", ...quick, include: isolated } },
          ],
          coverage: {
            // Code that only other processes run, such as the built commands, counts as not covered.
            include: ["lib/**/*.ts", "{runtime,local,cli}/src/**/*.ts"],
            reporter: ["text-summary", ["text-summary", { file: "summary.txt" }], "html", "lcov"],
          },
          // Vitest leaves one core free. Many tests wait for servers and other programs: one worker
          // waits while the others compute.
          maxWorkers: availableParallelism() + 1,
          sequence: { sequencer: LongestFirst },
        },
}));
