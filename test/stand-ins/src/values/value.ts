/** A value that is known only during apply. */
export class Unknown {
  toString(): string {
    return "(known after apply)";
  }
}

/** The only instance: unknowns are indistinguishable. */
export const UNKNOWN = new Unknown();

/** A value of Terraform's type system. */
export type Value = null | boolean | number | string | Unknown | Value[] | Attributes;

/** The attributes and nested blocks of one object, by name. */
export interface Attributes {
  [name: string]: Value;
}

/** Whether the value is an object or a map, rather than a primitive, a list or an unknown. */
export function isAttributes(value: Value | undefined): value is Attributes {
  return typeof value === "object" && value !== null && value !== UNKNOWN && !Array.isArray(value);
}

/** Whether two values are deeply equal. An unknown equals only an unknown. */
export function same(one: Value, other: Value): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, i) => same(item, other[i] ?? null));
  }
  if (!isAttributes(one) || !isAttributes(other)) return false;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => same(one[name] ?? null, other[name] ?? null));
}
