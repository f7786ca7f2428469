import { Fn, type IResolvable, Op, Token } from "cdktf";

/**
 * What a value must be. One rule checks literals when the stack is synthesized, and by Terraform
 * what is known only later, with the same words.
 */
export interface ValueRule {
  /** Says what the value must be: "must be …". */
  readonly must: string;
  /** How a message shows a wrong value: a URL without its query, a hidden one not at all. */
  readonly shown: "text" | "number" | "range" | "url" | "hidden";
  /** Whether a literal is right. */
  holds(value: unknown): boolean;
  /** The same by Terraform, of what stands for the value. */
  condition(later: string): IResolvable | string;
}

export const UUID_PATTERN =
  "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";

/** A text of a form. */
export function patternRule(must: string, pattern: string): ValueRule {
  const expression = new RegExp(pattern);
  return {
    must,
    shown: "text",
    holds: (value) => typeof value === "string" && expression.test(value),
    condition: (later) => Fn.can(Fn.regex(pattern, later)),
  };
}

/** An integer within limits. */
export function integerRule(min: number, max: number): ValueRule {
  return {
    must: `must be a whole number from ${min} to ${max}`,
    shown: "number",
    holds: (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
    // Of a variable without a type Terraform takes a text for a number.
    condition: (later) => {
      const whole = Op.eq(Fn.floor(Token.asNumber(later)), Fn.tonumber(later));
      const right = Op.and(whole, Op.and(Op.gte(later, min), Op.lte(later, max)));
      return Token.asString(Fn.try([right, false]));
    },
  };
}

/** One of a few words. */
export function choiceRule(...choices: readonly string[]): ValueRule {
  const list = choices.map((choice) => `"${choice}"`).join(", ");
  return patternRule(`must be one of ${list}`, `^(${choices.join("|")})$`);
}

export const booleanRule: ValueRule = {
  must: "must be true or false",
  shown: "text",
  holds: (value) => typeof value === "boolean",
  condition: (later) => Fn.can(Fn.tobool(later)),
};

export const uuidRule = patternRule(
  "must be a UUID such as 11111111-2222-3333-4444-555555555555",
  UUID_PATTERN,
);

export const resourceIdRule = patternRule(
  "must be a resource ID that begins with /subscriptions/{id}/resourceGroups/{name}/providers/",
  "^/subscriptions/[0-9a-fA-F-]{36}/resource[gG]roups/[^/]+/providers/[^/]+(/[^/]+/[^/]+)+$",
);

/** A kind of managed identity. */
export const identityTypeRule = choiceRule("SystemAssigned", "UserAssigned");

/** A text that is not empty. */
export const textRule = patternRule("must be a text that is not empty", "^.+$");

/** A text that is short enough, in characters. */
export function lengthRule(max: number): ValueRule {
  return {
    must: `must be a text of at most ${max} characters`,
    shown: "text",
    holds: (value) => typeof value === "string" && value.length <= max,
    condition: (later) => Op.lte(Fn.lengthOf(later), max),
  };
}

/** A text that is short enough, in bytes; it may be a secret. */
export function bytesRule(max: number): ValueRule {
  return {
    must: `must be a text of at most ${max} bytes`,
    shown: "hidden",
    holds: (value) => typeof value === "string" && Buffer.byteLength(value) <= max,
    // Terraform counts characters only. In base64, n bytes are 4n/3 characters, rounded up.
    condition: (later) => {
      const encoded = Fn.trimsuffix(Fn.trimsuffix(Fn.base64encode(later), "="), "=");
      return Op.lte(Fn.lengthOf(encoded), Math.ceil((max * 4) / 3));
    },
  };
}

/**
 * A time that the calendar has, in the only form that reads back as it was written: any other would
 * show a change at every plan.
 */
export const timeRule: ValueRule = {
  must: "must be a time in UTC and whole seconds such as 2030-01-01T00:00:00Z",
  shown: "text",
  holds: (value) => typeof value === "string" && isTime(value),
  condition: (later) =>
    Op.and(Fn.can(Fn.timeadd(later, "0s")), Fn.can(Fn.regex("^[^.]+Z$", later))),
};

const time = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

function isTime(text: string): boolean {
  const [, year, month, day] = time.exec(text) ?? [];
  // The month after, on its day 0, is this month on its last day.
  return Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
}

/** Whether a value has fields of its own. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A received value as a message shows it. */
export function received(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(shortened(value));
  if (typeof value === "number" || typeof value === "boolean")
    return `the ${typeof value} ${value}`;
  if (Array.isArray(value)) return isRangeLike(value) ? `[${value.join(", ")}]` : "a list";
  if (value === undefined) return "undefined";
  return value === null ? "null" : `a value of type ${typeof value}`;
}

function isRangeLike(list: readonly unknown[]): boolean {
  return list.length === 2 && list.every((item) => typeof item === "number");
}

function shortened(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
