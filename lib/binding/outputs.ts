import { TerraformOutput, TerraformStack } from "cdktf";
import type { Problem } from "cloud-eventgrid-binding-runtime/binding";
import { patternRule } from "cloud-eventgrid-binding-runtime/contract";
import type { Construct } from "constructs";
import { literal, problem, report, required, validated } from "../validation/index.js";

const prefixRule = patternRule({
  name: "output-prefix",
  requirement: "must be letters, digits, hyphens and underscores, not a digit or hyphen first",
  pattern: "^[a-zA-Z_][a-zA-Z0-9_-]*$",
});

/**
 * All outputs that bindings have added. Of several with one name, all but the first are problems.
 */
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
  report(construct, () =>
    [...problems, ...takenName(outputs)].map((problem) => ({
      ...problem,
      message: `addOutputs: ${problem.message}`,
    })),
  );
}

function takenName(outputs: readonly TerraformOutput[]): Problem[] {
  const [first] = outputs;
  if (first === undefined) return [];
  const names = outputs.map(({ friendlyUniqueId }) => friendlyUniqueId);
  const all = TerraformStack.of(first).node.findAll().filter(TerraformOutput.isTerraformOutput);
  const sinceFirst = all.slice(all.indexOf(first));
  const other = all
    .filter((output) => !(added.has(output) && sinceFirst.includes(output)))
    .find(({ friendlyUniqueId }) => names.includes(friendlyUniqueId));
  if (other === undefined) return [];
  const { friendlyUniqueId: name, node } = other;
  const message = `is taken: ${node.path} has the name ${name} already`;
  return [problem("prefix", "unique", message)];
}
