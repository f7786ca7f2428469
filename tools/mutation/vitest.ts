import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { createVitest, type InlineConfig, type Vitest } from "vitest/node";
import config from "../../vitest.config.mjs";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Creates a Vitest of one project that runs the quick tests in one process.
 *
 * @param textOf - what a module contains instead of the file's text
 */
export async function vitestWith(
  textOf: (path: string) => string | undefined,
  options: InlineConfig,
): Promise<Vitest> {
  const { resolve } = await config({ mode: "test", command: "serve" });
  const mutation: Plugin = { name: "mutation", enforce: "pre", load: (id) => textOf(id) ?? null };
  return createVitest(
    "test",
    {
      root,
      config: false,
      watch: false,
      include: ["test/**/*.test.ts"],
      exclude: ["**/node_modules/**", "**/*.full.test.ts"],
      setupFiles: ["test/support/leave-nothing-behind.ts"],
      isolate: false,
      fileParallelism: false,
      update: "none",
      // A mutant that waits for ever must not cost minutes.
      testTimeout: 20_000,
      hookTimeout: 20_000,
      teardownTimeout: 1_000,
      expect: { poll: { timeout: 10_000 } },
      reporters: [{}],
      ...options,
    },
    { resolve: resolve ?? {}, plugins: [mutation], logLevel: "silent" },
  );
}
