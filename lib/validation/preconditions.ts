import {
  conditional,
  Fn,
  FOR_EXPRESSION_KEY,
  FOR_EXPRESSION_VALUE,
  forExpression,
  type IResolvable,
  type IResolveContext,
  Lazy,
  Op,
  type Precondition,
  TerraformElement,
  TerraformStack,
  Token,
} from "cdktf";
import { functionArgument } from "../terraform/index.js";
import type { PlanRule } from "./rules.js";

/**
 * Has Terraform check a value that is known only when it plans or applies.
 *
 * @returns none for a rule that only the value itself can be tested against
 */
export function preconditionsOf(rule: PlanRule, field: string, value: unknown): Precondition[] {
  const later = Token.asString(value);
  const condition = conditionOf(rule, functionArgument(later));
  if (condition === undefined) return [];
  const requirement = `${field} ${rule.requirement}`;
  return [
    {
      condition,
      errorMessage: unlessSecret(rule, requirement, `${requirement}, but is ${shown(rule, later)}`),
    },
  ];
}

/** The same for a list that is known only later: the message names every wrong item. */
export function listPreconditions(rule: PlanRule, field: string, list: unknown): Precondition[] {
  const right = conditionOf(rule, Token.asString(FOR_EXPRESSION_VALUE));
  if (right === undefined) return [];
  const requirement = rule.requirement.replaceAll("%", "%%");
  const format = `${field}[%v] ${requirement}, but is ${isQuoted(rule) ? "%q" : "%v"}`;
  const message = Fn.format(format, [FOR_EXPRESSION_KEY, FOR_EXPRESSION_VALUE]);
  const messages = Token.asList(forExpression(list, conditional(right, "", message)));
  return [
    {
      condition: Fn.alltrue(Token.asList(forExpression(list, right))),
      errorMessage: unlessSecret(
        rule,
        `each of ${field} ${rule.requirement}`,
        Token.asString(Fn.join("; ", Token.asList(Fn.compact(messages)))),
      ),
    },
  ];
}

function conditionOf(rule: PlanRule, later: string): IResolvable | string | undefined {
  if (rule.condition !== undefined) return rule.condition(later);
  if (rule.pattern !== undefined) return Fn.can(Fn.regex(rule.pattern, later));
  if (rule.choices !== undefined) return Fn.contains([...rule.choices], later);
  if (rule.range === undefined) return undefined;
  const { min, max, integer } = rule.range;
  const within = Op.and(Op.gte(later, min), Op.lte(later, max));
  if (!integer) return Token.asString(Fn.try([within, false]));
  // Terraform treats the value of a variable without a type as a string.
  const whole = Op.eq(Fn.floor(Token.asNumber(later)), Fn.tonumber(later));
  return Token.asString(Fn.try([Op.and(whole, within), false]));
}

function shown(rule: PlanRule, later: string): string {
  if (!isQuoted(rule)) return later;
  // The query of a URL is often a secret.
  if (!rule.name.endsWith("url")) return `"${later}"`;
  return `"${Token.asString(Fn.replace(functionArgument(later), "/[?#].+$/", "?…"))}"`;
}

function isQuoted(rule: PlanRule): boolean {
  return rule.range === undefined && rule.name !== "boolean";
}

function unlessSecret(rule: PlanRule, requirement: string, message: string): string {
  const hidden = `${requirement} (its value is not shown)`;
  return rule.secret === true ? hidden : unlessSensitive(message, hidden);
}

/**
 * A message that shows values, or the one that hides them when a value comes from a sensitive
 * variable: Terraform would show neither the value nor the message, and warn at every plan.
 */
export function unlessSensitive(message: string, hidden: string): string {
  return Lazy.stringValue({
    produce: (context) => (namesSensitiveVariable(context, message) ? hidden : message),
  });
}

function namesSensitiveVariable(context: IResolveContext, message: string): boolean {
  const text = String(context.resolve(message));
  const names = [...text.matchAll(/\bvar\.([\w-]+)/g)].map(([, name]) => name);
  if (names.length === 0) return false;
  return TerraformStack.of(context.scope)
    .node.findAll()
    .some(
      (node) =>
        TerraformElement.isTerraformElement(node) &&
        "sensitive" in node &&
        node.sensitive === true &&
        names.includes(node.friendlyUniqueId),
    );
}
