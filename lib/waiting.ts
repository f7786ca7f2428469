import {
  type ITerraformDependable,
  TerraformDataSource,
  TerraformModule,
  TerraformResource,
  TerraformStack,
} from "cdktf";
import { Construct, type IConstruct } from "constructs";
import type { Dependencies } from "./dependencies.js";

/** Adds targets to what `construct` waits for; those of another stack are a problem at synthesis. */
export function addWaits(
  construct: Construct,
  dependencies: Dependencies,
  targets: readonly (IConstruct | ITerraformDependable)[],
): void {
  for (const target of targets) {
    if (!Construct.isConstruct(target)) {
      dependencies.add(target);
      continue;
    }
    const stack = TerraformStack.of(target);
    if (stack === TerraformStack.of(construct)) {
      if (isDependable(target)) dependencies.add(target);
      // Read at synthesis, so that what is added to the target later is waited for, too.
      else dependencies.addLater(() => target.node.findAll().filter(isDependable));
      continue;
    }
    const message =
      `waitFor cannot wait for ${target.node.path}, which is in another stack: deploy the stacks in ` +
      `order with addDependency(${stack.node.id})`;
    construct.node.addValidation({ validate: () => [message] });
  }
}

function isDependable(node: IConstruct): node is IConstruct & ITerraformDependable {
  return (
    TerraformResource.isTerraformResource(node) ||
    TerraformDataSource.isTerraformDataSource(node) ||
    node instanceof TerraformModule
  );
}
