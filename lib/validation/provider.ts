import { TerraformProvider, TerraformStack } from "cdktf";
import { type Check, problem, wrongType } from "cloud-eventgrid-binding-runtime/internal";
import type { IConstruct } from "constructs";

/** A provider of the construct's own stack; the compiler accepts a provider of any type. */
export function provider(type: "azurerm" | "azuread", construct: IConstruct): Check {
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
