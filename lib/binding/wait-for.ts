import {
  type ITerraformDependable,
  TerraformDataSource,
  TerraformElement,
  TerraformResource,
  TerraformStack,
} from "cdktf";
import {
  ConfigurationError,
  isObject,
  type Problem,
  problem,
  showValue,
} from "cloud-eventgrid-binding-runtime/internal";
import { Construct, type IConstruct } from "constructs";
import type { Dependencies } from "../terraform/index.js";
import { report } from "../validation/index.js";

/**
 * Adds targets to the dependencies of a construct. A target in another stack fails synthesis.
 *
 * @throws {ConfigurationError} for targets that would end in a cycle
 */
export function addWaits(
  construct: Construct,
  dependencies: Dependencies,
  targets: readonly (IConstruct | ITerraformDependable)[],
): void {
  const problems = targets.flatMap((target) => targetProblem(construct, target));
  if (problems.length > 0) {
    throw new ConfigurationError(`${construct.node.path} cannot wait`, problems);
  }
  for (const target of targets) {
    if (!Construct.isConstruct(target)) {
      dependencies.add(target);
      continue;
    }
    const stack = TerraformStack.of(target);
    if (stack === TerraformStack.of(construct)) {
      if (isDependable(target)) dependencies.add(target);
      else addContents(construct, dependencies, target);
      continue;
    }
    const message =
      `cannot wait for ${target.node.path}, which is in another stack: deploy the stacks in order ` +
      `with addDependency(${stack.node.id})`;
    report(construct, () => [problem("waitFor", { "other-stack": message })]);
  }
}

/** The contents are read at synthesis, so that resources which are added later are included. */
function addContents(construct: Construct, dependencies: Dependencies, target: IConstruct): void {
  const contents = () => target.node.findAll().filter(isDependable);
  dependencies.addLater(contents);
  const message =
    `waits for nothing, because ${target.node.path} contains no resource, data source or module: ` +
    "pass the resource that serves the webhook";
  report(construct, () =>
    contents().length === 0 ? [problem("waitFor", { empty: message })] : [],
  );
}

function targetProblem(construct: IConstruct, target: unknown): Problem[] {
  const reason = (what: string) =>
    `cannot wait for ${what}: pass the resource that serves the webhook, such as the container app`;
  const cycle = (what: string) => [problem("waitFor", { cycle: reason(what) })];
  if (!Construct.isConstruct(target)) {
    if (isObject(target) && "fqn" in target) return [];
    return [problem("waitFor", { dependable: reason(showValue(target)) })];
  }
  if (target === construct) return cycle("the binding itself");
  const path = target.node.path || "the app";
  if (construct.node.scopes.includes(target)) {
    return cycle(`${path}, which contains the binding`);
  }
  if (target.node.scopes.includes(construct)) {
    return cycle(`${path}, which is part of the binding`);
  }
  return [];
}

function isDependable(node: IConstruct): node is IConstruct & ITerraformDependable {
  return (
    TerraformResource.isTerraformResource(node) ||
    TerraformDataSource.isTerraformDataSource(node) ||
    isModule(node)
  );
}

/** cdktf does not mark modules, so this looks for properties that only modules have. */
function isModule(node: IConstruct): boolean {
  return TerraformElement.isTerraformElement(node) && "source" in node && "addProvider" in node;
}
