import { normalizeScope, ServiceError } from "../../base/index.js";
import type { ResourceType } from "./resource-type.js";
import type { ResourceState } from "./resources.js";

/** The resource or the collection that a path names. */
export interface Place {
  readonly type: ResourceType;
  /** ID of the resource; of the parent for a collection. */
  readonly id: string;
  /** Empty for a collection. */
  readonly name: string;
  /** The last segment of a path that ends with an action or an unknown collection. */
  readonly action: string;
}

/** The place of a path `{scope}/providers/{namespace}/{type}/{name}/…`. */
export function placeOf(
  state: ResourceState,
  method: string,
  scope: string,
  [namespace = "", ...segments]: string[],
): Place {
  const action = method === "POST" && segments.length % 2 === 1 ? (segments.pop() ?? "") : "";
  const isCollection = segments.length % 2 === 1;
  const types = segments.filter((_, index) => index % 2 === 0);
  const type = state.resources.typeNamed([namespace, ...types].join("/"));
  const own = isCollection ? segments.slice(0, -1) : segments;
  const above = type && aboveOf(state, type, scope, own.length === 0);
  const isServed = type?.methods?.includes(method) ?? true;
  if (!type || above === undefined || !isServed || (isCollection && method !== "GET")) {
    throw new ServiceError(
      404,
      "InvalidResourceType",
      `The resource type '${types.join("/")}' could not be found in the namespace '${namespace}' of the local Azure.`,
    );
  }
  const id = own.length === 0 ? above : [above, "providers", namespace, ...own].join("/");
  return { type, id, name: isCollection ? "" : (own.at(-1) ?? ""), action };
}

/** The scope in the form of IDs; `undefined` if resources of the type cannot be there. */
function aboveOf(
  { subscriptionId }: ResourceState,
  type: ResourceType,
  scope: string,
  isList: boolean,
): string | undefined {
  const normalized = normalizeScope(scope);
  if (type.scope === "any") return normalized === "/" ? "" : normalized;
  const [, , id, , group, ...rest] = normalized.split("/");
  if (id === undefined || rest.length > 0) return undefined;
  if (group !== undefined) return `/subscriptions/${subscriptionId}/resourceGroups/${group}`;
  return isList ? `/subscriptions/${subscriptionId}` : undefined;
}
