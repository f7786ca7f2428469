// Bundles the dashboard into dist/app, which the package carries. It loads nothing from elsewhere.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const source = import.meta.dirname;
const target = join(source, "../dist/app");

mkdirSync(target, { recursive: true });
const { metafile } = await build({
  entryPoints: [join(source, "app.tsx"), join(source, "app.css")],
  outdir: target,
  bundle: true,
  minify: true,
  format: "esm",
  target: ["chrome123", "firefox120", "safari17.5"],
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "warning",
  metafile: true,
});
for (const file of ["index.html", "sign-in.html", "icon.svg"]) {
  copyFileSync(join(source, file), join(target, file));
}

// The licences of the packages in the bundle, which ask for it.
const packages = Object.keys(metafile.inputs).flatMap(
  (input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? [],
);
const notices = [...new Set(packages)].sort().map((folder) => {
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const license = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  if (license === undefined) throw new Error(`${name} has no licence text`);
  return `${name} ${version}\n\n${readFileSync(join(folder, license), "utf8").trim()}\n`;
});
writeFileSync(join(target, "NOTICE.txt"), notices.join("\n\n"));
