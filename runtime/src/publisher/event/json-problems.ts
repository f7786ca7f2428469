import { types } from "node:util";
import { MAX_JSON_DEPTH } from "../../events/envelope/index.js";
import type { PathProblem } from "../../payload-problems.js";

/** The maximum number of reported problems; a list of thousands does not help. */
const MAX_PROBLEMS = 20;

/** Receivers refuse deeper JSON: the payload is inside an event, and the event inside an array. */
const MAX_DATA_DEPTH = MAX_JSON_DEPTH - 2;

/**
 * Finds everything that `JSON.stringify` would silently drop, alter or fail on, and keys that
 * receivers refuse.
 *
 * Members that are `undefined` are optional fields that are not set: `JSON.stringify` leaves them
 * out, and that is intended.
 */
export function jsonProblems(data: unknown): PathProblem[] {
  const problems: PathProblem[] = [];
  if (!isPlain(data, 0)) collectProblems(data, [], [], problems);
  return problems;
}

/**
 * Whether a payload is plain JSON data throughout. Most payloads are, and this check is several times
 * faster than the one that keeps track of paths. A cycle ends where the nesting is too deep.
 */
function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== "object") return primitiveProblem(value) === undefined;
  if (value === null) return true;
  if (depth === MAX_DATA_DEPTH || "toJSON" in value) return false;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      if (!isPlain(value[index], depth + 1)) return false;
    }
    return true;
  }
  if (!isPlainObject(value)) return false;
  // Faster than Object.keys by a third.
  for (const key in value) {
    const member = value[key];
    if (key === "__proto__" || key === "constructor") return false;
    if (member !== undefined && !isPlain(member, depth + 1)) return false;
  }
  return true;
}

function isPlainObject(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

type Path = (string | number)[];

function collectProblems(
  original: unknown,
  path: Path,
  ancestors: readonly object[],
  problems: PathProblem[],
): void {
  const report = (what: string) => {
    const at = pathText(path);
    problems.push({ path: at, message: `${at} ${what}` });
  };
  if (types.isDate(original)) {
    if (Number.isNaN(original.getTime())) report("is an invalid Date");
    return;
  }
  const value = converted(original, path);
  const problem =
    typeof value === "object" && value !== null
      ? objectProblem(value, ancestors)
      : primitiveProblem(value);
  if (problem !== undefined) report(problem);
  else if (typeof value === "object" && value !== null) {
    for (const [key, member] of membersOf(value)) {
      if (problems.length >= MAX_PROBLEMS) return;
      if (isForbidden(key, member)) report(`has the key "${key}", which receivers refuse`);
      else if (member !== undefined || Array.isArray(value)) {
        collectProblems(member, [...path, key], [...ancestors, value], problems);
      }
    }
  }
}

/** The value that `JSON.stringify` would write: the result of `toJSON` where there is one. */
function converted(value: unknown, path: Path): unknown {
  const hasToJson = typeof value === "object" && value !== null && "toJSON" in value;
  if (!hasToJson || typeof value.toJSON !== "function" || ArrayBuffer.isView(value)) return value;
  return value.toJSON(String(path.at(-1) ?? "data"));
}

function membersOf(value: object): Iterable<[string | number, unknown]> {
  // `entries` of an array includes holes, which JSON turns into null.
  return Array.isArray(value) ? value.entries() : Object.entries(value);
}

/** Keys that could pollute prototypes where a receiver copies the payload. */
function isForbidden(key: string | number, member: unknown): boolean {
  if (key === "__proto__") return true;
  return (
    key === "constructor" && typeof member === "object" && member !== null && "prototype" in member
  );
}

function primitiveProblem(value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "object":
      return undefined;
    case "number":
      return Number.isFinite(value) ? undefined : `is ${value}, which JSON cannot represent`;
    case "undefined":
      return "is undefined, which JSON would turn into null";
    case "bigint":
      return "is a BigInt, which JSON cannot represent: use a string";
    default:
      return `is a ${typeof value}, which JSON cannot represent`;
  }
}

function objectProblem(value: object, ancestors: readonly object[]): string | undefined {
  if (ancestors.includes(value)) return "refers back to an object that contains it";
  if (ancestors.length >= MAX_DATA_DEPTH) {
    return `is nested deeper than ${MAX_DATA_DEPTH} levels, which receivers refuse`;
  }
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) {
    return "is binary: pass a Uint8Array as the whole of data, or encode it as a string";
  }
  const { name } = value.constructor ?? {};
  // By name, because a plain object of another realm (a test runner's, for example) has another Object.
  if (name !== "Object" && name !== "Array" && Object.keys(value).length === 0) {
    return `is an instance of ${name}, of which JSON keeps nothing: use an object or an array`;
  }
  return undefined;
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const MAX_KEY_LENGTH = 80;

/** A path as code would write it: `data.lines[2].price`. */
function pathText(path: Path): string {
  let text = "data";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (IDENTIFIER.test(step) && step.length <= MAX_KEY_LENGTH) text += `.${step}`;
    else text += `[${JSON.stringify(step.slice(0, MAX_KEY_LENGTH))}]`;
  }
  return text;
}
