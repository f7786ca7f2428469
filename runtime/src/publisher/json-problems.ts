import { types } from "node:util";
import { MAX_JSON_DEPTH } from "../events/envelope-json.js";

/** Something in a payload that JSON cannot hold. */
export interface JsonProblem {
  /** Where: `data.lines[2].price`. */
  readonly path: string;
  /** What is there, as the end of a sentence that begins with the path. */
  readonly why: string;
}

/** A payload with this many problems needs no longer list. */
const MAX_PROBLEMS = 20;

/** A payload lies in an event, and an event in an array. */
const MAX_DATA_DEPTH = MAX_JSON_DEPTH - 2;

/**
 * Finds what `JSON.stringify` would drop, alter or fail at.
 *
 * Objects with a `toJSON` of their own are what it returns; other instances are their enumerable
 * properties.
 */
export function jsonProblems(data: unknown): readonly JsonProblem[] {
  if (isPlain(data, 0)) return NONE;
  const walk = new Walk();
  walk.value(data);
  return walk.problems;
}

const NONE: readonly JsonProblem[] = [];

/**
 * Whether all of it is what JSON holds, at a glance: most payloads are, and need no path to be kept.
 * A cycle ends where the nesting is too deep.
 */
function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== "object") return lossyPrimitive(value) === undefined;
  if (value === null) return true;
  if (depth === MAX_DATA_DEPTH || "toJSON" in value) return false;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      if (!isPlain(value[index], depth + 1)) return false;
    }
    return true;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const key of Object.keys(value)) {
    if (key === "__proto__" || key === "constructor") return false;
    if (!isPlain(Reflect.get(value, key), depth + 1)) return false;
  }
  return true;
}

/** Stands for what a problem was found with already. */
const WITHOUT_JSON = Symbol("without JSON");

class Walk {
  readonly problems: JsonProblem[] = [];
  readonly #path: (string | number)[] = [];
  readonly #ancestors: object[] = [];

  value(value: unknown): void {
    if (typeof value === "object") {
      if (value !== null) this.#object(value);
      return;
    }
    const why = lossyPrimitive(value);
    if (why !== undefined) this.#add(why);
  }

  #object(given: object): void {
    const value = this.#asJson(given);
    if (typeof value !== "object" || value === null) {
      if (value !== WITHOUT_JSON) this.value(value);
      return;
    }
    const why = this.#nestingProblem(value) ?? lossyKind(value);
    if (why !== undefined) {
      this.#add(why);
      return;
    }
    this.#ancestors.push(value);
    if (Array.isArray(value)) this.#items(value);
    else this.#members(value);
    this.#ancestors.pop();
  }

  #nestingProblem(value: object): string | undefined {
    const at = this.#ancestors.indexOf(value);
    if (at !== -1) return `refers back to ${shown(this.#path.slice(0, at))}`;
    if (this.#ancestors.length < MAX_DATA_DEPTH) return undefined;
    return `nests deeper than ${MAX_DATA_DEPTH} levels, which receivers refuse`;
  }

  /** What the object's own `toJSON` makes of it, if it has one. */
  #asJson(value: object): unknown {
    if (!("toJSON" in value) || typeof value.toJSON !== "function") return value;
    if (ArrayBuffer.isView(value)) return value;
    if (types.isDate(value) && Number.isNaN(value.getTime())) {
      this.#add("is an invalid Date");
      return WITHOUT_JSON;
    }
    try {
      return value.toJSON(String(this.#path.at(-1) ?? "data"));
    } catch {
      this.#add("has a toJSON that throws");
      return WITHOUT_JSON;
    }
  }

  #items(items: readonly unknown[]): void {
    // By index: a hole is an undefined.
    for (let index = 0; index < items.length; index += 1) this.#step(index, items[index]);
  }

  #members(value: object): void {
    for (const [key, member] of Object.entries(value)) {
      if (key === "__proto__" || (key === "constructor" && hasPrototype(member))) {
        this.#add(`has the key "${key}", which receivers refuse`);
      }
      this.#step(key, member);
    }
  }

  #step(key: string | number, value: unknown): void {
    if (this.problems.length >= MAX_PROBLEMS) return;
    this.#path.push(key);
    this.value(value);
    this.#path.pop();
  }

  #add(why: string): void {
    this.problems.push({ path: shown(this.#path), why });
  }
}

function lossyPrimitive(value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
    case "boolean":
      return undefined;
    case "number":
      return Number.isFinite(value) ? undefined : `is ${value}, which JSON cannot hold`;
    case "undefined":
      return "is undefined, which JSON cannot hold: leave it out, or use null";
    case "bigint":
      return "is a BigInt, which JSON cannot hold: use a string";
    default:
      return `is a ${typeof value}, which JSON cannot hold`;
  }
}

function hasPrototype(value: unknown): boolean {
  return typeof value === "object" && value !== null && "prototype" in value;
}

/** Of objects that JSON would make something else of. */
function lossyKind(value: object): string | undefined {
  const prototype: object | null = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null || Array.isArray(value)) {
    return undefined;
  }
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) {
    return "is binary, which JSON cannot hold: make the Uint8Array the whole data, or encode it";
  }
  if (types.isBoxedPrimitive(value)) return "is a wrapped primitive: use the plain value";
  if (types.isNativeError(value)) return "is an Error, which JSON makes empty: pick what to tell";
  const hidden = types.isMap(value) || types.isSet(value) || Object.keys(value).length === 0;
  return hidden
    ? `is a ${className(prototype)}, of which JSON would keep nothing: make it an object or an array`
    : undefined;
}

function className(prototype: object): string {
  const made: unknown = Reflect.get(prototype, "constructor");
  return (typeof made === "function" && made.name) || "class instance";
}

const plainKey = /^[A-Za-z_$][\w$]*$/;
const LONGEST_KEY = 80;

function shown(path: readonly (string | number)[]): string {
  let text = "data";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (plainKey.test(step) && step.length <= LONGEST_KEY) text += `.${step}`;
    else text += `[${JSON.stringify(step.slice(0, LONGEST_KEY))}]`;
  }
  return text;
}
