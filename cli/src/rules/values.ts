import { isObject } from "cloud-eventgrid-binding-runtime/internal";

/** Stands for a value that nobody knows yet, such as one that is known only after a Terraform apply. */
export const UNKNOWN: unique symbol = Symbol("known after the apply");

/** A value inside another one; {@link UNKNOWN} if something around it is. */
export function get(value: unknown, ...path: readonly string[]): unknown {
  let inner = value;
  for (const name of path) {
    if (inner === UNKNOWN) return UNKNOWN;
    inner = isObject(inner) ? inner[name] : undefined;
  }
  return inner;
}
