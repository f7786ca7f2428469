import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/project.js";

/** The commands of the shell blocks in a page, block by block. */
export function shellCommandsIn(page: string): string[][] {
  const text = readFileSync(join(root, page), "utf8");
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = ""]) =>
    block.replaceAll("\\\n", "").trim().split("\n"),
  );
}
