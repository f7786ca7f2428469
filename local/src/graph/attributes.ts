import { isObject } from "../control-plane/json-fields.js";

type Attributes = Readonly<Record<string, unknown>>;

/**
 * A resource's attributes after a PATCH: objects are changed field by field, everything else is
 * replaced. Annotations (`@odata…`) are no attributes.
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

/** All but the named attributes. */
export function without(attributes: Attributes, names: readonly string[]): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !names.includes(name)));
}
