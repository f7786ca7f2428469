// Writes the samples of the SDK's event types for the local Azure: `npm run samples`.
import { writeFileSync } from "node:fs";
import { FOLDER, files } from "./module.js";

for (const [name, text] of Object.entries(files())) {
  writeFileSync(new URL(`../../${FOLDER}/${name}`, import.meta.url), text);
}
