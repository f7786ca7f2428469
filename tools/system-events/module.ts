import { sampleOf } from "./sample.js";
import { payloadClasses } from "./sdk.js";
import { serviceOf } from "./services.js";

/** Services whose samples the local Azure derives from the subject, in files of their own. */
const written = /^Microsoft\.(Storage|EventHub|Devices|ServiceBus)\./;

/** The text of `local/src/eventgrid/system-events/sdk-samples.ts`. */
export function moduleText(): string {
  const classes = [...payloadClasses()].filter(([type]) => !written.test(type)).sort();
  const lines = classes.map(([type, className]) => {
    const service = serviceOf(type);
    const { resourceType } = service;
    const sample = { ...(resourceType && { resourceType }), ...sampleOf(type, service, className) };
    return `  ${JSON.stringify(type)}: ${JSON.stringify(sample)},\n`;
  });
  const names = classes.map(([type]) => `  | ${JSON.stringify(type)}\n`);
  return `// Written by \`npm run samples\` from the serializers of @azure/eventgrid.
import type { SdkSample } from "./sdk-sample.js";

export type SdkEventType =
${names.join("").replace(/\n$/, "")};

/** A sample for each type of the SDK that has no function for it. */
export const sdkSamples: Readonly<Record<SdkEventType, SdkSample>> = {
${lines.join("")}};
`;
}
