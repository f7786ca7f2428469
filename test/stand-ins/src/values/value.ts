/** A value that is known only during apply. */
export class Unknown {}

/** The only instance: unknowns are indistinguishable. */
export const UNKNOWN = new Unknown();

/** A value of Terraform's type system. All JSON is one, too. */
export type Value = null | boolean | number | string | Unknown | Value[] | Attributes;

/** The attributes and nested blocks of one object, by name; or a JSON object. */
export interface Attributes {
  [name: string]: Value;
}

/** Whether the value is an object or a map, rather than a primitive, a list or an unknown. */
export function isAttributes(value: Value | undefined): value is Attributes {
  return typeof value === "object" && value !== null && value !== UNKNOWN && !Array.isArray(value);
}

/** The value at a path of names, separated by dots; null if there is none. */
export function at(value: Value, path: string): Value {
  const inner = (outer: Value, name: string) =>
    isAttributes(outer) ? (outer[name] ?? null) : null;
  return path.split(".").reduce(inner, value);
}

/** Sets the value at a path, with the objects that it needs. */
export function setAt(object: Attributes, path: string, value: Value): void {
  const names = path.split(".");
  const last = names.pop() ?? "";
  let place = object;
  for (const name of names) {
    const inner = place[name];
    const next = isAttributes(inner) ? inner : {};
    place[name] = next;
    place = next;
  }
  place[last] = value;
}

/** The string at a path; `""` if there is none. */
export function text(value: Value, path: string): string {
  const found = at(value, path);
  return typeof found === "string" ? found : "";
}

/** The strings of the list or set at a path. */
export function texts(value: Value, path: string): string[] {
  const found = at(value, path);
  return Array.isArray(found) ? found.filter((item) => typeof item === "string") : [];
}

/** The objects, such as nested blocks, of the list at a path. */
export function objects(value: Value, path: string): Attributes[] {
  const found = at(value, path);
  return Array.isArray(found) ? found.filter(isAttributes) : [];
}

/** A copy of a value, with null in the place of unknowns. */
export function withoutUnknowns<Given extends Value>(value: Given): Given {
  return JSON.parse(JSON.stringify(value, (_, item) => (item instanceof Unknown ? null : item)));
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
