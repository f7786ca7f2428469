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
import type { Rule } from "cloud-eventgrid-binding-runtime/contract";
import { functionArgument, operand } from "../terraform/index.js";

/**
 * Has Terraform check a value that is known only when it plans or applies.
 *
 * @returns none for a rule that only the value itself can be tested against
 */
export function preconditionsOf(rule: Rule, field: string, value: unknown): Precondition[] {
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
export function listPreconditions(rule: Rule, field: string, list: unknown): Precondition[] {
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

function conditionOf(rule: Rule, later: string): IResolvable | string | undefined {
  if (rule.type === "boolean") return Fn.can(Fn.tobool(later));
  if (rule.type === "number") return Fn.can(Fn.tonumber(later));
  if (rule.length !== undefined) return lengthCondition(rule.length, later);
  if (rule.pattern !== undefined) return Fn.can(Fn.regex(rule.pattern, later));
  if (rule.choices !== undefined) return Fn.contains([...rule.choices], later);
  if (rule.range === undefined) return undefined;
  const { min, max, integer } = rule.range;
  const number = operand(later);
  const within = Op.and(Op.gte(number, min), Op.lte(number, max));
  if (!integer) return Token.asString(Fn.try([within, false]));
  // Terraform treats the value of a variable without a type as a string.
  const isInteger = Op.eq(Fn.floor(Token.asNumber(later)), Fn.tonumber(later));
  return Token.asString(Fn.try([Op.and(isInteger, within), false]));
}

function lengthCondition({ min, max }: Rule["length"] & object, later: string): IResolvable {
  const length = Fn.lengthOf(later);
  if (min === undefined) return Op.lte(length, max);
  return max === undefined ? Op.gte(length, min) : Op.and(Op.gte(length, min), Op.lte(length, max));
}

function shown(rule: Rule, later: string): string {
  if (!isQuoted(rule)) return later;
  // The query of a URL is often a secret.
  if (!rule.name.endsWith("url")) return `"${later}"`;
  return `"${Token.asString(Fn.replace(functionArgument(later), "/[?#].+$/", "?…"))}"`;
}

function isQuoted(rule: Rule): boolean {
  return rule.range === undefined && rule.type !== "boolean";
}

function unlessSecret(rule: Rule, requirement: string, message: string): string {
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
