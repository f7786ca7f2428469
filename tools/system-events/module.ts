import { sampleOf } from "./sample.js";
import { payloadClasses } from "./sdk.js";
import { serviceOf } from "./services.js";

/** Services whose samples the local Azure derives from the subject, in files of their own. */
const written = /^Microsoft\.(Storage|EventHub|Devices|ServiceBus)\./;

/** The folder that the files are written to, below the repository. */
export const FOLDER = "local/src/eventgrid/system-events";

/** The contents of the files that `npm run samples` writes, by their names. */
export function files(): Readonly<Record<string, string>> {
  const classes = [...payloadClasses()].filter(([type]) => !written.test(type)).sort();
  const samples = classes.map(([type, className]) => {
    const service = serviceOf(type);
    const { resourceType } = service;
    const sample = { ...(resourceType && { resourceType }), ...sampleOf(type, service, className) };
    return `  ${JSON.stringify(type)}: ${JSON.stringify(sample)}`;
  });
  const names = classes.map(([type]) => `  | ${JSON.stringify(type)}`);
  return {
    "sdk-samples.json": `{\n${samples.join(",\n")}\n}\n`,
    // Declarations that import JSON would not compile in every project that uses them.
    "sdk-event-type.ts": `// Written by \`npm run samples\` from the serializers of @azure/eventgrid.

/** The types of the SDK's events that have a sample in sdk-samples.json. */
export type SdkEventType =
${names.join("\n")};
`,
  };
}
