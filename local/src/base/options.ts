import { inspect } from "node:util";
import * as v from "valibot";
import { LocalCloudError, type LocalCloudErrorCode, withProblems } from "./errors.js";
import { isObject } from "./json-fields.js";
import { nearName } from "./near-name.js";

/*
 * Schemas for options of functions and for configuration files. valibot rather than zod: it loads
 * in 8 ms instead of 50, and takes 2 MB instead of 8 of an installation that should stay below 10.
 * Every message completes the sentence "<field> …".
 */

export const text = v.string(expected("a string"));
export const flag = v.boolean(expected("true or false"));
export const anyFunction = v.function(expected("a function"));
export const anyObject = v.custom<Readonly<Record<string, unknown>>>(
  isObject,
  expected("an object"),
);
export const number = numberWhere(() => true, "a number");
export const port = integer(0, 65_535);
export const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
export const uuid = matching(UUID, "a UUID");

/** A string of a form that `wording` names. */
function matching(form: RegExp, wording: string) {
  return v.pipe(v.string(expected(wording)), v.regex(form, expected(wording)));
}

/** A string that passes a test. */
export function textWhere(test: (value: string) => boolean, wording: string) {
  return v.pipe(v.string(expected(wording)), v.check(test, expected(wording)));
}

/** A number, which may have a fraction, that passes a test. */
export function numberWhere(test: (value: number) => boolean, wording: string) {
  return v.custom<number>(
    (value) => Number.isFinite(value) && test(Number(value)),
    expected(wording),
  );
}

/** A whole number within bounds, both included. */
export function integer(least: number, most: number) {
  return v.custom<number>(
    (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
    expected(`a whole number from ${least} to ${most}`),
  );
}

export function oneOf<const T extends string | number>(...allowed: T[]) {
  return v.picklist(allowed, expected(allowed.map(show).join(" or ")));
}

export function list<const T extends v.GenericSchema>(element: T) {
  return v.array(element, expected("an array"));
}

/** Any names, with values of one schema. */
export function record<const T extends v.GenericSchema>(value: T) {
  return v.record(v.string(), value, expected("an object"));
}

/** An object with these fields and no others. Wrap those that may be missing in `v.optional`. */
export function fields<const T extends v.ObjectEntries>(entries: T) {
  return v.strictObject(entries, (issue) => {
    if (issue.expected !== "never") return objectMessage(issue);
    return unknownField(String(issue.path?.at(-1)?.key), Object.keys(entries));
  });
}

/** The message for a field that an object does not have. */
export function unknownField(name: string, known: readonly string[]): string {
  const meant = nearName(name, known);
  if (meant !== undefined) return `is unknown: did you mean ${meant}?`;
  return `is unknown; known fields: ${known.join(", ")}`;
}

/** The values of optional fields. Spelled out, because older compilers reject valibot's inferred type. */
type OptionalValues<T extends v.ObjectEntries> = {
  [Field in keyof T]?: v.InferOutput<T[Field]> | undefined;
};

/** An object with these fields, all of which may be missing, and no others. */
export function optionalFields<const T extends v.ObjectEntries>(
  entries: T,
): v.GenericSchema<OptionalValues<T>> {
  return v.partial(fields(entries));
}

/** The message for what is not an object, or for a field that is missing in one. */
function objectMessage(issue: v.BaseIssue<unknown>): string {
  return issue.path ? "is missing" : expected("an object")(issue);
}

/** The message for a value that does not meet the requirement in `wording`. */
export function expected(wording: string): (issue: v.BaseIssue<unknown>) => string {
  return ({ input }) => `must be ${wording}, not ${show(input)}`;
}

/** Bounds the work for an object with very many unknown fields. */
const MAX_PASSES = 20;

/** All problems of a value, each a sentence without a full stop. */
export function problemsOf(schema: v.GenericSchema, value: unknown): string[] {
  // valibot accepts an array for an object whose fields are all optional.
  if (schema.type === "strict_object" && Array.isArray(value)) {
    return ["it must be an object, not an array"];
  }
  const problems = new Set<string>();
  // valibot reports one unknown field of an object: the next one follows when that is removed.
  let rest = value;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const issues = v.safeParse(schema, rest).issues ?? [];
    for (const { path = [], message } of issues) {
      problems.add(`${placeOf(path) || "it"} ${message}`);
    }
    const unknown = issues.filter(({ expected }) => expected === "never");
    if (unknown.length === 0) break;
    rest = unknown.reduce((copy, { path = [] }) => without(copy, path), rest);
  }
  return [...problems];
}

/** A copy of a value without the field at this path. */
function without(value: unknown, path: readonly v.IssuePathItem[]): unknown {
  const [item, ...inner] = path;
  if (item === undefined) return value;
  if (Array.isArray(value)) {
    return value.with(Number(item.key), without(value[Number(item.key)], inner));
  }
  const copy: Record<string, unknown> = { ...Object(value) };
  if (inner.length === 0) delete copy[String(item.key)];
  else copy[String(item.key)] = without(copy[String(item.key)], inner);
  return copy;
}

/**
 * Checks the argument of a public function, which an untyped caller may have passed.
 *
 * @param summary the first line of the message: which argument is invalid
 * @throws LocalCloudError with the code and every problem
 */
export function checkOptions(
  schema: v.GenericSchema,
  value: unknown,
  summary: string,
  code: LocalCloudErrorCode = "ERR_OPTIONS",
): void {
  const problems = problemsOf(schema, value);
  if (problems.length > 0) throw new LocalCloudError(code, withProblems(summary, problems));
}

function placeOf(path: readonly v.IssuePathItem[]): string {
  return path.reduce((place, { key, type }) => {
    if (type === "array") return `${place}[${key}]`;
    if (type !== "unknown" && /^$|\W/.test(String(key))) return `${place}[${JSON.stringify(key)}]`;
    return place === "" ? String(key) : `${place}.${key}`;
  }, "");
}

/** Short, and without the contents of an object, which may be secret. */
function show(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (isObject(value)) return "an object";
  return typeof value === "string" ? JSON.stringify(value) : inspect(value);
}
