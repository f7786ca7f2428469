import { Token } from "cdktf";
import {
  formatScope,
  InvalidScopeError,
  type ResourceGroupScope,
  type ResourceScope,
  type Scope,
  type SubscriptionScope,
  type TopicScope,
} from "cloud-eventgrid-binding-runtime/binding";
import { withTextTokens } from "../terraform/index.js";
import { misspeltNames, received, UUID_PATTERN } from "../validation/index.js";

type Names<Scope> = Omit<Scope, "kind">;

/**
 * Scope of a whole subscription.
 *
 * @throws {InvalidScopeError} for names that are none, like the other three
 */
export function subscription(names: Names<SubscriptionScope>): string {
  return written({ ...names, kind: "subscription" }, []);
}

/** Scope of a resource group. */
export function resourceGroup(names: Names<ResourceGroupScope>): string {
  return written({ ...names, kind: "resourceGroup" }, ["resourceGroupName"]);
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
export function resource(names: Names<ResourceScope>): string {
  return written({ ...names, kind: "resource" }, [
    "resourceGroupName",
    "resourceProviderNamespace",
    "resourceType",
    "resourceName",
  ]);
}

/** Scope of a custom topic of Event Grid. */
export function topic(names: Names<TopicScope>): string {
  return written({ ...names, kind: "topic" }, ["resourceGroupName", "topicName"]);
}

function written(names: Scope, fields: readonly string[]): string {
  const scope = withTextTokens(names);
  const given = new Map<string, unknown>(Object.entries(scope));
  const known = Object.fromEntries(
    ["subscriptionId", ...fields].map((field) => [field, true] as const),
  );
  const problems = misspeltNames(scope, known);
  if (!isName(scope.subscriptionId, new RegExp(UUID_PATTERN))) {
    problems.push(`subscriptionId must be a UUID, but is ${received(scope.subscriptionId)}`);
  }
  for (const field of fields) {
    const name = given.get(field);
    if (isName(name, /^[^/?#\s]+$/)) continue;
    problems.push(`${field} must be a name without slashes and spaces, but is ${received(name)}`);
  }
  if (problems.length > 0) {
    throw new InvalidScopeError(`The scope cannot be written: ${problems.join("; ")}`);
  }
  return formatScope(scope);
}

function isName(value: unknown, pattern: RegExp): boolean {
  return typeof value === "string" && (Token.isUnresolved(value) || pattern.test(value));
}
