import { TerraformOutput, TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { received } from "./value-rule.js";

/** Adds an output whose name is that in Terraform, too: of two with the same cdktf keeps one. */
export function addOutput(construct: Construct, name: string, value: unknown): void {
  const output = new TerraformOutput(construct, name, { value });
  output.overrideLogicalId(name);
  construct.node.addValidation({ validate: () => nameProblems(output, name) });
}

function nameProblems(output: TerraformOutput, name: string): string[] {
  if (!/^[a-zA-Z_][a-zA-Z0-9_-]*$/.test(name)) {
    return [`addOutputs: Terraform takes no output by the name ${received(name)}`];
  }
  const other = TerraformStack.of(output)
    .node.findAll()
    .filter(TerraformOutput.isTerraformOutput)
    .find((one) => one !== output && one.friendlyUniqueId === name);
  if (other === undefined) return [];
  return [`addOutputs: ${other.node.path} has the name ${name} already: give another prefix`];
}
