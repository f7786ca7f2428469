import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What is polled for comes soon, except on a machine that is busy. */
const patient = { poll: { timeout: 10_000 } };

/** `--mode full` runs the tests that take longer than one wants to wait at every change. */
export default defineConfig(({ mode }) => ({
  resolve: {
    // Tests run on the sources, so that no build stands between an edit and its test.
    alias: [
      { find: /^cloud-eventgrid-binding$/, replacement: here("lib/index.ts") },
      { find: /^cloud-eventgrid-local$/, replacement: here("local/src/index.ts") },
      { find: /^cloud-eventgrid-binding-runtime$/, replacement: here("runtime/src/index.ts") },
      {
        find: /^cloud-eventgrid-binding-runtime\/document$/,
        replacement: here("runtime/src/binding/document/index.ts"),
      },
      {
        find: /^cloud-eventgrid-binding-runtime\/internal$/,
        replacement: here("runtime/src/internal.ts"),
      },
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
          testTimeout: 600_000,
          hookTimeout: 120_000,
          expect: patient,
          fileParallelism: false,
        }
      : {
          include: ["test/**/*.test.ts"],
          exclude: ["**/node_modules/**", "**/*.full.test.ts"],
          testTimeout: 30_000,
          hookTimeout: 30_000,
          expect: patient,
        },
}));
