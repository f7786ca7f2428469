import { Fn, FOR_EXPRESSION_KEY, Op, Token } from "cdktf";
import type { Check } from "./check.js";
import type { ValueRule } from "./value-rule.js";

/** That a list, which may be known only later, has nothing twice. */
export function listOnce(field: string, list: readonly string[]): Check[] {
  if (!Token.isUnresolved(list)) return eachOnce(list, (index) => `${field}[${index}]`);
  // Terraform finds the first of its kind, whose place has to be the item's own; in a set, where it
  // finds no place, nothing is twice.
  const condition = (later: string) =>
    Token.asString(Fn.try([Op.eq(Fn.index(list, later), FOR_EXPRESSION_KEY), true]));
  return [{ field, value: list, rule: onceRule(() => true, condition), items: true }];
}

/** The same of single values whose case counts for nothing, each with what a message calls it. */
export function onceInAnyCase(
  values: readonly string[],
  fieldOf: (index: number) => string,
): Check[] {
  return eachOnce(values, fieldOf, (literal) => String(literal).toLowerCase(), Fn.lower);
}

function eachOnce(
  values: readonly string[],
  fieldOf: (index: number) => string,
  same: (literal: unknown) => unknown = (literal) => literal,
  sameLater: (later: string) => string = (later) => later,
): Check[] {
  return values.flatMap((value, i) => {
    // A value that comes later is compared with all literals, and with what comes later before it.
    const others = values.filter(
      (other, j) => j < i || (j > i && Token.isUnresolved(value) && !Token.isUnresolved(other)),
    );
    if (others.length === 0) return [];
    const rule = onceRule(
      (literal) => !others.some((other) => same(other) === same(literal)),
      (later) => Op.not(Fn.contains(others.map(sameLater), sameLater(later))),
    );
    return [{ field: fieldOf(i), value, rule }];
  });
}

function onceRule(
  holds: (value: unknown) => boolean,
  condition: ValueRule["condition"],
): ValueRule {
  return { must: "must be given only once", shown: "text", holds, condition };
}
