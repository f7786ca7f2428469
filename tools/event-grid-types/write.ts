// Writes the schemas of the bodies of Event Grid's resources for the local Azure: `npm run types`.
import { writeFileSync } from "node:fs";
import { bodySchemas, FILE } from "./schemas.js";

writeFileSync(new URL(`../../${FILE}`, import.meta.url), bodySchemas());
