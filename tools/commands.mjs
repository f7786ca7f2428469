// Writes the tables of the local Azure's commands into docs. Run it with `npm run commands`.
import { writeFileSync } from "node:fs";
import { pagesWithCommands } from "../test/docs/command-tables.ts";

for (const [page, text] of Object.entries(pagesWithCommands())) {
  writeFileSync(new URL(`../${page}`, import.meta.url), text);
}
