import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { contributing, sections } from "../pages.mjs";

const pages = fileURLToPath(new URL("../../../.cache/site", import.meta.url));
const repository = "https://github.com/cloud-eventgrid/cloud-eventgrid-binding";

const base = process.env.DOCS_BASE ?? "/";

export default defineConfig({
  title: "cloud-eventgrid-binding",
  description: "Azure Event Grid bindings in TypeScript: infrastructure, runtime and a local Azure",
  base,
  head: [["link", { rel: "icon", type: "image/svg+xml", href: `${base}logo.svg` }]],
  srcDir: pages,
  cacheDir: "../../.cache/vitepress",
  outDir: "./dist",
  cleanUrls: true,
  vite: { build: { chunkSizeWarningLimit: 4_000 } },
  markdown: {
    // `{name}` at the end of a cell is text.
    attrs: { disable: true },
    anchor: { slugify: githubAnchor },
    config: breakLongCode,
  },
  themeConfig: {
    logo: "/logo.svg",
    nav: [
      { text: "Guide", link: "/quick-start" },
      { text: "Reference", link: "/reference/" },
      { text: "Changes", link: "/changelog" },
      { text: "Contribute", link: "/contributing" },
    ],
    sidebar: {
      "/reference/": referenceSidebar(),
      "/contributing": contributing.map(sidebarPage),
      "/": guideSidebar(),
    },
    outline: [2, 3],
    search: {
      provider: "local",
      options: {
        detailedView: true,
        miniSearch: { searchOptions: { boostDocument: guideFirst } },
      },
    },
    socialLinks: [{ icon: "github", link: repository }],
  },
});

/** The anchors that GitHub gives to headings, so that links work in both places. */
function githubAnchor(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

/** Lists what the guide says before the same words in the reference and in contributors' pages. */
function guideFirst(path) {
  return /\/(reference|contributing|changelog)\b/.test(path) ? 0.2 : 1;
}

/** Lets long names and paths in code font wrap at their dots, slashes, capitals and commas. */
function breakLongCode(md) {
  const render = md.renderer.rules.code_inline;
  md.renderer.rules.code_inline = (...args) =>
    render(...args).replace(
      /(<code[^>]*>)([\s\S]*)(<\/code>)/,
      (_, open, text, close) =>
        open + text.replace(/([./_](?=\w)|,(?=&quot;)|[a-z](?=[A-Z]))/g, "$1<wbr>") + close,
    );
}

function guideSidebar() {
  const listed = [...sections.flatMap(({ pages }) => pages), ...contributing].map(
    (path) => `${path}.md`,
  );
  const written = readdirSync(pages, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".md") && !file.startsWith("reference/") && file !== "index.md",
  );
  const missing = written.filter((file) => !listed.includes(file));
  if (missing.length > 0) throw new Error(`add to tools/site/pages.mjs: ${missing.join(", ")}`);
  return sections.map(({ text, pages }) => ({ text, items: pages.map(sidebarPage) }));
}

function sidebarPage(path) {
  return { text: heading(path), link: `/${path}` };
}

/** The first heading of a page: the sidebar and the page have one title. */
function heading(path) {
  return /^# (.+)$/m.exec(readFileSync(`${pages}/${path}.md`, "utf8"))[1];
}

function referenceSidebar() {
  const packages = JSON.parse(readFileSync(`${pages}/reference/navigation.json`, "utf8"));
  return packages.map((module) => ({ ...sidebarItem(module), collapsed: true }));
}

function sidebarItem({ title, path, children }) {
  return {
    text: title,
    ...(path ? { link: `/reference/${path.replace(/\.md$/, "").replace(/index$/, "")}` } : {}),
    ...(children ? { collapsed: true, items: children.map(sidebarItem) } : {}),
  };
}
