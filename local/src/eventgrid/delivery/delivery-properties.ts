import type { AcceptedEvent, CloudEvent } from "../event.js";
import { valueAt } from "../filters/event-value.js";

/** A header that Event Grid adds to every delivery of a subscription. */
export type DeliveryProperty =
  | {
      readonly type: "static";
      readonly name: string;
      readonly value: string;
      /** A secret one is not shown when the subscription is read. @default false */
      readonly secret?: boolean | undefined;
    }
  | {
      readonly type: "dynamic";
      readonly name: string;
      /** Where in the event the value is, for example `data.tenant` or `$.data.tenant`. */
      readonly sourceField: string;
    };

const MOST_PROPERTIES = 10;
const LARGEST_VALUE = 4096;

/**
 * The headers of one delivery. An event that lacks a dynamic property's value is delivered without
 * that header, and so is one whose value cannot stand in a header; a batch takes the first event's.
 */
export function deliveryPropertyHeaders(
  properties: readonly DeliveryProperty[],
  events: readonly AcceptedEvent[],
): Record<string, string> {
  const content = contentFor(properties, events);
  return Object.fromEntries(
    properties.flatMap((property) => {
      const value =
        property.type === "static" ? property.value : dynamicValue(content, property.sourceField);
      return value === undefined || headerProblem(value) ? [] : [[property.name, value]];
    }),
  );
}

function contentFor(
  properties: readonly DeliveryProperty[],
  events: readonly AcceptedEvent[],
): CloudEvent {
  const [first] = events;
  return first && properties.some(({ type }) => type === "dynamic") ? JSON.parse(first.json) : {};
}

function dynamicValue(content: CloudEvent, sourceField: string): string | undefined {
  const value = valueAt(content, sourceField.replace(/^\$\./, ""));
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : undefined;
}

/** What the service would refuse; a value is not shown, since it may be secret. */
export function* deliveryPropertyProblems(
  properties: readonly DeliveryProperty[],
  isProtected: boolean,
): Generator<string> {
  if (properties.length > MOST_PROPERTIES) {
    yield `There may be ${MOST_PROPERTIES} delivery properties, not ${properties.length}.`;
  }
  for (const property of properties) {
    const problem = problemOf(property, isProtected);
    if (problem) yield `The delivery property '${property.name}' is invalid: ${problem}.`;
  }
}

function problemOf(property: DeliveryProperty, isProtected: boolean): string | undefined {
  const { name } = property;
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return "its name cannot be a header's";
  if (/^aeg-/i.test(name)) return "names that begin with aeg- are Event Grid's own";
  if (isProtected && /^authorization$/i.test(name)) {
    return "Authorization carries Entra's token when an application protects the webhook";
  }
  if (property.type === "dynamic") {
    return property.sourceField ? undefined : "it has no source field";
  }
  return headerProblem(property.value);
}

function headerProblem(value: string): string | undefined {
  if (Buffer.byteLength(value) > LARGEST_VALUE) return `its value is above ${LARGEST_VALUE} bytes`;
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value) ? undefined : "its value cannot be a header's";
}
