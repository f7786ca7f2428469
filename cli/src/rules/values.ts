import { isObject } from "cloud-eventgrid-binding-runtime/internal";

/** Stands for a value that nobody knows yet, such as one that is known only after a Terraform apply. */
export const UNKNOWN: unique symbol = Symbol("known after the apply");

/** Stands for all fields that an object does not show. */
const REST: unique symbol = Symbol("the rest");

/** A value inside another one; {@link UNKNOWN} if something around it is. */
export function get(value: unknown, ...path: readonly string[]): unknown {
  let inner = value;
  for (const name of path) {
    if (inner === UNKNOWN) return UNKNOWN;
    inner = isObject(inner) ? (inner[name] ?? Object(inner)[REST]) : undefined;
  }
  return inner;
}

/** Compares a text in any case, as Azure does. */
export const isOneOf = (value: unknown, ...texts: readonly string[]) =>
  texts.some((text) => text.toLowerCase() === String(value).toLowerCase());

/** The state of a resource that was not made as it should be, or is being deleted; undefined for others. */
export function brokenState(body: unknown): string | undefined {
  const state = String(get(body, "properties", "provisioningState"));
  return state.toLowerCase().endsWith("failed") || isOneOf(state, "Canceled", "Deleted", "Deleting")
    ? state
    : undefined;
}

/** The body of a resource of which only a part is known: in its settings, what is not there is unknown. */
export function partial(body: unknown): unknown {
  const { properties } = Object(body);
  if (properties === UNKNOWN) return body;
  const settings = Object.entries(Object(properties)).map(([name, value]) => [
    name,
    isObject(value) ? { ...value, [REST]: UNKNOWN } : value,
  ]);
  return { ...Object(body), properties: Object.fromEntries(settings) };
}
