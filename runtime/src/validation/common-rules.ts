import { constants } from "node:os";
import type { TelemetryProviders } from "../observability/index.js";
import { group, isObject } from "./composite-checks.js";
import { numberRule, predicateRule, type Rule } from "./rule.js";

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

export const eventCatalogue = predicateRule({
  name: "event-catalogue",
  requirement: "must be a catalogue made by defineEvents",
  test: (value) =>
    isObject(value) &&
    Array.isArray(Reflect.get(value, "types")) &&
    Reflect.get(value, "schemas") instanceof Map,
});

export const telemetry = group<TelemetryProviders>({
  tracerProvider: objectWith("must be an OpenTelemetry tracer provider", "getTracer"),
  meterProvider: objectWith("must be an OpenTelemetry meter provider", "getMeter"),
});

/** A signal that a process can catch. */
export const signal = predicateRule({
  name: "signal",
  requirement: "must be a signal that a process can catch, such as SIGTERM",
  test: (value) =>
    typeof value === "string" &&
    Object.hasOwn(constants.signals, value) &&
    value !== "SIGKILL" &&
    value !== "SIGSTOP",
});

/** The path of a health route. */
export const routePath = predicateRule({
  name: "path",
  requirement: "must be a path such as /healthz, without *, : and escapes",
  test: (value) => typeof value === "string" && /^\/[^\s?#*:%]*$/.test(value),
});

/** A logger with the methods that this package calls. */
export const log = objectWith(
  "must be a logger with debug, info, warn, error and child, such as pino",
  "debug",
  "info",
  "warn",
  "error",
  "child",
);
