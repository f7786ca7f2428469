import { createHash } from "node:crypto";
import { type JsonSchema, spelled, textOf, withReferences } from "./spelling.js";

/** The dialects that are written: AsyncAPI's tools read draft-07, generators of models 2020-12. */
export type Dialect = "draft-07" | "draft-2020-12";

/** Names that libraries count up, in a schema or in the process. */
const COUNTED = /^(__schema|[a-z]*)\d+$/;

/**
 * The schema of a library in one spelling, with names of its definitions that depend neither on the
 * library nor on the other schemas in the process.
 */
export function normalized(schema: JsonSchema, dialect: Dialect): JsonSchema {
  const { $schema: _dialect, $id: _id, definitions, $defs, ...root } = schema;
  const keyword = dialect === "draft-07" ? "definitions" : "$defs";
  const found: JsonSchema = { ...Object(definitions), ...Object($defs) };
  const names = namesOf(found);
  const named = (value: unknown) =>
    spelled(
      withReferences(value, (reference) => {
        const name = nameIn(reference);
        return name === undefined ? reference : `#/${keyword}/${names.get(name) ?? name}`;
      }),
    );
  const all = Object.entries(found).map(([name, each]) => [names.get(name) ?? name, named(each)]);
  const known = all.length > 0 && { [keyword]: Object.fromEntries(all) };
  return JSON.parse(textOf({ ...Object(named(root)), ...known }));
}

/** The definition that a reference names. */
function nameIn(reference: string): string | undefined {
  return /^#\/(?:definitions|\$defs)\/(.*)/.exec(reference)?.[1];
}

/** Names for the definitions that a library counted, in an order that only their contents decide. */
function namesOf(definitions: JsonSchema): ReadonlyMap<string, string> {
  const counted = Object.keys(definitions).filter((name) => COUNTED.test(name));
  let contents = new Map<string | undefined, string>(counted.map((name) => [name, ""]));
  // After as many rounds as there are definitions, each content includes all that it refers to.
  for (const _ of counted) {
    const refer = (each: string) => contents.get(nameIn(each)) ?? each;
    contents = new Map(
      counted.map((name) => {
        const text = textOf(spelled(withReferences(definitions[name], refer)));
        return [name, createHash("sha256").update(text).digest("hex")];
      }),
    );
  }
  const order = [...new Set(contents.values())].sort();
  return new Map(
    counted.map((name) => [name, `schema${order.indexOf(String(contents.get(name))) + 1}`]),
  );
}
