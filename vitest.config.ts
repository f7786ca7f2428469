import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Tests run on the sources, so that no build stands between an edit and its test. */
export const sources = [
  { find: /^cloud-eventgrid-binding$/, replacement: here("lib/index.ts") },
  { find: /^cloud-eventgrid-local$/, replacement: here("local/src/index.ts") },
  { find: /^cloud-eventgrid-binding-runtime$/, replacement: here("runtime/src/index.ts") },
  {
    find: /^cloud-eventgrid-binding-runtime\/document$/,
    replacement: here("runtime/src/binding/document/index.ts"),
  },
  {
    find: /^cloud-eventgrid-binding-runtime\/(\w+)$/,
    replacement: here("runtime/src/$1/index.ts"),
  },
];

export default defineConfig({
  resolve: { alias: sources },
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "test/**/*.full.test.ts"],
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
