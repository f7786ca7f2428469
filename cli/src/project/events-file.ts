import { systemEventTypes } from "cloud-eventgrid-binding-runtime/events";
import type { BindingSpec } from "./spec.js";

const known: ReadonlySet<string> = new Set(Object.values(systemEventTypes).flat());

/** `events.ts`: the catalogue that stack and service share. */
export function eventsFile({ eventTypes, typesAreKnown }: BindingSpec): string {
  const system = eventTypes.filter((type) => known.has(type));
  const own = eventTypes.filter((type) => !known.has(type));
  const imports = [
    "defineEvents",
    ...(system.length > 0 ? ["systemEvents"] : []),
    ...(own.length > 0 ? ["type"] : []),
  ];
  const entries = [
    ...(system.length > 0 ? [`  ...systemEvents(${system.map(quoted).join(", ")}),`] : []),
    ...own.map((type) => `  ${quoted(type)}: type<{ readonly id: string }>(),`),
  ];
  const note = typesAreKnown
    ? "The events that this service handles or publishes, with the types of their data."
    : "An example: replace it with the events that arrive, and the types of their data.";
  return `import { ${imports.join(", ")} } from "cloud-eventgrid-binding-runtime/events";

/** ${note} */
export const events = defineEvents({
${entries.join("\n")}
});
`;
}

/** A value of the example's payload type, for the types that Azure does not define. */
export function sampleData(type: string): string {
  return known.has(type) ? "{}" : '{ id: "1" }';
}

/** Whether Azure itself raises events of this type. */
export function isSystemType(type: string): boolean {
  return known.has(type);
}

export function quoted(text: string): string {
  return JSON.stringify(text);
}
