import { nearName } from "./binding/near-name.js";
import { shownValue } from "./binding/shown-value.js";
import type { TelemetryProviders } from "./instrumentation.js";

/** Says what is wrong with the value of a setting, in sentences that name it. */
export type Rule = (name: string, value: unknown) => string[];

/** The longest wait that Node's timers keep. */
export const LONGEST_MS = 2 ** 31 - 1;

export const positiveWhole = rule(
  "a positive whole number",
  (value) => Number.isSafeInteger(value) && Number(value) > 0,
);

export function numberFrom(least: number, most: number): Rule {
  return rule(
    `a number from ${least} to ${most}`,
    (value) => typeof value === "number" && value >= least && value <= most,
  );
}

export const duration = numberFrom(1, LONGEST_MS);

/** A duration, or no time at all. */
export const wait = numberFrom(0, LONGEST_MS);

export const flag = rule("true or false", (value) => typeof value === "boolean");

export const callable = rule("a function", isCallable);

export const text = rule("a text that is not empty", isText);

export function oneOf(...choices: readonly unknown[]): Rule {
  const list = choices.map((choice) => JSON.stringify(choice)).join(", ");
  return rule(`one of ${list}`, (value) => choices.includes(value));
}

/** One of two kinds of values: what one of the rules accepts is right. */
export function either(must: string, ...rules: readonly Rule[]): Rule {
  return rule(must, (value) => rules.some((one) => one("", value).length === 0));
}

/** A list without a single element is refused too, where it would let nothing happen. */
export function notEmpty(list: Rule, otherwise: string): Rule {
  return (name, value) =>
    Array.isArray(value) && value.length === 0
      ? [`${name} is empty: ${otherwise}`]
      : list(name, value);
}

/** An object with these functions. */
export function withMethods(must: string, ...methods: readonly string[]): Rule {
  return rule(
    must,
    (value) => isObject(value) && methods.every((method) => isCallable(Reflect.get(value, method))),
  );
}

export const catalogue = rule(
  "a catalogue made by defineEvents",
  (value) =>
    isObject(value) &&
    Array.isArray(Reflect.get(value, "types")) &&
    Reflect.get(value, "schemas") instanceof Map,
);

/** What is looked at elsewhere, or is the affair of others. */
export const anything: Rule = () => [];

/** Settings below another one, or all of them where the name is empty; what is not set is right. */
export function group<Settings>(rules: Readonly<Record<keyof Settings & string, Rule>>): Rule {
  const names = Object.keys(rules);
  return (name, value) => {
    // What is given in place of all options may be a key: it is not shown.
    if (name === "" && !isObject(value)) return ["the options must be an object"];
    if (!isObject(value)) return [problem(name, value, "an object of settings")];
    const prefix = name === "" ? "" : `${name}.`;
    const settings = Object.entries<Rule>(rules).flatMap(([key, one]) => {
      const set: unknown = Reflect.get(value, key);
      return set === undefined ? [] : one(prefix + key, set);
    });
    return [...misspelt(value, names, prefix), ...settings];
  };
}

/** Names like none of the known ones are left to others: options may be shared with who reads them. */
function misspelt(settings: object, names: readonly string[], prefix: string): string[] {
  return Object.keys(settings).flatMap((key) => {
    const meant = names.includes(key) ? undefined : nearName(key, names);
    // What others read is not read here, be it only to see whether it is there.
    if (meant === undefined || Reflect.get(settings, key) === undefined) return [];
    return [`${prefix}${key} is unknown: did you mean ${meant}?`];
  });
}

export const telemetry = group<TelemetryProviders>({
  tracerProvider: withMethods("a tracer provider of OpenTelemetry", "getTracer"),
  meterProvider: withMethods("a meter provider of OpenTelemetry", "getMeter"),
});

/** A rule that only says yes or no. */
export function rule(must: string, isRight: (value: unknown) => boolean): Rule {
  return (name, value) => (isRight(value) ? [] : [problem(name, value, must)]);
}

/** A list whose elements all are of a kind. */
export function listOf(elements: string, isRight: (value: unknown) => boolean): Rule {
  return (name, value) => {
    const must = `a list of ${elements}`;
    if (!Array.isArray(value)) return [problem(name, value, must)];
    const wrong = value.findIndex((element) => !isRight(element));
    return wrong < 0 ? [] : [problem(`${name}[${wrong}]`, value[wrong], `${must}`, name)];
  };
}

function problem(name: string, value: unknown, must: string, whole = "it"): string {
  const shown = typeof value === "number" ? String(value) : shownValue(value);
  return `${name} is ${shown}: ${whole} must be ${must}`;
}

export function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isCallable(value: unknown): boolean {
  return typeof value === "function";
}

export function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
