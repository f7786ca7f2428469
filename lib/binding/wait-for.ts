import {
  type ITerraformDependable,
  TerraformDataSource,
  TerraformElement,
  TerraformResource,
  TerraformStack,
} from "cdktf";
import { CloudEventGridError } from "cloud-eventgrid-binding-runtime/events";
import { Construct, type IConstruct } from "constructs";
import type { Dependencies } from "../terraform/index.js";
import { received } from "../validation/index.js";

/** Thrown for something that an event subscription cannot wait for; it carries every reason. */
export class WaitTargetError extends CloudEventGridError {
  readonly code = "ERR_WAIT_TARGET";
  readonly problems: readonly string[];

  constructor(construct: IConstruct, problems: readonly string[]) {
    super(`${construct.node.path}: ${problems.join("; ")}`);
    this.problems = problems;
  }
}

/**
 * Adds targets to what `construct` waits for; those of another stack are a problem at synthesis.
 *
 * @throws {WaitTargetError} for what could only end in a cycle, and what is nothing to wait for
 */
export function addWaits(
  construct: Construct,
  dependencies: Dependencies,
  targets: readonly (IConstruct | ITerraformDependable)[],
): void {
  const problems = targets.flatMap((target) => targetProblem(construct, target) ?? []);
  if (problems.length > 0) throw new WaitTargetError(construct, problems);
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
      `waitFor cannot wait for ${target.node.path}, which is in another stack: deploy the stacks in ` +
      `order with addDependency(${stack.node.id})`;
    construct.node.addValidation({ validate: () => [message] });
  }
}

/** Reads the contents at synthesis, so that what is added to the target later is waited for, too. */
function addContents(construct: Construct, dependencies: Dependencies, target: IConstruct): void {
  const contents = () => target.node.findAll().filter(isDependable);
  dependencies.addLater(contents);
  const empty =
    `waitFor(${target.node.path}) waits for nothing: there is no resource, data source or module ` +
    "in it. Pass what serves the webhook itself";
  construct.node.addValidation({ validate: () => (contents().length === 0 ? [empty] : []) });
}

function targetProblem(construct: IConstruct, target: unknown): string | undefined {
  if (!Construct.isConstruct(target)) {
    if (isAddressable(target)) return undefined;
    return (
      `waitFor takes resources, modules and constructs with resources inside, but got ` +
      `${received(target)}: pass what serves the webhook itself`
    );
  }
  const beside = "pass what serves the webhook instead, such as the container app";
  if (target === construct) return `waitFor cannot wait for the binding itself: ${beside}`;
  const path = target.node.path === "" ? "the app" : target.node.path;
  if (construct.node.scopes.includes(target)) {
    return `waitFor cannot wait for ${path}, which the binding is in: ${beside}`;
  }
  if (target.node.scopes.includes(construct)) {
    return `waitFor cannot wait for ${path}, which the binding makes: ${beside}`;
  }
  return undefined;
}

function isAddressable(target: unknown): target is ITerraformDependable {
  return typeof target === "object" && target !== null && "fqn" in target;
}

function isDependable(node: IConstruct): node is IConstruct & ITerraformDependable {
  return (
    TerraformResource.isTerraformResource(node) ||
    TerraformDataSource.isTerraformDataSource(node) ||
    isModule(node)
  );
}

/** By what a module has and nothing else does: cdktf, which may be there twice, marks none. */
function isModule(node: IConstruct): boolean {
  return TerraformElement.isTerraformElement(node) && "source" in node && "addProvider" in node;
}
