import { type IResolveContext, Lazy, TerraformElement, TerraformStack } from "cdktf";

/**
 * A message of Terraform's that shows values, or the one that hides them where a value comes from a
 * sensitive variable: Terraform would show neither the value nor the message, and warn of it at
 * every plan.
 */
export function unlessSensitive(shown: string, hidden: string): string {
  return Lazy.stringValue({
    produce: (context) => (namesSensitiveVariable(context, shown) ? hidden : shown),
  });
}

function namesSensitiveVariable(context: IResolveContext, message: string): boolean {
  const text = String(context.resolve(message));
  const names = [...text.matchAll(/\bvar\.([\w-]+)/g)].map(([, name]) => name);
  if (names.length === 0) return false;
  return TerraformStack.of(context.scope)
    .node.findAll()
    .some((node) => {
      if (!TerraformElement.isTerraformElement(node)) return false;
      return isSensitive(node) && names.includes(node.friendlyUniqueId);
    });
}

/** Variables and outputs may be; the latter have no say in a message. */
function isSensitive(node: object): boolean {
  return "sensitive" in node && node.sensitive === true;
}
