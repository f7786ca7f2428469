import type { Schema } from "../../../../cli/src/rules/filters/compare.js";

/** The event of a schema that has fields such as `data.order.id`. */
export function eventWith(
  fields: Readonly<Record<string, unknown>>,
  schema: Schema,
): Record<string, unknown> {
  const event: Record<string, unknown> =
    schema === "EventGridSchema"
      ? {
          id: "1",
          eventType: "any.type",
          subject: "any",
          eventTime: "2026-01-01T00:00:00Z",
          dataVersion: "1",
          data: {},
        }
      : { specversion: "1.0", id: "1", source: "/any", type: "any.type" };
  for (const [path, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const names = path.split(".");
    const last = names.pop() ?? "";
    let inner = event;
    for (const name of names) {
      const next = Object.hasOwn(inner, name) ? inner[name] : {};
      inner[name] = next;
      inner = next as Record<string, unknown>;
    }
    inner[last] = value;
  }
  return event;
}
