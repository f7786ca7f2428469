// Writes the tables of docs/options.md from the doc comments of the options. Run it with `npm run options`.
import { writeFileSync } from "node:fs";
import { optionsPage, PAGE } from "../test/docs/option-tables.ts";

writeFileSync(new URL(`../${PAGE}`, import.meta.url), optionsPage());
