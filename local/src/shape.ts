import { inspect } from "node:util";
import { isObject } from "./control-plane/json-fields.js";

/**
 * Reads untyped JSON into a type: `undefined` for what does not fit, with a problem for each place
 * that does not, so that a person sees all of them at once.
 */
export type Shape<T> = (value: unknown, place: string, problems: string[]) => T | undefined;

/** What a shape reads. */
export type Read<S> = S extends Shape<infer T> ? T : never;

export const text = primitive<string>("string", "a text");
export const flag = primitive<boolean>("boolean", "true or false");

/** A text of a form that the wording tells. */
export function matching(form: RegExp, wording: string): Shape<string> {
  return custom((value): value is string => typeof value === "string" && form.test(value), wording);
}

/** To be judged elsewhere. */
export const anything = custom((_): _ is unknown => true, "anything");

/** An object with any fields. */
export const anyObject = custom(isObject, "an object");

export const number = custom((value): value is number => Number.isFinite(value), "a number");

/** A number that may have a fraction. */
export function numberFrom(least: number): Shape<number> {
  return custom(
    (value): value is number => typeof value === "number" && value >= least,
    `a number, ${least} or more`,
  );
}

/** A whole number within bounds, both included. */
export function integer(least: number, most: number): Shape<number> {
  return (value, place, problems) => {
    if (Number.isInteger(value) && Number(value) >= least && Number(value) <= most) {
      return Number(value);
    }
    problems.push(`${place} must be a whole number from ${least} to ${most}, not ${show(value)}`);
    return undefined;
  };
}

export function oneOf<const T extends string | number>(...allowed: T[]): Shape<T> {
  return (value, place, problems) => {
    const found = allowed.find((each) => each === value);
    if (found === undefined) {
      problems.push(`${place} must be ${allowed.map(show).join(" or ")}, not ${show(value)}`);
    }
    return found;
  };
}

export function list<T>(element: Shape<T>): Shape<T[]> {
  return (value, place, problems) => {
    if (!Array.isArray(value)) {
      problems.push(`${place} must be a list, not ${show(value)}`);
      return undefined;
    }
    return value.flatMap((each, index) => {
      const read = element(each, `${place}[${index}]`, problems);
      return read === undefined ? [] : [read];
    });
  };
}

/** Any names, with values of one shape. */
export function record<T>(element: Shape<T>): Shape<Record<string, T>> {
  return (value, place, problems) => {
    if (!isObject(value)) {
      problems.push(`${place} must be an object, not ${show(value)}`);
      return undefined;
    }
    const entries = Object.entries(value).flatMap(([name, each]) => {
      const read = element(each, `${place}[${JSON.stringify(name)}]`, problems);
      return read === undefined ? [] : [[name, read] as const];
    });
    return Object.fromEntries(entries);
  };
}

type Shapes = Readonly<Record<string, Shape<unknown>>>;
type ObjectOf<R extends Shapes, O extends Shapes> = { [K in keyof R]: Read<R[K]> } & {
  [K in keyof O]?: Read<O[K]>;
};

/**
 * An object with these fields and no others.
 *
 * @param others whether it may have others, that are not looked at
 */
export function object<R extends Shapes, O extends Shapes>(
  required: R,
  optional: O,
  { others = false }: { readonly others?: boolean } = {},
): Shape<ObjectOf<R, O>> {
  const shapes: Shapes = { ...required, ...optional };
  const known = Object.keys(shapes);
  return (value, place, problems) => {
    if (!isObject(value)) {
      problems.push(`${place || "it"} must be an object, not ${show(value)}`);
      return undefined;
    }
    const before = problems.length;
    const read: Record<string, unknown> = {};
    for (const [name, each] of Object.entries(value)) {
      // In code a field that is left out may be there, without a value.
      if (each === undefined && Object.hasOwn(optional, name)) continue;
      const shape = Object.hasOwn(shapes, name) ? shapes[name] : undefined;
      const at = place === "" ? name : `${place}.${name}`;
      if (shape) read[name] = shape(each, at, problems);
      else if (!others) problems.push(`${at} is unknown; there are ${known.join(", ")}`);
    }
    for (const name of Object.keys(required)) {
      if (!Object.hasOwn(value, name))
        problems.push(`${place === "" ? name : `${place}.${name}`} is missing`);
    }
    return problems.length === before ? (read as ObjectOf<R, O>) : undefined;
  };
}

/** An object whose field `tag` says which of the shapes it has. */
export function variant<V extends Shapes>(tag: string, shapes: V): Shape<Read<V[keyof V]>> {
  return (value, place, problems) => {
    const found = isObject(value) ? value[tag] : undefined;
    const shape = typeof found === "string" && Object.hasOwn(shapes, found) && shapes[found];
    if (shape) return shape(value, place, problems) as Read<V[keyof V]> | undefined;
    const allowed = Object.keys(shapes).map(show).join(" or ");
    problems.push(`${place}.${tag} must be ${allowed}, not ${show(found ?? null)}`);
    return undefined;
  };
}

/** What a test of one's own takes for a `T`. */
export function custom<T>(test: (value: unknown) => value is T, wording: string): Shape<T> {
  return (value, place, problems) => {
    if (test(value)) return value;
    problems.push(`${place} must be ${wording}, not ${show(value)}`);
    return undefined;
  };
}

/** Fits nothing: where others have not fitted, it says what would have. */
export function nothing(wording: string): Shape<never> {
  return custom((_): _ is never => false, wording);
}

/** The first shape where it fits, else the second. */
export function either<A, B>(first: Shape<A>, second: Shape<B>): Shape<A | B> {
  return (value, place, problems) => first(value, place, []) ?? second(value, place, problems);
}

function primitive<T extends string | boolean>(type: "string" | "boolean", wording: string) {
  const shape: Shape<T> = (value, place, problems) => {
    if (typeof value === type) return value as T;
    problems.push(`${place} must be ${wording}, not ${show(value)}`);
    return undefined;
  };
  return shape;
}

/** Short, and without what an object may hold in secret. */
function show(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (isObject(value)) return "an object";
  return typeof value === "string" ? JSON.stringify(value) : inspect(value);
}
