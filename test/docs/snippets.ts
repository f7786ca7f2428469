import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A TypeScript module made of the code that a page of the documentation shows. */
export interface Snippet {
  /** The page, relative to the project's root. */
  readonly page: string;
  /** Line of the page on which the module's first block begins. */
  readonly line: number;
  /** File name: the one that the block's first comment gives (`// stack.ts`), or a number. */
  readonly name: string;
  readonly code: string;
}

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** The pages whose TypeScript must compile. */
export function pages(): string[] {
  return [
    "README.md",
    "runtime/README.md",
    "cli/README.md",
    "local/README.md",
    ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".md"))
      .map((file) => join("docs", file)),
  ];
}

/**
 * The modules in a page.
 *
 * Each block fenced as `ts` is a module of its own; `ts continued` goes on with the module of the
 * block before. An HTML comment that begins with `ts` holds code that the page does not show, such
 * as declarations of what a reader has of their own; it begins the block that follows it.
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
