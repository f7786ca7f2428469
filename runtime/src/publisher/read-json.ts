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

/** A payload as JSON holds it, or why it does not. */
export interface JsonReading {
  /** Plain data, without a `toJSON` that could say something else the next time. */
  readonly value: unknown;
  readonly problems: readonly JsonProblem[];
}

/**
 * Reads a payload, and finds what `JSON.stringify` would drop, alter or fail at.
 *
 * Objects with a `toJSON` of their own are what it returns; other instances are their enumerable
 * properties. As in all of JSON, members with a symbol for a name, those that are not enumerable, and
 * those of an array besides its items are not part of the data.
 */
export function readJson(data: unknown): JsonReading {
  if (isPlainOrThrows(data)) return { value: data, problems: NONE };
  const walk = new Walk();
  const value = walk.value(data);
  return { value, problems: walk.problems };
}

const NONE: readonly JsonProblem[] = [];

function isPlainOrThrows(data: unknown): boolean {
  try {
    return isPlain(data, 0);
  } catch {
    // A getter or a proxy throws; the walk below tells where.
    return false;
  }
}

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
  if (!isPlainObject(value)) return false;
  // Takes two thirds of the time of going through `Object.keys`.
  for (const key in value) {
    if (key === "__proto__" || key === "constructor") return false;
    if (!isPlain(value[key], depth + 1)) return false;
  }
  return true;
}

function isPlainObject(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Stands for what a problem was found with already. */
const WITHOUT_JSON = Symbol("without JSON");

class Walk {
  readonly problems: JsonProblem[] = [];
  readonly #path: (string | number)[] = [];
  readonly #ancestors: object[] = [];

  /** @returns what goes out for the value, unless a problem was found */
  value(value: unknown): unknown {
    if (typeof value === "object") return value === null ? null : this.#object(value);
    const why = lossyPrimitive(value);
    if (why !== undefined) this.#add(why);
    return value;
  }

  #object(given: object): unknown {
    const depth = this.#ancestors.length;
    try {
      const value = this.#asJson(given);
      if (typeof value !== "object" || value === null) {
        return value === WITHOUT_JSON ? undefined : this.value(value);
      }
      const why = this.#nestingProblem(value) ?? lossyKind(value);
      if (why !== undefined) return this.#add(why);
      this.#ancestors.push(value);
      return Array.isArray(value) ? this.#items(value) : this.#members(value);
    } catch {
      return this.#add("throws when it is read");
    } finally {
      this.#ancestors.length = depth;
    }
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

  #items(items: readonly unknown[]): unknown[] {
    const copy: unknown[] = [];
    // By index: a hole is an undefined.
    for (let index = 0; index < items.length && this.#goesOn; index += 1) {
      copy.push(this.#step(items, index));
    }
    return copy;
  }

  #members(value: object): Record<string, unknown> {
    const copy: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      if (!this.#goesOn) break;
      if (key === "__proto__") this.#add(`has the key "${key}", which receivers refuse`);
      else copy[key] = this.#step(value, key);
      if (key === "constructor" && hasPrototype(copy[key])) {
        this.#add(`has the key "${key}", which receivers refuse`);
      }
    }
    return copy;
  }

  #step(parent: object, key: string | number): unknown {
    this.#path.push(key);
    try {
      return this.value(Reflect.get(parent, key));
    } catch {
      return this.#add("throws when it is read");
    } finally {
      this.#path.pop();
    }
  }

  get #goesOn(): boolean {
    return this.problems.length < MAX_PROBLEMS;
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
  if (prototype === null || isObjectPrototype(prototype) || Array.isArray(value)) return undefined;
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

/** Test runners and `node:vm` have globals of their own, and so another `Object`. */
function isObjectPrototype(prototype: object): boolean {
  if (prototype === Object.prototype) return true;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "hasOwnProperty");
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
