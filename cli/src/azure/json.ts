/** A value inside parsed JSON. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let inner = value;
  for (const name of path) {
    if (typeof inner !== "object" || inner === null) return undefined;
    inner = (inner as Readonly<Record<string, unknown>>)[name];
  }
  return inner;
}

/** A text inside parsed JSON; undefined if it is empty. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const text = at(value, ...path);
  return typeof text === "string" && text !== "" ? text : undefined;
}

/** A text inside parsed JSON; empty if there is none. */
export function textOrEmpty(value: unknown, ...path: readonly string[]): string {
  return textAt(value, ...path) ?? "";
}

/** A list inside parsed JSON; empty if there is none. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const list: unknown = at(value, ...path);
  return Array.isArray(list) ? list : [];
}
