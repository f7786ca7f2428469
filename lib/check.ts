import {
  conditional,
  Fn,
  FOR_EXPRESSION_KEY,
  FOR_EXPRESSION_VALUE,
  forExpression,
  type Precondition,
  Token,
} from "cdktf";
import { functionArgument } from "./function-argument.js";
import { received, type ValueRule } from "./value-rule.js";

/** A value, where it comes from and what it must be. */
export interface Check {
  readonly field: string;
  readonly value: unknown;
  readonly rule: ValueRule;
  /** The value is a list, and the rule is for each of its items. */
  readonly items?: boolean;
}

/** What is wrong with a literal, or the literals of a list; nothing of what is known only later. */
export function problemsOf(check: Check): string[] {
  const { field, value, rule } = check;
  if (value === undefined || Token.isUnresolved(value)) return [];
  if (check.items) return itemsOf(check).flatMap(problemsOf);
  if (rule.holds(value)) return [];
  const tail = rule.shown === "hidden" ? HIDDEN : `, but is ${received(value)}`;
  return [`${field} ${rule.must}${tail}`];
}

/** The same check by Terraform, of what is known only later; nothing for literals. */
export function preconditionsOf(check: Check): Precondition[] {
  const { field, value, rule } = check;
  if (value === undefined) return [];
  if (!Token.isUnresolved(value)) {
    return check.items ? itemsOf(check).flatMap(preconditionsOf) : [];
  }
  if (check.items) return [everyItem(check)];
  const later = Token.asString(value);
  const tails = { text: `, but is "${later}"`, number: `, but is the number ${later}` };
  const tail = rule.shown === "hidden" ? HIDDEN : tails[rule.shown];
  return [
    {
      condition: rule.condition(functionArgument(later)),
      errorMessage: `${field} ${rule.must}${tail}`,
    },
  ];
}

/** What is wrong with options that decide what is made: they have to be known by now. */
export function earlyProblems(options: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(options)
    .filter(([, value]) => Token.isUnresolved(value))
    .map(([field]) => `${field} must be known before anything is deployed: write the value itself`);
}

const HIDDEN = " (its value is not shown)";

function itemsOf({ field, value, rule }: Check): Check[] {
  if (!Array.isArray(value)) return [];
  return value.map((item, i) => ({ field: `${field}[${i}]`, value: item, rule }));
}

/** One precondition for a list that is known only later, whose message names every wrong item. */
function everyItem({ field, value, rule }: Check): Precondition {
  const right = rule.condition(Token.asString(FOR_EXPRESSION_VALUE));
  const tails = { text: ", but is %q", number: ", but is the number %v", hidden: HIDDEN };
  const format = `${field}[%v] ${rule.must}`.replaceAll(/%(?!v\])/g, "%%") + tails[rule.shown];
  const shown = rule.shown === "hidden" ? [] : [FOR_EXPRESSION_VALUE];
  const message = Fn.format(format, [FOR_EXPRESSION_KEY, ...shown]);
  const messages = forExpression(value, conditional(right, "", message));
  return {
    condition: Fn.alltrue(Token.asList(forExpression(value, right))),
    errorMessage: Token.asString(Fn.join("; ", Token.asList(Fn.compact(Token.asList(messages))))),
  };
}
