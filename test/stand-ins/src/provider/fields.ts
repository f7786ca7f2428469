import { type Attributes, at, isAttributes, setAt, UNKNOWN, type Value } from "../values/value.js";

/** Where the attributes and blocks of a resource type are in the service's JSON: at paths of names. */
export type Fields = Readonly<Record<string, string | Field>>;

export interface Field {
  readonly path: string;
  /** Converts the service's value; by default it is the same. */
  readonly read?: (json: Value) => Value;
  /** Converts the configured value; null is left out of the request. */
  readonly write?: (value: Value) => Value;
}

/** An attribute that requests do not contain. */
export const computed = (path: string): Field => ({ path, write: () => null });

/** A block that exists at most once. */
export const block = (path: string, fields: Fields): Field => ({
  path,
  read: (json) => (isAttributes(json) ? [readFields(fields, json)] : []),
  write: (value) => itemsIn(value).map((item) => writeFields(fields, item))[0] ?? null,
});

export const blockList = (path: string, fields: Fields): Field => ({
  path,
  read: (json) => itemsIn(json).map((item) => readFields(fields, item)),
  write: (value) => itemsIn(value).map((item) => writeFields(fields, item)),
});

/** Attributes that have the same names in the service's JSON below a path, in camel case. */
export function sameNames(below: string, ...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `${below}${camelCase(name)}`]));
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The attributes and blocks that a response contains. */
export function readFields(fields: Fields, body: Value): Attributes {
  const read = Object.entries(fields).map(([name, field]) => {
    if (typeof field === "string") return [name, at(body, field)];
    const json = at(body, field.path);
    return [name, field.read === undefined ? json : field.read(json)];
  });
  return Object.fromEntries(read);
}

/** The body of a request, without attributes that have no value. */
export function writeFields(fields: Fields, planned: Attributes): Attributes {
  const body: Attributes = {};
  for (const [name, given] of Object.entries(fields)) {
    const { path, write }: Field = typeof given === "string" ? { path: given } : given;
    const value = planned[name] ?? null;
    const json = write === undefined ? value : write(value);
    const isEmpty = json === null || json === "" || json === UNKNOWN;
    if (!isEmpty && !(Array.isArray(json) && json.length === 0)) setAt(body, path, json);
  }
  return body;
}

function itemsIn(value: Value): Attributes[] {
  return Array.isArray(value) ? value.filter(isAttributes) : [];
}
