/**
 * Reads a field of untyped JSON by its path: `undefined` when it is missing or has another type.
 * Azure's services ignore fields that they do not understand, and so do callers of these functions.
 */
export function field(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined),
    value,
  );
}

export function textAt(value: unknown, ...path: string[]): string | undefined {
  const found = field(value, ...path);
  return typeof found === "string" ? found : undefined;
}

/** An empty text when the field is missing. */
export function textOrEmpty(value: unknown, ...path: string[]): string {
  return textAt(value, ...path) ?? "";
}

export function numberAt(value: unknown, ...path: string[]): number | undefined {
  const found = field(value, ...path);
  return typeof found === "number" ? found : undefined;
}

/** An empty array when the field is missing. */
export function listAt(value: unknown, ...path: string[]): unknown[] {
  const found = field(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** An empty object when the field is missing. */
export function objectAt(value: unknown, ...path: string[]): Record<string, unknown> {
  const found = field(value, ...path);
  return isObject(found) ? found : {};
}

/** The properties in the body of a resource; an empty object when it has none. */
export function propertiesIn(body: unknown): Record<string, unknown> {
  return objectAt(body, "properties");
}

/** A value in words. `String` throws for `{"toString": 1}`. */
export function asText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value with defaults for the fields that it lacks, at any depth. Lists are not merged. */
export function withDefaults(value: unknown, defaults: unknown): unknown {
  if (value === undefined) return defaults;
  if (!isObject(value) || !isObject(defaults)) return value;
  const names = [...Object.keys(defaults), ...Object.keys(value)];
  return Object.fromEntries(names.map((name) => [name, withDefaults(value[name], defaults[name])]));
}
