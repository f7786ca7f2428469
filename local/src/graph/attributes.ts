import { isObject } from "../base/index.js";

type Attributes = Readonly<Record<string, unknown>>;

/**
 * A resource's attributes after a PATCH: objects are merged, other values replaced. OData annotations
 * are not attributes.
 */
export function merge(before: Attributes, change: Attributes): Attributes {
  const changed = Object.entries(change)
    .filter(([name]) => !name.includes("@odata"))
    .map(([name, value]) => {
      const old = before[name];
      return [name, isObject(value) ? merge(isObject(old) ? old : {}, value) : value];
    });
  return { ...before, ...Object.fromEntries(changed) };
}

/** The attributes without the named ones. */
export function without(attributes: Attributes, names: readonly string[]): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !names.includes(name)));
}
