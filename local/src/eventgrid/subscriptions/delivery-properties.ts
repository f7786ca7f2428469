import { propertiesIn, sameText, textAt, textOrEmpty, withoutStart } from "../../base/index.js";
import type { DeliveryAttributeMapping } from "../destinations/index.js";
import {
  type AcceptedEvent,
  type DeliverySchema,
  deliveredJson,
  scalarTextAt,
} from "../events/index.js";

const MAX_PROPERTIES = 10;
const MAX_VALUE_BYTES = 4096;

/**
 * The headers of one delivery. A dynamic property is left out if the event has no value for it, or
 * one that a header cannot carry. A batch uses the values of its first event.
 */
export function deliveryPropertyHeaders(
  properties: readonly DeliveryAttributeMapping[],
  events: readonly AcceptedEvent[],
  deliverySchema: DeliverySchema,
): Record<string, string> {
  const isDynamic = properties.some(({ type }) => type === "Dynamic");
  const json = isDynamic ? incomingJson(events[0], deliverySchema) : "";
  return Object.fromEntries(
    properties.flatMap((property) => {
      const value =
        property.type === "Static"
          ? textAt(propertiesIn(property), "value")
          : scalarTextAt(
              json,
              withoutStart(textOrEmpty(propertiesIn(property), "sourceField"), "$."),
            );
      return value === undefined || headerProblem(value) ? [] : [[property.name, value]];
    }),
  );
}

/**
 * The event as it came in. Events of Azure services, which are kept as CloudEvents, have the names of
 * the Event Grid schema for a subscription in that schema.
 */
function incomingJson(event: AcceptedEvent | undefined, deliverySchema: DeliverySchema): string {
  if (!event) return "";
  const isService = event.schema === "CloudEventSchemaV1_0" && deliverySchema === "EventGridSchema";
  return isService ? deliveredJson(event, deliverySchema) : event.json;
}

/** Everything that the service would refuse. Values are not shown, as they may be secret. */
export function* deliveryPropertyProblems(
  properties: readonly DeliveryAttributeMapping[],
  isProtected: boolean,
): Generator<string> {
  if (properties.length > MAX_PROPERTIES) {
    yield `At most ${MAX_PROPERTIES} delivery properties are allowed, not ${properties.length}.`;
  }
  const names = properties.map(({ name }) => name.toLowerCase());
  const repeated = properties.find(({ name }, at) => names.indexOf(name.toLowerCase()) < at);
  if (repeated) {
    yield `The delivery property '${repeated.name}' is there twice: the names of headers have no case.`;
  }
  for (const property of properties) {
    const problem = problemOf(property, isProtected);
    if (problem) yield `The delivery property '${property.name}' is invalid: ${problem}.`;
  }
}

function problemOf(property: DeliveryAttributeMapping, isProtected: boolean): string | undefined {
  const { name } = property;
  if (/^$|[^\w!#$%&'*+.^`|~-]/.test(name)) return "its name is not a valid header name";
  if (name.toLowerCase().startsWith("aeg-")) return "names that begin with aeg- are reserved";
  if (isProtected && sameText(name, "authorization")) {
    return "Authorization is reserved for the Entra token of a protected webhook";
  }
  if (property.type === "Dynamic") {
    return textAt(propertiesIn(property), "sourceField") ? undefined : "it has no source field";
  }
  return headerProblem(textOrEmpty(propertiesIn(property), "value"));
}

function headerProblem(value: string): string | undefined {
  if (Buffer.byteLength(value) > MAX_VALUE_BYTES)
    return `its value is longer than ${MAX_VALUE_BYTES} bytes`;
  return /[^\t\x20-\x7e\x80-\xff]/.test(value)
    ? "its value is not a valid header value"
    : undefined;
}
