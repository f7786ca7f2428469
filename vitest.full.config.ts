import { defineConfig } from "vitest/config";
import { sources } from "./vitest.config.js";

/** The tests that take longer than a developer wants to wait at every change. */
export default defineConfig({
  resolve: { alias: sources },
  test: {
    include: ["test/**/*.full.test.ts"],
    testTimeout: 600_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
