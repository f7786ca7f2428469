import { asText, invalidRequest, isObject, sameText, UUID, utcTime } from "../base/index.js";

/**
 * The values that a field takes: `any`, `string`, `number` or `boolean`, or a string that is a `GUID` or a `time`;
 * the literals that a field takes in any case, or an object by its name.
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
  /** The schema of all other fields. */
  readonly values?: Schema;
  /** The field whose value decides which other fields there are. */
  readonly by?: string;
  readonly cases?: Readonly<Record<string, Schema>>;
}

/** Objects by their names. */
export type BodySchemas = Readonly<Record<string, ObjectSchema>>;

const forms: Readonly<Record<string, (text: string) => boolean>> = {
  GUID: (text) => UUID.test(text),
  time: (text) => !Number.isNaN(utcTime(text)),
};

type Fields = Readonly<Record<string, unknown>>;

/**
 * Checks a written body.
 *
 * @param name of the object in the schemas
 * @param options.unknown the problem of a field that the object does not have. @default unknown fields
 * are left
 * @param options.convertsText whether `"true"` stands for true. @default false
 * @param options.keepsNull whether null is a value; otherwise it stands for a missing field. @default false
 * @returns the body without what is read-only, with converted texts, and with the literals in the case
 * of the schemas; and every problem, each a sentence without a full stop
 */
export function checkBody(
  schemas: BodySchemas,
  name: string,
  body: Fields,
  {
    unknown,
    convertsText = false,
    keepsNull = false,
  }: {
    readonly unknown?: (field: string, object: string, path: string) => string | undefined;
    readonly convertsText?: boolean;
    readonly keepsNull?: boolean;
  } = {},
) {
  const problems: string[] = [];

  const checked = (value: unknown, schema: Schema, path: string): unknown => {
    if (value == null || schema === "any") return value;
    if (convertsText && schema === "boolean" && typeof value === "string") {
      if (sameText(value, "true")) return true;
      if (sameText(value, "false")) return false;
    }
    if (typeof schema === "string") {
      const isRight = Object.hasOwn(forms, schema)
        ? typeof value === "string" && forms[schema]?.(value)
        : typeof value === schema;
      if (!isRight) problems.push(`${path} must be a ${schema}, not ${shown(value)}`);
      return value;
    }
    if ("oneOf" in schema) return literal(value, schema.oneOf, path);
    if ("list" in schema) {
      if (Array.isArray(value)) {
        return value.map((each, index) => element(each, schema.list, `${path}[${index}]`));
      }
      problems.push(`${path} must be a list, not ${shown(value)}`);
      return value;
    }
    if (isObject(value)) return object(value, schema.object, path);
    problems.push(`${path} must be an object, not ${shown(value)}`);
    return value;
  };

  /** A null is left out of an object, but not out of a list. */
  const element = (value: unknown, schema: Schema, path: string): unknown => {
    if (value === null) problems.push(`${path} must not be null`);
    return checked(value, schema, path);
  };

  const literal = (value: unknown, known: readonly string[], path: string): unknown => {
    const written = typeof value === "string" ? folded(value) : undefined;
    const found = known.find((each) => folded(each) === written);
    if (found === undefined) {
      problems.push(`${path} must be ${oneOf(known)}, not ${shown(value)}`);
    }
    return found ?? value;
  };

  /** @param outer fields of the object of which this is a case */
  const object = (value: Fields, kind: string, path: string, outer: string[] = []): Fields => {
    const schema: ObjectSchema = schemas[kind] ?? { fields: {} };
    const { fields, readOnly = [], by, cases = {} } = schema;
    const place = (field: string) => (path === "" ? field : `${path}.${field}`);
    const required = [...(schema.required ?? []), ...(by === undefined ? [] : [by])];
    for (const field of required) {
      if (value[field] != null) continue;
      const known = field === by ? Object.keys(cases) : literalsOf(fields[field]);
      problems.push(`${place(field)} is missing${known ? `: it must be ${oneOf(known)}` : ""}`);
    }
    const written = Object.entries(value).filter(
      ([field, each]) => !readOnly.includes(field) && (keepsNull || each != null),
    );
    const result = Object.fromEntries(
      written.map(([field, each]) => {
        if (field === by && each != null) {
          return [field, literal(each, Object.keys(cases), place(field))];
        }
        const own = Object.hasOwn(fields, field) ? fields[field] : schema.values;
        if (own !== undefined) return [field, checked(each, own, place(field))];
        const isKnown = by !== undefined || outer.includes(field);
        const problem = isKnown ? undefined : unknown?.(field, kind, path);
        if (problem !== undefined) problems.push(problem);
        return [field, each];
      }),
    );
    const chosen = by === undefined ? undefined : cases[asText(result[by])];
    if (typeof chosen !== "object" || !("object" in chosen)) return result;
    return object(result, chosen.object, path, Object.keys(fields));
  };

  return { body: object(body, name, ""), problems };
}

const MAX_PROBLEMS = 20;

/**
 * A written body by the schemas, as `checkBody` returns it.
 *
 * @throws ServiceError 400 with every problem
 */
export function checkedBody(schemas: BodySchemas, name: string, written: Fields): Fields {
  const { body, problems } = checkBody(schemas, name, written);
  if (problems.length === 0) return body;
  const others = problems.length - MAX_PROBLEMS;
  const more = others > 0 ? [`There are ${others} more problems`] : [];
  throw invalidRequest(`${[...problems.slice(0, MAX_PROBLEMS), ...more].join(". ")}.`);
}

/** Literals have no case, and several in one value may be separated with or without a space. */
function folded(literal: string): string {
  return literal.toLowerCase().replaceAll(" ", "");
}

function literalsOf(schema: Schema | undefined): readonly string[] | undefined {
  return typeof schema === "object" && "oneOf" in schema ? schema.oneOf : undefined;
}

/** In quotes: a literal may contain a comma, such as `SystemAssigned, UserAssigned`. */
function oneOf(known: readonly string[]): string {
  const quoted = known.map((each) => `'${each}'`).join(", ");
  return known.length === 1 ? quoted : `one of ${quoted}`;
}

/** Longest value in a message. */
const MAX_SHOWN = 100;

function shown(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (isObject(value)) return "an object";
  return JSON.stringify(value).slice(0, MAX_SHOWN);
}
