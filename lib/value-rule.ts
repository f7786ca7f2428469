import { Fn, Op, type Precondition, Token } from "cdktf";
import { functionArgument } from "./function-argument.js";

/**
 * What a value must be. One rule checks literals when the stack is synthesized, and by Terraform
 * what is known only later, with the same words.
 */
export type ValueRule = TextRule | NumberRule;

interface TextRule {
  /** Says what the value must be: "must be …". */
  readonly must: string;
  /** Regular expression, in what JavaScript's and Terraform's have in common. */
  readonly pattern: string;
  /** Whether the value is never shown. */
  readonly secret?: boolean;
}

interface NumberRule {
  readonly must: string;
  readonly min: number;
  readonly max: number;
}

/** A value, where it comes from and what it must be. */
export interface Check {
  readonly field: string;
  readonly value: unknown;
  readonly rule: ValueRule;
}

export const UUID_PATTERN =
  "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";

export const uuidRule: ValueRule = {
  must: "must be a UUID such as 11111111-2222-3333-4444-555555555555",
  pattern: UUID_PATTERN,
};

export const timeRule: ValueRule = {
  must: "must be an RFC 3339 time such as 2030-01-01T00:00:00Z",
  pattern:
    "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]+)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$",
};

export const resourceIdRule: ValueRule = {
  must: "must be a resource ID that begins with /subscriptions/{id}/resourceGroups/{name}/providers/",
  pattern:
    "^/subscriptions/[0-9a-fA-F-]{36}/resource[gG]roups/[^/]+/providers/[^/]+(/[^/]+/[^/]+)+$",
};

/** A text that is not empty. */
export const textRule: ValueRule = { must: "must be a text that is not empty", pattern: "^.+$" };

/** An integer within limits. */
export function integerRule(min: number, max: number): ValueRule {
  return { must: `must be a whole number from ${min} to ${max}`, min, max };
}

/** One of a few words. */
export function choiceRule(...choices: readonly string[]): ValueRule {
  const list = choices.map((choice) => `"${choice}"`).join(", ");
  return { must: `must be one of ${list}`, pattern: `^(${choices.join("|")})$` };
}

/** What is wrong with a literal; undefined where nothing is, and for what is known only later. */
export function problemOf({ field, value, rule }: Check): string | undefined {
  if (value === undefined || Token.isUnresolved(value) || holds(rule, value)) return undefined;
  if ("pattern" in rule && rule.secret) return `${field} ${rule.must} (its value is not shown)`;
  return `${field} ${rule.must}, but is ${received(value)}`;
}

/** The same check by Terraform; undefined for literals. */
export function preconditionOf({ field, value, rule }: Check): Precondition | undefined {
  if (value === undefined || !Token.isUnresolved(value)) return undefined;
  const later = Token.asString(value);
  if ("min" in rule) {
    return {
      condition: Op.and(Op.gte(value, rule.min), Op.lte(value, rule.max)),
      errorMessage: `${field} ${rule.must}, but is the number ${later}`,
    };
  }
  const shown = rule.secret ? " (its value is not shown)" : `, but is "${later}"`;
  return {
    condition: Fn.can(Fn.regex(rule.pattern, functionArgument(later))),
    errorMessage: `${field} ${rule.must}${shown}`,
  };
}

/** A received value as a message shows it. */
export function received(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number" || typeof value === "boolean")
    return `the ${typeof value} ${value}`;
  if (Array.isArray(value)) return "a list";
  if (value === undefined) return "undefined";
  return value === null ? "null" : `a value of type ${typeof value}`;
}

function holds(rule: ValueRule, value: unknown): boolean {
  if ("min" in rule) {
    return Number.isInteger(value) && Number(value) >= rule.min && Number(value) <= rule.max;
  }
  return typeof value === "string" && new RegExp(rule.pattern).test(value);
}
