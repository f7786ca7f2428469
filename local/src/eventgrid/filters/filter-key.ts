import { type EventContent, valueAt } from "../events/index.js";

/** The attributes of the Event Grid schema by their names in lower case. */
const EVENT_GRID_ATTRIBUTES: ReadonlyMap<string, string> = new Map(
  [
    "id",
    "topic",
    "subject",
    "eventType",
    "eventTime",
    "dataVersion",
    "metadataVersion",
    "data",
  ].map((name) => [name.toLowerCase(), name]),
);

/**
 * Names of the Event Grid schema, and of the same attributes in CloudEvents.
 *
 * @see https://github.com/MicrosoftDocs/azure-docs/issues/86764
 */
const CLOUD_EVENT_NAMES: ReadonlyMap<string, string> = new Map([
  ["eventid", "id"],
  ["eventtype", "type"],
  ["topic", "source"],
]);

/**
 * Reads the value at a filter's key, for example `Subject` or `data.order.total`; `undefined` if
 * there is none. The case of an attribute's name does not matter, the case of names in the data does:
 * the documentation writes `ID`, `Subject` and `EventType` for attributes named `id`, `subject` and
 * `eventType`.
 *
 * @param isEventGridSchema whether the subscription gets its events in the Event Grid schema. Events of
 * Azure services, which are kept as CloudEvents, have the names of that schema for it
 * @see https://learn.microsoft.com/azure/event-grid/event-filtering#key
 */
export function keyReader(
  key: string,
  isEventGridSchema: boolean,
): (event: EventContent) => unknown {
  const attribute = key.replace(/\..*/s, "");
  const path = key.slice(attribute.length);
  const read = (event: EventContent, name: string) => valueAt(event, `${name}${path}`);
  const name = attribute.toLowerCase();
  const meant = CLOUD_EVENT_NAMES.get(name);
  const eventGridName = EVENT_GRID_ATTRIBUTES.get(name) ?? attribute;
  return (event) => {
    // The names of a CloudEvent's attributes are always in lower case.
    if ("specversion" in event) {
      if (meant === undefined || Object.hasOwn(event, name)) return read(event, name);
      if (isEventGridSchema) return read(event, meant);
      warnOnce(key, meant);
      return undefined;
    }
    return read(event, Object.hasOwn(event, attribute) ? attribute : eventGridName);
  };
}

const warned = new Set<string>();

function warnOnce(key: string, meant: string): void {
  if (warned.has(key)) return;
  warned.add(key);
  process.emitWarning(
    `The filter key '${key}' is a name of the Event Grid schema, and matches no CloudEvent. Use '${meant}'.`,
  );
}

/**
 * Reads the value at a key as string operators compare it: attributes of CloudEvents are texts for
 * them, also those that JSON writes as numbers or booleans.
 *
 * @see https://learn.microsoft.com/azure/event-grid/event-filtering#cloudevents
 */
export function textReader(
  key: string,
  isEventGridSchema: boolean,
): (event: EventContent) => unknown {
  const read = keyReader(key, isEventGridSchema);
  if (key.includes(".") || key.toLowerCase() === "data") return read;
  return (event) => {
    const value = read(event);
    const isText = typeof value !== "number" && typeof value !== "boolean";
    return isText || !("specversion" in event) ? value : String(value);
  };
}
