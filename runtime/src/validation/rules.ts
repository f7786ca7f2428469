import { constants } from "node:os";
import { type RuleName, ruleAndText, type TextByRule } from "../errors.js";

/**
 * One requirement on a value, stated once: everything that checks such a value uses it, and the tables
 * of the documentation are tested against it.
 */
export interface Rule {
  /** Identifies the rule in a {@link Problem}; stable across releases. */
  readonly name: RuleName;
  /** Completes a sentence that begins with the field: "must be a UUID such as …". */
  readonly requirement: string;
  /** Whether messages must not show the value. @default false */
  readonly secret?: boolean;
  /** The regular expression that decides, for a rule about texts. */
  readonly pattern?: string;
  /** The only values that are valid, for a rule that lists them. */
  readonly choices?: readonly unknown[];
  /** The limits of a number, both inclusive, for a rule about one. */
  readonly range?: { readonly min: number; readonly max: number; readonly integer: boolean };
  /** The limits of a string's length, both inclusive, for a rule about one. */
  readonly length?: { readonly min?: number; readonly max?: number };
  /** Reports whether a value meets the requirement. */
  test(value: unknown): boolean;
  /** Explains why this value is invalid: `"https://…?…" has a query`. */
  explain?(value: unknown, shown: string): string | undefined;
}

/** What a rule consists of besides its test. */
interface RuleText extends Omit<Rule, "name" | "requirement" | "test"> {
  /** The requirement, by the name of the rule. */
  readonly requirement: TextByRule;
}

/** A rule that is decided by a function. */
export function predicateRule(rule: RuleText & Pick<Rule, "test">): Rule {
  const [name, requirement] = ruleAndText(rule.requirement);
  return { ...rule, name, requirement };
}

/** A rule for strings that is decided by a regular expression. */
export function patternRule(text: RuleText & { readonly pattern: string }): Rule {
  const expression = new RegExp(text.pattern);
  const test = (value: unknown) => typeof value === "string" && expression.test(value);
  return predicateRule({ ...text, test });
}

/** A rule that lists the valid values. */
export function choiceRule(...choices: readonly unknown[]): Rule {
  const list = choices.map((choice) => JSON.stringify(choice)).join(", ");
  return predicateRule({
    requirement: { choice: choices.length === 1 ? `must be ${list}` : `must be one of ${list}` },
    choices,
    test: (value) => choices.includes(value),
  });
}

/** A rule for whole numbers, limits included. */
export function integerRule(min: number, max: number): Rule {
  return predicateRule({
    requirement: { "integer-range": `must be a whole number from ${min} to ${max}` },
    range: { min, max, integer: true },
    test: (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
  });
}

/** A rule for numbers, limits included. */
export function numberRule(min: number, max: number): Rule {
  return predicateRule({
    requirement: { "number-range": `must be a number from ${min} to ${max}` },
    range: { min, max, integer: false },
    test: (value) => typeof value === "number" && value >= min && value <= max,
  });
}

/** A rule for values that meet at least one of several rules. */
export function anyOf(text: RuleText, ...rules: readonly Rule[]): Rule {
  return predicateRule({ ...text, test: (value) => rules.some((rule) => rule.test(value)) });
}

/** The longest time in milliseconds that Node's timers accept. */
export const LONGEST_MS = 2 ** 31 - 1;

/** A duration in milliseconds, at least 1. */
export const durationMs = numberRule(1, LONGEST_MS);

/** A duration in milliseconds that may be 0. */
export const delayMs = numberRule(0, LONGEST_MS);

export const positiveInteger = predicateRule({
  requirement: { "positive-integer": "must be a positive whole number" },
  test: (value) => Number.isSafeInteger(value) && Number(value) > 0,
});

export const boolean = predicateRule({
  requirement: { boolean: "must be true or false" },
  test: (value) => typeof value === "boolean",
});

export const callable = predicateRule({
  requirement: { function: "must be a function" },
  test: (value) => typeof value === "function",
});

export const nonEmptyString = predicateRule({
  requirement: { "non-empty-string": "must be a string that is not empty" },
  test: (value) => typeof value === "string" && value !== "",
});

/** An object that has these methods, such as a clock or a store. */
export function objectWith(requirement: string, ...methods: readonly string[]): Rule {
  return predicateRule({
    requirement: { object: requirement },
    test: (value) =>
      isObject(value) &&
      methods.every((method) => typeof Reflect.get(value, method) === "function"),
  });
}

export const eventCatalogue = predicateRule({
  requirement: { "event-catalogue": "must be a catalogue made by defineEvents" },
  test: (value) =>
    isObject(value) &&
    Array.isArray(Reflect.get(value, "types")) &&
    Reflect.get(value, "schemas") instanceof Map,
});

/** A signal that a process can catch. */
export const signal = predicateRule({
  requirement: { signal: "must be a signal that a process can catch, such as SIGTERM" },
  test: (value) =>
    typeof value === "string" &&
    Object.hasOwn(constants.signals, value) &&
    value !== "SIGKILL" &&
    value !== "SIGSTOP",
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

/** Reports whether a value is an object with fields, and not null or a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * A type of events, in a catalogue and in the filter of an event subscription. A space within it is
 * valid, which neither CloudEvents nor Microsoft's documentation forbids; Event Grid has no patterns.
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md#type
 * @see https://learn.microsoft.com/azure/event-grid/event-filtering#event-type-filtering
 */
export const eventTypeRule = predicateRule({
  requirement: { "event-type": "must be an event type such as shop.order.placed" },
  test: (value) => typeof value === "string" && EVENT_TYPE.test(value),
  explain: (value, shown) =>
    String(value).includes("*")
      ? `${shown} is a pattern, which only the handlers of a listener may use`
      : undefined,
});

/** Neither a pattern, nor the beginning of a type, nor a type with something that was pasted with it. */
const EVENT_TYPE = /^(?![\s\S]*[*\p{Cc}])\S([\s\S]*[^\s.])?$/u;
