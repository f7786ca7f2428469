import { TerraformOutput, TerraformStack } from "cdktf";
import type { Problem } from "cloud-eventgrid-binding-runtime/binding";
import { literal, patternRule, problem, required } from "cloud-eventgrid-binding-runtime/contract";
import type { Construct } from "constructs";
import { named, report, validated } from "../validation/index.js";

const prefixRule = patternRule({
  name: "output-prefix",
  requirement: "must be letters, digits, hyphens and underscores, not a digit or hyphen first",
  pattern: "^[a-zA-Z_][a-zA-Z0-9_-]*$",
});

/** All outputs that bindings have added. */
const added = new WeakSet<TerraformOutput>();

/**
 * Adds outputs with exactly these names in Terraform. Of two with the same name cdktf would keep
 * one.
 */
export function addPrefixedOutputs(
  construct: Construct,
  prefix: string,
  values: Readonly<Record<string, unknown>>,
): void {
  const { problems } = validated({ prefix }, { prefix: required(literal(prefixRule)) });
  const outputs = Object.entries(problems.length > 0 ? {} : values).map(([suffix, value]) => {
    const output = new TerraformOutput(construct, `${prefix}_${suffix}`, { value });
    output.overrideLogicalId(`${prefix}_${suffix}`);
    added.add(output);
    return output;
  });
  report(construct, () => named("addOutputs", [...problems, ...takenName(outputs)]));
}

/** Of two bindings with one prefix, the later one has the problem. */
function takenName(outputs: readonly TerraformOutput[]): Problem[] {
  const [first] = outputs;
  if (first === undefined) return [];
  const all = TerraformStack.of(first).node.findAll().filter(TerraformOutput.isTerraformOutput);
  const others = all.filter(
    (other) => !added.has(other) || all.indexOf(other) < all.indexOf(first),
  );
  const names = outputs.map(({ friendlyUniqueId }) => friendlyUniqueId);
  const other = others.find(({ friendlyUniqueId }) => names.includes(friendlyUniqueId));
  if (other === undefined) return [];
  const { friendlyUniqueId: name, node } = other;
  return [problem("prefix", "unique", `is taken: ${node.path} has the name ${name} already`)];
}
