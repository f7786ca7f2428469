import {
  conditional,
  Fn,
  FOR_EXPRESSION_KEY,
  FOR_EXPRESSION_VALUE,
  forExpression,
  type Precondition,
  Token,
} from "cdktf";
import { functionArgument } from "../terraform/index.js";
import { unlessSensitive } from "./sensitive.js";
import { received, type ValueRule } from "./value-rule.js";

/** A value, where it comes from and what it must be. */
export interface Check {
  readonly field: string;
  readonly value: unknown;
  readonly rule: ValueRule;
  /** The value is a list, and the rule is for each of its items. */
  readonly items?: boolean;
  /** The value decides what is made, and has to be known at synthesis. */
  readonly early?: boolean;
  readonly required?: boolean;
}

/** What is wrong with a literal, or the literals of a list, and what is known too late. */
export function problemsOf(check: Check): string[] {
  const { field, value, rule } = check;
  if (value === undefined) return check.required ? [`${field} is required`] : [];
  if (check.early && Token.isUnresolved(value)) return earlyProblems({ [field]: value });
  if (check.items && !Array.isArray(value)) return [noList(field, value)];
  if (Token.isUnresolved(value)) return [];
  if (check.items) return itemsOf(check).flatMap(problemsOf);
  if (rule.holds(value)) return [];
  const tail = rule.shown === "hidden" ? HIDDEN : `, but is ${received(value)}`;
  return [`${field} ${rule.must}${tail}`];
}

/** What is said of a value that is no list. */
export function noList(field: string, value: unknown): string {
  const but = Token.isUnresolved(value)
    ? "a token of one value: put it into Token.asList(…)"
    : received(value);
  return `${field} must be a list, but is ${but}`;
}

/** The same check by Terraform, of what is known only later; nothing for literals. */
export function preconditionsOf(check: Check): Precondition[] {
  const { field, value, rule } = check;
  if (value === undefined || check.early) return [];
  if (!Token.isUnresolved(value)) {
    return check.items ? itemsOf(check).flatMap(preconditionsOf) : [];
  }
  if (check.items) return [everyItem(check)];
  const later = Token.asString(value);
  const requirement = `${field} ${rule.must}`;
  return [
    {
      condition: rule.condition(functionArgument(later)),
      errorMessage: unlessHidden(rule, `${requirement}, but is ${shown(rule, later)}`, requirement),
    },
  ];
}

function shown(rule: ValueRule, later: string): string {
  if (rule.shown === "number") return `the number ${later}`;
  if (rule.shown === "text") return `"${later}"`;
  if (rule.shown === "range") return `[${Fn.join(", ", Token.asList(later))}]`;
  // A URL's query is often a secret.
  return `"${Token.asString(Fn.replace(functionArgument(later), "/[?#].*$/", "?…"))}"`;
}

function unlessHidden(rule: ValueRule, message: string, requirement: string): string {
  const hidden = `${requirement}${HIDDEN}`;
  return rule.shown === "hidden" ? hidden : unlessSensitive(message, hidden);
}

/** What is wrong with options that decide what is made: they have to be known by now. */
export function earlyProblems(options: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(options)
    .filter(([, value]) => Token.isUnresolved(value))
    .map(([field]) => `${field} must be known before anything is deployed: write the value itself`);
}

const HIDDEN = " (its value is not shown)";

function itemsOf({ items: _, field, value, ...check }: Check): Check[] {
  if (!Array.isArray(value)) return [];
  return value.map((item, i) => ({ ...check, field: `${field}[${i}]`, value: item }));
}

/** One precondition for a list that is known only later, whose message names every wrong item. */
function everyItem({ field, value, rule }: Check): Precondition {
  const right = rule.condition(Token.asString(FOR_EXPRESSION_VALUE));
  const item =
    rule.shown === "range"
      ? Fn.join(", ", Token.asList(FOR_EXPRESSION_VALUE))
      : FOR_EXPRESSION_VALUE;
  const format = `${field}[%v] ${rule.must.replaceAll("%", "%%")}, but is ${verbOf(rule)}`;
  const message = Fn.format(format, [FOR_EXPRESSION_KEY, item]);
  const messages = Token.asList(forExpression(value, conditional(right, "", message)));
  return {
    condition: Fn.alltrue(Token.asList(forExpression(value, right))),
    errorMessage: unlessHidden(
      rule,
      Token.asString(Fn.join("; ", Token.asList(Fn.compact(messages)))),
      `each of ${field} ${rule.must}`,
    ),
  };
}

/** How Terraform's `format` shows an item. */
function verbOf({ shown }: ValueRule): string {
  if (shown === "number") return "the number %v";
  return shown === "range" ? "[%s]" : "%q";
}
