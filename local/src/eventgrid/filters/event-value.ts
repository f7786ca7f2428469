import type { CloudEvent } from "../event.js";

/**
 * What an event has under a key such as `subject` or `data.order.total`: attributes by their names,
 * payload by its path. `undefined` when there is nothing.
 */
export function valueAt(event: CloudEvent, key: string): unknown {
  const [first = "", ...rest] = key.split(".");
  // Filters of the Event Grid schema call the type so, and its filters work on CloudEvents too.
  const attribute = first.toLowerCase() === "eventtype" ? "type" : first;
  return rest.reduce(own, own(event, attribute));
}

function own(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}
