import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/project.js";

/** A TypeScript module on a page of the documentation. */
export interface Snippet {
  /** Path of the page from the root of the repository. */
  readonly page: string;
  /** Line of the page where its first block begins. */
  readonly line: number;
  /** File name from the first comment of the block (`// stack.ts`), or a number. */
  readonly name: string;
  readonly code: string;
}

/** The pages whose TypeScript must compile. */
export function pages(): string[] {
  return [
    "README.md",
    "cdktn/README.md",
    "runtime/README.md",
    "cli/README.md",
    "create/README.md",
    "local/README.md",
    ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".md"))
      .map((file) => join("docs", file)),
  ];
}

/**
 * Returns the modules in a page.
 *
 * A block with the language `ts` is a module; `ts continued` appends to the module of the previous
 * block. An HTML comment that starts with `ts` contains code that the page does not show, such as
 * declarations of the reader's own code; it is put before the next block.
 */
export function snippetsIn(page: string, text = readFileSync(join(root, page), "utf8")): Snippet[] {
  const snippets: Snippet[] = [];
  let hidden = "";
  for (const match of text.matchAll(
    /<!-- ts\n([\s\S]*?)-->|^```ts( continued)?\n([\s\S]*?)^```$/gm,
  )) {
    const [, aside, continued, block] = match;
    if (block === undefined) {
      hidden += aside ?? "";
      continue;
    }
    const previous = continued && snippets.at(-1);
    if (previous) {
      snippets[snippets.length - 1] = { ...previous, code: `${previous.code}\n${hidden}${block}` };
    } else {
      const named = /^\/\/ ([\w./-]+)\.ts\b/.exec(block)?.[1];
      snippets.push({
        page,
        line: text.slice(0, match.index).split("\n").length,
        name: named?.replaceAll("/", "-") ?? `snippet-${snippets.length + 1}`,
        code: hidden + block,
      });
    }
    hidden = "";
  }
  return snippets;
}

/** Code for cdktn, which is not installed here: its types are those of cdktf. */
export function forCdktf(code: string): string {
  return code
    .replaceAll('"cdktn"', '"cdktf"')
    .replaceAll('"@cdktn/', '"@cdktf/')
    .replaceAll('"cloud-eventgrid-binding-cdktn"', '"cloud-eventgrid-binding"');
}
