import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/project.js";

/** The text of a page of the documentation. */
export function pageText(name: string): string {
  return readFileSync(join(root, `docs/${name}.md`), "utf8");
}

/** The code blocks of a language below a heading of a page, or on the whole page. */
export function blocksIn(page: string, language: string, heading?: string): string[] {
  const [, below = ""] = heading === undefined ? ["", page] : page.split(`\n## ${heading}\n`);
  const section = heading === undefined ? below : (below.split(/^## /m)[0] ?? "");
  const blocks = section.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, "gm"));
  return [...blocks].map(([, code = ""]) => code);
}

/** The only code block of a language. */
export function blockIn(page: string, language: string, heading?: string): string {
  const [block, ...others] = blocksIn(page, language, heading);
  if (block === undefined || others.length > 0) {
    throw new Error(`expected one block of ${language}, found ${others.length + (block ? 1 : 0)}`);
  }
  return block;
}
