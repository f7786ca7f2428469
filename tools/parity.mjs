// Writes docs/contributing/parity.md from the rows in test/local/parity. Run it with `npm run parity`.
import { writeFileSync } from "node:fs";
import { areas } from "../test/local/parity/areas/index.ts";
import { parityPage } from "../test/local/parity/page.ts";
import { recordedRun } from "../test/local/parity/recorded-run.ts";

writeFileSync(
  new URL("../docs/contributing/parity.md", import.meta.url),
  parityPage(areas, recordedRun()),
);
