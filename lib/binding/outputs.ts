import { TerraformOutput, TerraformStack, Token } from "cdktf";
import { type Problem, patternRule, problem } from "cloud-eventgrid-binding-runtime/internal";
import type { Construct } from "constructs";
import { OncePerStack } from "../terraform/index.js";
import { literal, named, report, required, validated } from "../validation/index.js";

const prefixRule = patternRule({
  requirement: {
    "output-prefix":
      "must be letters, digits, hyphens and underscores, not a digit or hyphen first",
  },
  pattern: "^[a-zA-Z_][a-zA-Z0-9_-]*$",
});

/** Paths of the bindings by the prefixes of their outputs. */
const added = new OncePerStack<string>("outputs");

/**
 * Adds outputs with exactly these names in Terraform. Of two with the same name cdktf would keep
 * one.
 */
export function addPrefixedOutputs(
  construct: Construct,
  prefix: string,
  values: Readonly<Record<string, unknown>>,
): void {
  const { path } = construct.node;
  const problems = [...validated({ prefix }, { prefix: required(literal(prefixRule)) }).problems];
  const owner = added.get(construct, String(prefix), () => path);
  if (owner !== path) {
    problems.push(problem("prefix", { unique: `is that of ${owner} already: choose another one` }));
  }
  const outputs = Object.entries(problems.length > 0 ? {} : values).map(([suffix, value]) => {
    // Of an object that is no token, cdktf calls util.isArray, which Node warns of since 22.
    const output = new TerraformOutput(construct, `${prefix}_${suffix}`, {
      value: Token.asAny(value),
    });
    output.overrideLogicalId(`${prefix}_${suffix}`);
    return output;
  });
  report(construct, () => named("addOutputs", [...problems, ...takenNames(construct, outputs)]));
}

/** Outputs that are not those of a binding may have one of the names. */
function takenNames(construct: Construct, outputs: readonly TerraformOutput[]): Problem[] {
  if (outputs.length === 0) return [];
  const names = outputs.map(({ friendlyUniqueId }) => friendlyUniqueId);
  return TerraformStack.of(construct)
    .node.findAll()
    .filter(TerraformOutput.isTerraformOutput)
    .filter((other) => names.includes(other.friendlyUniqueId) && !outputs.includes(other))
    .map(({ friendlyUniqueId: name, node }) =>
      problem("prefix", {
        unique: `is taken: ${node.path} has the name ${name} already: choose another one`,
      }),
    );
}
