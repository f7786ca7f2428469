import type { EventgridEventSubscriptionAdvancedFilter } from "@cdktf/provider-azurerm/lib/eventgrid-event-subscription/index.js";
import type { IResolvable } from "cdktf";
import { filterOperators } from "cloud-eventgrid-binding-runtime/contract";

/** The operators of Event Grid, by the provider's names. */
export type AdvancedFilterOperator = keyof EventgridEventSubscriptionAdvancedFilter;

/** The compiler reports an operator that the provider has, and the table lacks. */
const operators = filterOperators satisfies Record<AdvancedFilterOperator, Operand>;

/** What an operator compares with: nothing, one value, or a list. */
export type Operand = "none" | "boolean" | "number" | "numbers" | "ranges" | "strings";

/** Whether an operator compares with a list of values. */
export function isList(operand: Operand): boolean {
  return operand === "numbers" || operand === "ranges" || operand === "strings";
}

/** The arguments of each kind of operator. */
interface OperandArguments {
  none: [];
  boolean: [value: boolean | IResolvable];
  number: [value: number];
  numbers: number[];
  ranges: NumberRange[];
  strings: string[];
}

type ArgumentsOf<Operator extends AdvancedFilterOperator> =
  OperandArguments[(typeof operators)[Operator]];

interface SingleValue<Value> {
  readonly value: Value;
}
interface SeveralValues<Value> {
  readonly values: readonly Value[];
}
interface OperandFields {
  none: unknown;
  boolean: SingleValue<boolean | IResolvable>;
  number: SingleValue<number>;
  numbers: SeveralValues<number>;
  ranges: SeveralValues<NumberRange>;
  strings: SeveralValues<string>;
}

/** One condition on an event. */
export type AdvancedFilter = {
  [Operator in AdvancedFilterOperator]: {
    readonly operator: Operator;
    readonly key: string;
  } & OperandFields[(typeof operators)[Operator]];
}[AdvancedFilterOperator];

/** The conditions on the attribute or field that {@link where} names: a method for each operator. */
export type FilterBuilder = {
  readonly [Operator in AdvancedFilterOperator]: (
    ...values: ArgumentsOf<Operator>
  ) => AdvancedFilter;
};

/** A range of numbers, both ends included. */
export type NumberRange = readonly [from: number, to: number];

/**
 * Starts a condition on one attribute of an event or a field of its data.
 *
 * @example
 * ```ts
 * advancedFilters: [where("data.amount").numberGreaterThan(100), where("subject").stringEndsWith(".jpg")]
 * ```
 *
 * @param key the attribute's name (`subject`, `source`, `type`), or the path of a field: `data.amount`
 */
export function where(key: string): FilterBuilder {
  const methods = Object.entries(operators).map(([operator, operand]) => [
    operator,
    (...values: readonly unknown[]) => {
      if (operand === "none") return { operator, key };
      return isList(operand) ? { operator, key, values } : { operator, key, value: values[0] };
    },
  ]);
  return Object.fromEntries(methods);
}

/** The provider's block for all conditions, with a list for each operator. */
export function advancedFilterBlock(
  filters: readonly AdvancedFilter[],
): EventgridEventSubscriptionAdvancedFilter {
  const block: Partial<Record<AdvancedFilterOperator, object[]>> = {};
  for (const { operator, ...condition } of filters) {
    const conditions = block[operator] ?? [];
    conditions.push(condition);
    block[operator] = conditions;
  }
  return block as EventgridEventSubscriptionAdvancedFilter;
}
