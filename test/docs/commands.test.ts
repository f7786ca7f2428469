import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../support/project.js";
import { pagesWithCommands } from "./command-tables.js";

it.each(Object.entries(pagesWithCommands()))(
  "%s lists the commands of the table; `npm run commands` writes it",
  (page, text) => {
    expect(readFileSync(join(root, page), "utf8")).toBe(text);
  },
);
