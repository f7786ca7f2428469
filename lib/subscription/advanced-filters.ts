import type { EventgridEventSubscriptionAdvancedFilter } from "@cdktf/provider-azurerm/lib/eventgrid-event-subscription/index.js";
import { type IResolvable, Token } from "cdktf";
import {
  AZURE_LIMITS,
  azureRules,
  boolean,
  type Check,
  filterOperators,
  isObject,
  type Problem,
  predicateRule,
  problem,
  showValue,
} from "cloud-eventgrid-binding-runtime/internal";
import { group, listOf, problemsOf, required } from "../validation/index.js";

/** The operators of Event Grid, by the provider's names. */
type AdvancedFilterOperator = keyof EventgridEventSubscriptionAdvancedFilter;

/** The compiler reports an operator that the provider has, and the table lacks. */
const operators = filterOperators satisfies Record<AdvancedFilterOperator, Operand>;

/** The value that an operator compares with: none, one, or a list. */
type Operand = "none" | "boolean" | "number" | "numbers" | "ranges" | "strings";

/** Reports whether an operator compares with a list of values. */
function isList(operand: Operand): boolean {
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

interface OperandFields {
  none: unknown;
  boolean: { readonly value: boolean | IResolvable };
  number: { readonly value: number };
  numbers: { readonly values: readonly number[] };
  ranges: { readonly values: readonly NumberRange[] };
  strings: { readonly values: readonly string[] };
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
} & {
  /** The compiler shows the advice, because no argument is of its type. */
  readonly [Name in keyof typeof untypedOperators]: (
    ...advice: readonly (typeof untypedOperators)[Name][]
  ) => never;
};

/** The names of the operators that have no type. */
const untypedOperators = {
  greaterThan: "use numberGreaterThan",
  greaterThanOrEquals: "use numberGreaterThanOrEquals",
  lessThan: "use numberLessThan",
  lessThanOrEquals: "use numberLessThanOrEquals",
  inRange: "use numberInRange",
  equals: "use stringIn, numberIn or boolEquals",
  in: "use stringIn or numberIn",
  contains: "use stringContains",
  beginsWith: "use stringBeginsWith",
  endsWith: "use stringEndsWith",
} as const;

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
  const refused = Object.entries(untypedOperators).map(([operator, advice]) => [
    operator,
    () => {
      throw new TypeError(`where(${JSON.stringify(key)}).${operator} does not exist: ${advice}`);
    },
  ]);
  return Object.fromEntries([...methods, ...refused]);
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

/** A condition as Resource Manager takes it, which writes `stringIn` as `StringIn`. */
export function filterBody({ operator, ...condition }: AdvancedFilter): object {
  return { operatorType: operator.charAt(0).toUpperCase() + operator.slice(1), ...condition };
}

const { advancedFilters: MAX_FILTERS, advancedFilterValues: MAX_VALUES } = AZURE_LIMITS;

const operands: ReadonlyMap<string, Operand> = new Map(Object.entries(filterOperators));

const finiteNumber = predicateRule({
  requirement: { number: "must be a finite number" },
  test: Number.isFinite,
});
const rangeRule = predicateRule({
  requirement: { "number-range": "must be a range of two finite numbers, the lower one first" },
  test: isRange,
});

const EMPTY = "must have at least one value";

export const advancedFiltersCheck = listOf(
  { problems: conditionProblems },
  { together: countProblems },
);

function conditionProblems(field: string, filter: unknown): readonly Problem[] {
  const operator = isObject(filter) ? String(filter.operator) : "";
  const operand = operands.get(operator);
  if (!isObject(filter) || operand === undefined) {
    const message = `must be written with where("…"), but is ${showValue(filter)}`;
    return [problem(field, { type: message })];
  }
  const { key, value, values } = filter;
  const checks: Record<string, Check> = { key: required(azureRules.filterKey) };
  if (operand !== "none") checks[operator] = required(operandChecks[operand]);
  const compared = isList(operand) ? values : value;
  return problemsOf(group(checks), field, { key, [operator]: compared });
}

const operandChecks: Readonly<Record<Exclude<Operand, "none">, Check>> = {
  boolean,
  number: finiteNumber,
  numbers: listOf(finiteNumber, { whenEmpty: EMPTY }),
  ranges: listOf(rangeRule, { whenEmpty: EMPTY }),
  strings: listOf(azureRules.filterText, { whenEmpty: EMPTY }),
};

/** The order of numbers that are known only later is left to Azure. */
function isRange(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [from, to] = value;
  if (Token.isUnresolved(from) || Token.isUnresolved(to)) return true;
  return Number.isFinite(from) && Number.isFinite(to) && from <= to;
}

function countProblems(list: readonly unknown[], field: string): Problem[] {
  const filters = list as readonly AdvancedFilter[];
  const problems: Problem[] = [];
  if (filters.length > MAX_FILTERS) {
    const message = `must be at most ${MAX_FILTERS} filters, but there are ${filters.length}`;
    problems.push(problem(field, { "filter-count": message }));
  }
  // A list that is known only later is counted by the provider.
  const count = filters.filter(isObject).reduce((sum, filter) => {
    if ("value" in filter) return sum + 1;
    return "values" in filter && Array.isArray(filter.values) ? sum + filter.values.length : sum;
  }, 0);
  if (count > MAX_VALUES) {
    const message = `must have at most ${MAX_VALUES} values in total, but have ${count}`;
    problems.push(problem(field, { "filter-value-count": message }));
  }
  return problems;
}
