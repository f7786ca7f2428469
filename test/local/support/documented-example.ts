import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../support/project.js";

const page = readFileSync(join(root, "docs/local-azure-clients.md"), "utf8");

/** The first code block below a heading of the page about clients of the local Azure. */
export function exampleBelow(heading: string, language: string): string {
  const [, section = ""] = page.split(`\n## ${heading}\n`);
  const block = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(section)?.[1];
  if (block === undefined) throw new Error(`No example below "${heading}"`);
  return block;
}
