import * as v from "valibot";
import { expected, isObject } from "../../base/index.js";

/** The properties of an event subscription as Resource Manager stores them. */
export type Properties = Readonly<Record<string, unknown>>;

/** Resource Manager takes null for a missing field, at any depth. */
export function withoutNulls(properties: Properties): Properties {
  const present = Object.entries(properties).filter(([, value]) => value != null);
  return Object.fromEntries(present.map(([name, value]) => [name, cleaned(value)]));
}

function cleaned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleaned);
  return isObject(value) ? withoutNulls(value) : value;
}

/** An object, of which fields that are not named here are ignored, as Azure ignores them. */
export function partOf<const T extends v.ObjectEntries>(entries: T) {
  return v.object(entries, expected("an object"));
}

export const anyNumber = v.number(expected("a number"));

/** The problem of a number that is not from 1 to a limit. */
export function* outside(name: string, value: number, max: number): Generator<string> {
  if (Number.isInteger(value) && value >= 1 && value <= max) return;
  yield `${name} must be an integer from 1 to ${max}, not ${value}.`;
}
