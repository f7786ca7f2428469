import { checkDuration, type Duration } from "../clock/index.js";
import { isObject } from "../control-plane/json-fields.js";
import { invalidRequest, type ServiceError } from "../errors.js";

type Body = Readonly<Record<string, unknown>>;

export function textIn(body: Body, name: string): string {
  const value = optionalTextIn(body, name);
  if (value !== undefined) return value;
  throw invalidRequest(`The field '${name}' is missing.`);
}

export function optionalTextIn(body: Body, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || typeof value === "string") return value;
  throw wrong(name, "a string", value);
}

export function numberIn(body: Body, name: string): number | undefined {
  const value = body[name];
  if (value === undefined || typeof value === "number") return value;
  throw wrong(name, "a number", value);
}

export function flagIn(body: Body, name: string): boolean {
  const value = body[name] ?? false;
  if (typeof value === "boolean") return value;
  throw wrong(name, "true or false", value);
}

export function objectIn(body: Body, name: string): Body | undefined {
  const value = body[name];
  if (value === undefined || isObject(value)) return value;
  throw wrong(name, "an object", value);
}

export function durationIn(body: Body): Duration {
  checkDuration(body);
  return body;
}

function wrong(name: string, wanted: string, value: unknown): ServiceError {
  return invalidRequest(`The field '${name}' must be ${wanted}, not ${JSON.stringify(value)}.`);
}
