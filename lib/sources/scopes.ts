import {
  formatScope,
  InvalidScopeError,
  type Scope,
} from "cloud-eventgrid-binding-runtime/binding";
import {
  patternRule,
  required,
  unchecked,
  uuidRule,
} from "cloud-eventgrid-binding-runtime/contract";
import { withTextTokens } from "../terraform/index.js";
import { validated } from "../validation/index.js";

const nameRule = patternRule({
  name: "name",
  requirement: "must be a name without slashes and spaces",
  pattern: "^[^/?# ]+$",
});

/** The parts of a scope of one kind. */
type Names<Kind extends Scope["kind"]> = Omit<Extract<Scope, { readonly kind: Kind }>, "kind">;

/**
 * Scope of a whole subscription.
 *
 * @throws {InvalidScopeError} for invalid names, like the other three functions
 */
export function subscription(names: Names<"subscription">): string {
  return formatted({ ...names, kind: "subscription" }, []);
}

/** Scope of a resource group. */
export function resourceGroup(names: Names<"resourceGroup">): string {
  return formatted({ ...names, kind: "resourceGroup" }, ["resourceGroupName"]);
}

/**
 * Scope of a top-level resource.
 *
 * @example
 * ```ts
 * scopes.resource({
 *   subscriptionId,
 *   resourceGroupName: "shop",
 *   resourceProviderNamespace: "Microsoft.KeyVault",
 *   resourceType: "vaults",
 *   resourceName: "shop-keys",
 * });
 * ```
 */
export function resource(names: Names<"resource">): string {
  return formatted({ ...names, kind: "resource" }, [
    "resourceGroupName",
    "resourceProviderNamespace",
    "resourceType",
    "resourceName",
  ]);
}

/** Scope of a custom topic of Event Grid. */
export function topic(names: Names<"topic">): string {
  return formatted({ ...names, kind: "topic" }, ["resourceGroupName", "topicName"]);
}

const allNames = [
  "resourceGroupName",
  "resourceProviderNamespace",
  "resourceType",
  "resourceName",
  "topicName",
];

/** @param names those that the scope needs; the names of a narrower scope may be there, too */
function formatted(parts: Scope, names: readonly string[]): string {
  const scope = withTextTokens(parts);
  const { problems } = validated<object>(scope, {
    kind: unchecked,
    subscriptionId: required(uuidRule),
    ...Object.fromEntries(
      allNames.map((name) => [name, names.includes(name) ? required(nameRule) : unchecked]),
    ),
  });
  if (problems.length > 0) {
    const messages = problems.map(({ message }) => message).join("; ");
    throw new InvalidScopeError(`The scope is invalid: ${messages}`);
  }
  return formatScope(scope);
}
