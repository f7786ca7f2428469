/**
 * The fields of a response with their types. A name with `?` may be missing; `object` has any fields,
 * and a type with `|null` may be null. `[shape]` is an array whose elements have that shape.
 */
export type Shape = string | readonly [Shape] | { readonly [name: string]: Shape };

/** Fields by their type: their names, separated by blanks. */
export function fields(namesByType: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(namesByType).flatMap(([type, names]) =>
      names.split(/\s+/).map((name) => [name, type]),
    ),
  );
}

/** Every difference between a response and its shape: missing, unknown and mistyped fields. */
export function differences(value: unknown, shape: Shape, place = "body"): string[] {
  if (typeof shape === "string") {
    const types = shape.split("|");
    return types.includes(typeOf(value)) ? [] : [`${place} is ${typeOf(value)}, not ${shape}`];
  }
  if (isList(shape)) {
    if (!Array.isArray(value)) return [`${place} is ${typeOf(value)}, not array`];
    return value.flatMap((each, index) => differences(each, shape[0], `${place}[${index}]`));
  }
  if (typeOf(value) !== "object") return [`${place} is ${typeOf(value)}, not object`];
  const fields = new Map<string, unknown>(Object.entries(Object(value)));
  const expected = Object.entries(shape).flatMap(([name, of]) => {
    const field = name.replace("?", "");
    const found = fields.get(field);
    fields.delete(field);
    if (found !== undefined) return differences(found, of, `${place}.${field}`);
    return name.endsWith("?") ? [] : [`${place}.${field} is missing`];
  });
  return [...expected, ...[...fields.keys()].map((name) => `${place}.${name} is unknown`)];
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
