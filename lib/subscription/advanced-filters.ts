import type { EventgridEventSubscriptionAdvancedFilter } from "@cdktf/provider-azurerm/lib/eventgrid-event-subscription/index.js";
import type { IResolvable } from "cdktf";

type FilterFields = Required<EventgridEventSubscriptionAdvancedFilter>;

/** The operators of Event Grid, by the provider's names. */
export type AdvancedFilterOperator = keyof FilterFields;

/** One condition on an event. */
export type AdvancedFilter =
  | { readonly operator: NullOperator; readonly key: string }
  | {
      readonly operator: BooleanOperator;
      readonly key: string;
      readonly value: boolean | IResolvable;
    }
  | { readonly operator: NumberOperator; readonly key: string; readonly value: number }
  | { readonly operator: NumbersOperator; readonly key: string; readonly values: readonly number[] }
  | {
      readonly operator: RangeOperator;
      readonly key: string;
      readonly values: readonly NumberRange[];
    }
  | { readonly operator: StringOperator; readonly key: string; readonly values: readonly string[] };

type NullOperator = "isNotNull" | "isNullOrUndefined";
type BooleanOperator = "boolEquals";
type NumberOperator =
  | "numberGreaterThan"
  | "numberGreaterThanOrEquals"
  | "numberLessThan"
  | "numberLessThanOrEquals";
type NumbersOperator = "numberIn" | "numberNotIn";
type RangeOperator = "numberInRange" | "numberNotInRange";
type StringOperator =
  | "stringBeginsWith"
  | "stringContains"
  | "stringEndsWith"
  | "stringIn"
  | "stringNotBeginsWith"
  | "stringNotContains"
  | "stringNotEndsWith"
  | "stringNotIn";

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
  return new FilterBuilder(key);
}

/** The conditions on the attribute or field that {@link where} names. */
export class FilterBuilder {
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  isNotNull(): AdvancedFilter {
    return { operator: "isNotNull", key: this.#key };
  }
  isNullOrUndefined(): AdvancedFilter {
    return { operator: "isNullOrUndefined", key: this.#key };
  }
  boolEquals(value: boolean | IResolvable): AdvancedFilter {
    return { operator: "boolEquals", key: this.#key, value };
  }
  numberGreaterThan(value: number): AdvancedFilter {
    return { operator: "numberGreaterThan", key: this.#key, value };
  }
  numberGreaterThanOrEquals(value: number): AdvancedFilter {
    return { operator: "numberGreaterThanOrEquals", key: this.#key, value };
  }
  numberLessThan(value: number): AdvancedFilter {
    return { operator: "numberLessThan", key: this.#key, value };
  }
  numberLessThanOrEquals(value: number): AdvancedFilter {
    return { operator: "numberLessThanOrEquals", key: this.#key, value };
  }
  numberIn(...values: readonly number[]): AdvancedFilter {
    return { operator: "numberIn", key: this.#key, values };
  }
  numberNotIn(...values: readonly number[]): AdvancedFilter {
    return { operator: "numberNotIn", key: this.#key, values };
  }
  numberInRange(...values: readonly NumberRange[]): AdvancedFilter {
    return { operator: "numberInRange", key: this.#key, values };
  }
  numberNotInRange(...values: readonly NumberRange[]): AdvancedFilter {
    return { operator: "numberNotInRange", key: this.#key, values };
  }
  stringIn(...values: readonly string[]): AdvancedFilter {
    return { operator: "stringIn", key: this.#key, values };
  }
  stringNotIn(...values: readonly string[]): AdvancedFilter {
    return { operator: "stringNotIn", key: this.#key, values };
  }
  stringBeginsWith(...values: readonly string[]): AdvancedFilter {
    return { operator: "stringBeginsWith", key: this.#key, values };
  }
  stringNotBeginsWith(...values: readonly string[]): AdvancedFilter {
    return { operator: "stringNotBeginsWith", key: this.#key, values };
  }
  stringEndsWith(...values: readonly string[]): AdvancedFilter {
    return { operator: "stringEndsWith", key: this.#key, values };
  }
  stringNotEndsWith(...values: readonly string[]): AdvancedFilter {
    return { operator: "stringNotEndsWith", key: this.#key, values };
  }
  stringContains(...values: readonly string[]): AdvancedFilter {
    return { operator: "stringContains", key: this.#key, values };
  }
  stringNotContains(...values: readonly string[]): AdvancedFilter {
    return { operator: "stringNotContains", key: this.#key, values };
  }
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
