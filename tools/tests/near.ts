import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { testsNearest } from "./nearest.js";

/** `npm run test:near -- <source file>…` runs the tests that stand nearest to these files. */

const root = fileURLToPath(new URL("../..", import.meta.url));
const paths = process.argv.slice(2);
const missing = paths.filter((path) => !existsSync(path));
if (paths.length === 0 || missing.length > 0) {
  console.error(
    missing.length > 0
      ? `There is no ${missing.join(", ")}.`
      : "Name the files that you changed: npm run test:near -- runtime/src/listener/authentication/token.ts",
  );
  process.exit(1);
}

const sources = paths.map((path) => relative(root, resolve(path)).replaceAll(sep, "/"));
const tests = [...new Set(sources.flatMap(testsNearest))];
if (tests.length === 0) {
  console.error(`No test stands near ${sources.join(", ")}.`);
  process.exit(1);
}
console.log(`Runs ${tests.join(" ")}`);
const vitest = fileURLToPath(new URL("../../node_modules/vitest/vitest.mjs", import.meta.url));
spawn(process.execPath, [vitest, "run", ...tests], { cwd: root, stdio: "inherit" }).on(
  "close",
  (code) => process.exit(code ?? 1),
);
