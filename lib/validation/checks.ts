import { TerraformProvider, TerraformStack } from "cdktf";
import type { Problem } from "cloud-eventgrid-binding-runtime/binding";
import {
  type Check,
  problem,
  showValue,
  wrongType,
} from "cloud-eventgrid-binding-runtime/contract";
import type { IConstruct } from "constructs";

/** A provider of the construct's own stack; the compiler accepts a provider of any type. */
export function provider(type: "azurerm" | "azuread" | "azapi", construct: IConstruct): Check {
  return {
    problems(field, value) {
      const requirement = `must be a provider of the type ${type}`;
      if (!TerraformProvider.isTerraformProvider(value)) {
        return [wrongType(field, requirement, value)];
      }
      const { terraformResourceType: actual } = value;
      if (actual !== type) {
        return [problem(field, "type", `${requirement}, but is one of the type ${actual}`)];
      }
      const stack = TerraformStack.of(value);
      if (stack === TerraformStack.of(construct)) return [];
      const message = `belongs to the stack ${stack.node.id}: pass a provider of this stack`;
      return [problem(field, "stack", message)];
    },
  };
}

/**
 * The problems of values that repeat an earlier one.
 *
 * @param fieldOf names the field of the value at an index
 */
export function repeated(
  values: readonly unknown[],
  fieldOf: (index: number) => string,
): Problem[] {
  const seen = new Set<unknown>();
  return values.flatMap((value, i) => {
    if (value === undefined || !seen.has(value)) {
      seen.add(value);
      return [];
    }
    return [problem(fieldOf(i), "unique", `must be given only once, but is ${showValue(value)}`)];
  });
}
