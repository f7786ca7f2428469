import { TerraformOutput } from "cdktf";
import { literal, patternRule, problem, required } from "cloud-eventgrid-binding-runtime/contract";
import type { Construct } from "constructs";
import { OncePerStack } from "../terraform/index.js";
import { named, report, validated } from "../validation/index.js";

const prefixRule = patternRule({
  name: "output-prefix",
  requirement: "must be letters, digits, hyphens and underscores, not a digit or hyphen first",
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
  if (owner !== path) problems.push(problem("prefix", "unique", `is that of ${owner} already`));
  report(construct, () => named("addOutputs", problems));
  if (problems.length > 0) return;
  for (const [suffix, value] of Object.entries(values)) {
    const output = new TerraformOutput(construct, `${prefix}_${suffix}`, { value });
    output.overrideLogicalId(`${prefix}_${suffix}`);
  }
}
