import { constants } from "node:os";
import { shownValue } from "../binding/shown-value.js";
import { isUuid } from "../binding/uuid.js";

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

export const portNumber = rule(
  "a whole number from 0 to 65535, 0 for a free one",
  (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
);

export const flag = rule("true or false", (value) => typeof value === "boolean");

export const callable = rule("a function", isCallable);

export const text = rule("a text that is not empty", isText);

export const routePath = rule(
  "a path such as /healthz, without *, : and escapes",
  (value) => typeof value === "string" && /^\/[^\s?#*:%]*$/.test(value),
);

export const uuids = listOf("UUIDs", (value) => typeof value === "string" && isUuid(value));

export const texts = listOf("texts", isText);

export const origins = listOf(
  "host names such as eventgrid.azure.net, without https://",
  (value) => typeof value === "string" && /^[^\s/:]+(?::\d+)?$/.test(value),
);

export const signals = listOf(
  "signals that a process can catch, such as SIGTERM",
  (value) =>
    typeof value === "string" &&
    Object.hasOwn(constants.signals, value) &&
    value !== "SIGKILL" &&
    value !== "SIGSTOP",
);

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

/** Settings below another one; what is not set is right. */
export function group(rules: Readonly<Record<string, Rule>>): Rule {
  return (name, value) => {
    if (!isObject(value)) return [problem(name, value, "an object of settings")];
    const prefix = name === "" ? "" : `${name}.`;
    return Object.entries(rules).flatMap(([key, one]) => {
      const set: unknown = Reflect.get(value, key);
      return set === undefined ? [] : one(prefix + key, set);
    });
  };
}

/** A rule that only says yes or no. */
export function rule(must: string, isRight: (value: unknown) => boolean): Rule {
  return (name, value) => (isRight(value) ? [] : [problem(name, value, must)]);
}

function listOf(elements: string, isRight: (value: unknown) => boolean): Rule {
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

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isCallable(value: unknown): boolean {
  return typeof value === "function";
}

export function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
