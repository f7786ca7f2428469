// Bundles the dashboard into dist/app, which the package carries. It loads nothing from elsewhere.
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const source = import.meta.dirname;
const target = join(source, "../dist/app");

mkdirSync(target, { recursive: true });
await build({
  entryPoints: [join(source, "app.tsx"), join(source, "app.css")],
  outdir: target,
  bundle: true,
  minify: true,
  format: "esm",
  target: ["chrome123", "firefox120", "safari17.5"],
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "warning",
});
for (const file of ["index.html", "sign-in.html", "icon.svg"]) {
  copyFileSync(join(source, file), join(target, file));
}
