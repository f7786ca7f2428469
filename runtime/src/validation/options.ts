import type { TelemetryProviders } from "../instrumentation.js";
import { unknownNames } from "./misspelt-name.js";
import type { Problem } from "./problem.js";
import { numberRule, predicateRule, problemOf, type Rule } from "./rule.js";

/** How one option is checked: by a rule, or by a function for lists and groups of options. */
export type Check = Rule | ((field: string, value: unknown) => readonly Problem[]);

/** Reports the problems of a value. */
export function check(by: Check, field: string, value: unknown): readonly Problem[] {
  if (typeof by === "function") return by(field, value);
  const problem = problemOf(by, field, value);
  return problem === undefined ? [] : [problem];
}

/**
 * Checks an object of options, each by its own check; options that are not set are valid, and
 * other names are reported.
 *
 * An empty field name means the outermost object, whose options have no prefix. A value that is
 * passed instead of that object is never shown, because it may be a key.
 *
 * @param nameProblems reports names without a check; by default every one. `misspeltNames` is for
 * an object that others put options of their own into
 */
export function optionsCheck<Options>(
  checks: Readonly<Record<keyof Options & string, Check>>,
  nameProblems = unknownNames,
): (field: string, value: unknown) => Problem[] {
  const names = Object.keys(checks);
  return (field, value) => {
    if (!isObject(value)) return [notAnObject(field, value)];
    const prefix = field === "" ? "" : `${field}.`;
    const problems = Object.entries<Check>(checks).flatMap(([name, by]) => {
      const set: unknown = Reflect.get(value, name);
      return set === undefined ? [] : check(by, prefix + name, set);
    });
    return [...nameProblems(value, names, prefix), ...problems];
  };
}

function notAnObject(field: string, value: unknown): Problem {
  if (field !== "") {
    const rule = predicateRule({ name: "type", requirement: "must be an object", test: isObject });
    const problem = problemOf(rule, field, value);
    if (problem !== undefined) return problem;
  }
  return { field: "options", rule: "type", message: "the options must be an object" };
}

/**
 * Checks a list whose items all meet a rule.
 *
 * @param whenEmpty why the list must not be empty; without it an empty list is valid
 */
export function listCheck(items: string, item: Rule, whenEmpty?: string): Check {
  return (field, value) => {
    const requirement = `must be a list of ${items}`;
    if (!Array.isArray(value)) {
      const rule = predicateRule({ name: "list", requirement, test: Array.isArray });
      return check(rule, field, value);
    }
    if (value.length === 0 && whenEmpty !== undefined) {
      return [{ field, rule: "list", message: `${field} is empty: ${whenEmpty}` }];
    }
    return value.flatMap((each, i) => check(item, `${field}[${i}]`, each));
  };
}

/** Accepts every value, for options that another library checks. */
export const unchecked: Check = () => [];

/** The longest time in milliseconds that Node's timers accept. */
export const LONGEST_MS = 2 ** 31 - 1;

/** A duration in milliseconds, at least 1. */
export const durationMs = numberRule(1, LONGEST_MS);

/** A duration in milliseconds that may be 0. */
export const delayMs = numberRule(0, LONGEST_MS);

export const positiveInteger = predicateRule({
  name: "positive-integer",
  requirement: "must be a positive whole number",
  test: (value) => Number.isSafeInteger(value) && Number(value) > 0,
});

export const boolean = predicateRule({
  name: "boolean",
  requirement: "must be true or false",
  test: (value) => typeof value === "boolean",
});

export const callable = predicateRule({
  name: "function",
  requirement: "must be a function",
  test: (value) => typeof value === "function",
});

export const nonEmptyString = predicateRule({
  name: "non-empty-string",
  requirement: "must be a string that is not empty",
  test: (value) => typeof value === "string" && value !== "",
});

/** An object that has these methods, such as a clock or a store. */
export function objectWith(requirement: string, ...methods: readonly string[]): Rule {
  return predicateRule({
    name: "object",
    requirement,
    test: (value) =>
      isObject(value) &&
      methods.every((method) => typeof Reflect.get(value, method) === "function"),
  });
}

export const clock = objectWith(
  "must be a clock, an object with the methods now and schedule",
  "now",
  "schedule",
);

export const eventCatalogue = predicateRule({
  name: "event-catalogue",
  requirement: "must be a catalogue made by defineEvents",
  test: (value) =>
    isObject(value) &&
    Array.isArray(Reflect.get(value, "types")) &&
    Reflect.get(value, "schemas") instanceof Map,
});

export const telemetry = optionsCheck<TelemetryProviders>({
  tracerProvider: objectWith("must be an OpenTelemetry tracer provider", "getTracer"),
  meterProvider: objectWith("must be an OpenTelemetry meter provider", "getMeter"),
});

/** Whether a value is an object with fields, and not null or a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
