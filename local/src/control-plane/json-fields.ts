/**
 * What stands at a place of untyped JSON, by the names on the way there; `undefined` when there is
 * nothing, or something else than was asked for. Services ignore what they do not understand.
 */
export function field(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (at, name) =>
      isObject(at) ? Object.entries(at).find(([key]) => key === name)?.[1] : undefined,
    value,
  );
}

export function textAt(value: unknown, ...path: string[]): string | undefined {
  const found = field(value, ...path);
  return typeof found === "string" ? found : undefined;
}

export function numberAt(value: unknown, ...path: string[]): number | undefined {
  const found = field(value, ...path);
  return typeof found === "number" ? found : undefined;
}

/** An empty list when there is none. */
export function listAt(value: unknown, ...path: string[]): unknown[] {
  const found = field(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** An empty object when there is none. */
export function objectAt(value: unknown, ...path: string[]): Record<string, unknown> {
  const found = field(value, ...path);
  return isObject(found) ? found : {};
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
