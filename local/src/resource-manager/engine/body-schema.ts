import { asText, isObject } from "../../base/index.js";

/**
 * What a value may be: `any`, `string`, `number` or `boolean`, the literals that a field takes in any
 * case, or an object by its name.
 */
type Schema =
  | string
  | { readonly oneOf: readonly string[] }
  | { readonly list: Schema }
  | { readonly object: string };

export interface ObjectSchema {
  /** Fields that are not here are unknown, and left as they are. */
  readonly fields: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** Fields that clients send back, and that are ignored. */
  readonly readOnly?: readonly string[];
  /** What the values of all other fields are. */
  readonly values?: Schema;
  /** The field whose value decides which other fields there are. */
  readonly by?: string;
  readonly cases?: Readonly<Record<string, Schema>>;
}

/** Objects by their names. */
export type BodySchemas = Readonly<Record<string, ObjectSchema>>;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Checks a written body. Null stands for a missing field.
 *
 * @param name of the object in the schemas
 * @returns the body without what is read-only, and with the literals in the case of the schemas; and
 * every problem, each a sentence without a full stop
 */
export function checkBody(schemas: BodySchemas, name: string, body: Fields) {
  const problems: string[] = [];

  const checked = (value: unknown, schema: Schema, path: string): unknown => {
    if (value == null || schema === "any") return value;
    if (typeof schema === "string") {
      if (typeof value !== schema)
        problems.push(`${path} must be a ${schema}, not ${shown(value)}`);
      return value;
    }
    if ("oneOf" in schema) return literal(value, schema.oneOf, path);
    if ("list" in schema) {
      if (Array.isArray(value)) {
        return value.map((each, index) => checked(each, schema.list, `${path}[${index}]`));
      }
      problems.push(`${path} must be a list, not ${shown(value)}`);
      return value;
    }
    if (isObject(value)) return object(value, schemas[schema.object] ?? { fields: {} }, path);
    problems.push(`${path} must be an object, not ${shown(value)}`);
    return value;
  };

  const literal = (value: unknown, known: readonly string[], path: string): unknown => {
    const written = typeof value === "string" ? folded(value) : undefined;
    const found = known.find((each) => folded(each) === written);
    if (found === undefined) {
      problems.push(`${path} must be ${oneOf(known)}, not ${shown(value)}`);
    }
    return found ?? value;
  };

  const object = (value: Fields, schema: ObjectSchema, path: string): Fields => {
    const { fields, readOnly = [], by, cases = {} } = schema;
    const place = (field: string) => (path === "" ? field : `${path}.${field}`);
    const required = [...(schema.required ?? []), ...(by === undefined ? [] : [by])];
    for (const field of required) {
      if (value[field] != null) continue;
      const known = field === by ? `: it must be ${oneOf(Object.keys(cases))}` : "";
      problems.push(`${place(field)} is missing${known}`);
    }
    const written = Object.entries(value).filter(([field]) => !readOnly.includes(field));
    const result = Object.fromEntries(
      written.map(([field, each]) => {
        if (field === by && each != null) {
          return [field, literal(each, Object.keys(cases), place(field))];
        }
        const own = Object.hasOwn(fields, field) ? fields[field] : schema.values;
        return [field, own === undefined ? each : checked(each, own, place(field))];
      }),
    );
    const chosen = by === undefined ? undefined : cases[asText(result[by])];
    if (typeof chosen !== "object" || !("object" in chosen)) return result;
    return object(result, schemas[chosen.object] ?? { fields: {} }, path);
  };

  return { body: object(body, schemas[name] ?? { fields: {} }, ""), problems };
}

/** Literals have no case, and several in one value may be separated with or without a space. */
function folded(literal: string): string {
  return literal.toLowerCase().replaceAll(" ", "");
}

function oneOf(known: readonly string[]): string {
  return known.length === 1 ? String(known[0]) : `one of ${known.join(", ")}`;
}

/** Longest value in a message. */
const MAX_SHOWN = 100;

function shown(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (isObject(value)) return "an object";
  return JSON.stringify(value).slice(0, MAX_SHOWN);
}
