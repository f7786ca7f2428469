import { TerraformOutput, TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { patternRule, problemsOf } from "../validation/index.js";

const prefixRule = patternRule(
  "must be letters, digits, hyphens and underscores, not a digit or hyphen first",
  "^[a-zA-Z_][a-zA-Z0-9_-]*$",
);

/** All outputs that were added here: of several with one name, each but the first is told. */
const added = new WeakSet<TerraformOutput>();

/** Adds outputs whose names are those in Terraform, too: of two with the same cdktf keeps one. */
export function addPrefixedOutputs(
  construct: Construct,
  prefix: string,
  values: Readonly<Record<string, unknown>>,
): void {
  const check = { field: "addOutputs: prefix", value: prefix, rule: prefixRule };
  const problems = problemsOf({ ...check, early: true, required: true });
  const outputs = Object.entries(problems.length > 0 ? {} : values).map(([suffix, value]) => {
    const output = new TerraformOutput(construct, `${prefix}_${suffix}`, { value });
    output.overrideLogicalId(`${prefix}_${suffix}`);
    added.add(output);
    return output;
  });
  construct.node.addValidation({ validate: () => [...problems, ...takenName(outputs)] });
}

function takenName(outputs: readonly TerraformOutput[]): string[] {
  const [first] = outputs;
  if (first === undefined) return [];
  const names = outputs.map(({ friendlyUniqueId }) => friendlyUniqueId);
  const all = TerraformStack.of(first).node.findAll().filter(TerraformOutput.isTerraformOutput);
  const fromHere = all.slice(all.indexOf(first));
  const other = all
    .filter((one) => !(added.has(one) && fromHere.includes(one)))
    .find(({ friendlyUniqueId }) => names.includes(friendlyUniqueId));
  if (other === undefined) return [];
  const { friendlyUniqueId: name, node } = other;
  return [`addOutputs: ${node.path} has the name ${name} already: give another prefix`];
}
