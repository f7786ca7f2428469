// Writes the samples of the SDK's event types for the local Azure: `npm run samples`.
import { writeFileSync } from "node:fs";
import { moduleText } from "./module.js";

writeFileSync(
  new URL("../../local/src/eventgrid/system-events/sdk-samples.ts", import.meta.url),
  moduleText(),
);
