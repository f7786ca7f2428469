import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sections } from "./pages.mjs";

/**
 * Writes the guide for language models: `llms.txt` lists the pages (the format of llmstxt.org), and
 * `llms-full.txt` holds all of them.
 *
 * @param pages folder of the copied pages
 */
export function writeLlms(pages) {
  const read = (path) => readFileSync(join(pages, `${path}.md`), "utf8");
  const lists = sections.map(({ text, pages }) => {
    const links = pages.map((path) => `- [${/^# (.+)$/m.exec(read(path))[1]}](/${path}.md)`);
    return `## ${text}\n\n${links.join("\n")}`;
  });
  const summary =
    "> Azure Event Grid in TypeScript: one typed definition provisions the event subscription with " +
    "Terraform and configures the service, which receives by push or pull. A local Azure runs all " +
    "of it on your machine.";
  const index = ["# cloud-eventgrid-binding", summary, ...lists].join("\n\n");
  const all = sections.flatMap(({ pages }) => pages.map(read)).join("\n\n---\n\n");
  writeFileSync(join(pages, "public/llms.txt"), `${index}\n`);
  writeFileSync(join(pages, "public/llms-full.txt"), all);
}
