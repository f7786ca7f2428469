import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

/** Links of a built site to pages, files or anchors that do not exist, each with a page that has it. */
export function brokenLinks(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const pages = new Map(
    files
      .filter((file) => file.endsWith(".html"))
      .map((file) => [file, readFileSync(join(folder, file), "utf8")]),
  );
  const anchors = new Map([...pages].map(([file, html]) => [file, idsOf(html)]));
  const base = baseOf(pages.get("index.html") ?? "");

  const broken = new Map();
  for (const [file, html] of pages) {
    for (const link of new Set(linksOf(html))) {
      if (!broken.has(link) && !exists(link, file)) broken.set(link, file);
    }
  }
  return [...broken].map(([link, file]) => `${file}: broken link ${link}`);

  function exists(link, from) {
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? from : fileOf(path, from);
    if (!existsSync(join(folder, target))) return false;
    const ids = anchors.get(target);
    return !anchor || ids === undefined || ids.has(decodeURIComponent(anchor));
  }

  function fileOf(path, from) {
    const decoded = decodeURIComponent(path);
    const file = decoded.startsWith("/")
      ? decoded.slice(base.length)
      : posix.join(posix.dirname(from), decoded);
    if (file === "" || file.endsWith("/")) return `${file}index.html`;
    return files.includes(file) ? file : `${file}.html`;
  }
}

function idsOf(html) {
  return new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => withoutEntities(id)));
}

function linksOf(html) {
  return [...html.matchAll(/<(?:a|img) [^>]*(?:href|src)="([^"]+)"/g)]
    .map(([, link]) => withoutEntities(link))
    .filter((link) => !/^([a-z]+:|\/\/)/.test(link));
}

/** The path that the site is served below, from its own style sheet. */
function baseOf(html) {
  return /href="(\/[^"]*?)assets\//.exec(html)?.[1] ?? "/";
}

function withoutEntities(text) {
  return text.replaceAll("&amp;", "&").replaceAll("&#39;", "'").replaceAll("&quot;", '"');
}
