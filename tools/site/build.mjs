/**
 * Builds the documentation site into `tools/site/dist`: `npm run docs`, or `npm run docs -- --serve` for a
 * preview that reloads.
 *
 * 1. TypeDoc writes a page for every exported name, from the doc comments.
 * 2. The pages of `docs` are copied next to them, with links that work on the site and tabs, and
 *    into one text file.
 * 3. VitePress builds the site. It fails on links to missing pages.
 * 4. All anchors of the built pages are checked.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { brokenLinks } from "./check-links.mjs";
import { writeLlms } from "./llms.mjs";
import { withTabs } from "./tabs.mjs";

const site = fileURLToPath(new URL(".", import.meta.url));
const root = join(site, "../..");
const pages = join(root, ".cache/site");
const repository = "https://github.com/cloud-eventgrid/cloud-eventgrid-binding/blob/main";

rmSync(pages, { recursive: true, force: true });
mkdirSync(pages, { recursive: true });
writeReference();
copyPages();

if (process.argv.includes("--serve")) {
  run("vitepress", "bin/vitepress.js", "dev", site);
} else {
  run("vitepress", "bin/vitepress.js", "build", site);
  const broken = brokenLinks(join(site, "dist"));
  for (const problem of broken) console.error(problem);
  if (broken.length > 0) process.exit(1);
}

function writeReference() {
  run("typedoc", "bin/typedoc", "--options", join(site, "typedoc.json"));
}

/** Copies the pages of `docs` and those in the root that they link to. */
function copyPages() {
  cpSync(join(root, "docs/images"), join(pages, "public/images"), { recursive: true });
  cpSync(join(root, "bench/results"), join(pages, "public/images"), {
    recursive: true,
    filter: (file) => !file.endsWith(".json"),
  });
  const docs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" });
  for (const file of docs.filter((name) => name.endsWith(".md"))) copyPage(`docs/${file}`, file);
  copyPage("CHANGELOG.md", "changelog.md");
  copyPage("CONTRIBUTING.md", "contributing.md");
  cpSync(join(site, "logo.svg"), join(pages, "public/logo.svg"));
  writeLlms(pages);
  writeFileSync(join(pages, "index.md"), homePage());
}

/** The home page, with the definition, the stack and the service of the README. */
function homePage() {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  return readFileSync(join(site, "index.md"), "utf8").replace(/^@(\S+)$/gm, (_, file) => {
    const block = new RegExp(`^\`\`\`ts\n// ${file}\\b.*\n([\\s\\S]*?)^\`\`\`$`, "m").exec(readme);
    if (!block) throw new Error(`README.md has no code of ${file}, which the home page shows`);
    return `\`\`\`ts [${file}]\n${block[1]}\`\`\``;
  });
}

/** Where a file of the repository is on the site; undefined if it is only in the repository. */
function onSite(file) {
  const name = posix.basename(file);
  if (file.startsWith("bench/results/")) return `/images/${name}`;
  if (file.startsWith("docs/")) return file.slice("docs".length);
  if (file === "CHANGELOG.md" || file === "CONTRIBUTING.md") return `/${file.toLowerCase()}`;
  return undefined;
}

function copyPage(source, target) {
  const text = readFileSync(join(root, source), "utf8");
  const linked = withTabs(text)
    .split(/^(```[\s\S]*?^```$)/m)
    .map((part, index) => (index % 2 === 1 ? part : withLinks(part, posix.dirname(source))))
    .join("");
  mkdirSync(dirname(join(pages, target)), { recursive: true });
  writeFileSync(join(pages, target), linked);
}

/** Rewrites relative links, which are those of the repository. */
function withLinks(text, folder) {
  return text.replace(/\]\(([^)\s]+)\)/g, (link, address) => {
    if (/^(#|[a-z]+:)/.test(address)) return link;
    const [path, anchor] = address.split("#");
    const file = posix.join(folder, path);
    return `](${onSite(file) ?? `${repository}/${file}`}${anchor ? `#${anchor}` : ""})`;
  });
}

/** Runs a program of one of the packages that are installed here. */
function run(name, program, ...args) {
  const file = join(site, "node_modules", name, program);
  execFileSync(process.execPath, [file, ...args], { cwd: root, stdio: "inherit" });
}
