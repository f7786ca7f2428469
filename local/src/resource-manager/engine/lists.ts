import type { ApiRequest } from "../../api/index.js";
import { invalidRequest, isObject, scopeKey, textAt } from "../../base/index.js";
import { compileFilter, type FilterRules, type FilterValues } from "./filter.js";
import type { PageSize, Resource, ResourceType } from "./resource-type.js";
import type { ResourceState } from "./resources.js";

/** Resource Manager's own lists. */
const LIST_SIZE: PageSize = { size: 1_000, max: 1_000 };

/** @see https://learn.microsoft.com/rest/api/resources/resources/list */
const RESOURCE_FILTER: FilterRules = {
  compared: [
    "location",
    "resourceType",
    "name",
    "resourceGroup",
    "identity",
    "identity/principalId",
    "plan",
    "plan/publisher",
    "plan/product",
    "plan/name",
    "plan/version",
    "plan/promotionCode",
    "tagName",
    "tagValue",
  ],
  functions: { substringof: ["name", "resourceGroup"], startswith: ["tagName"] },
};

/** Resources of all types at a scope, without children. */
export function listResources(
  { resources }: ResourceState,
  scope: string,
  request: ApiRequest,
): Page<object> {
  const isListed = ({ id, type }: Resource) =>
    id.split("/providers/")[1]?.split("/").length === 3 &&
    resources.typeNamed(type)?.isTracked !== false;
  const all = filtered(resources.in(scope).filter(isListed), request, RESOURCE_FILTER);
  const { value, ...rest } = pageOf(all, request, LIST_SIZE);
  return { ...rest, value: value.map(shown) };
}

/** Resources of one type at a scope and below it. */
export function listType(
  { resources }: ResourceState,
  type: ResourceType,
  scope: string,
  request: ApiRequest,
): Page<Resource> {
  const all =
    type.list?.(scope, request) ?? resources.in(scope).filter((each) => each.type === type.type);
  const value = type.filter === "list" ? all : filtered(all, request, type.filter);
  return type.pages ? pageOf(value, request, type.pages) : { value };
}

/** @throws ServiceError 400 for a `$filter` that the rules do not contain */
export function filtered<T extends Resource>(
  items: readonly T[],
  { query }: Pick<ApiRequest, "query">,
  rules: FilterRules | undefined,
): readonly T[] {
  const condition = compileFilter(query.get("$filter") ?? "", rules);
  return items.filter((item) => valuesOf(item).some(condition));
}

/** The properties of a resource to compare, once for each of its tags. */
function valuesOf({ id, name, type, location, body }: Resource): FilterValues[] {
  const { tags, identity, plan } = body;
  const values = {
    name,
    location,
    resourcetype: type,
    resourcegroup: id.split("/")[4],
    identity: textAt(identity, "type"),
    "identity/principalid": textAt(identity, "principalId"),
    plan: textAt(plan, "name"),
    "plan/publisher": textAt(plan, "publisher"),
    "plan/product": textAt(plan, "product"),
    "plan/name": textAt(plan, "name"),
    "plan/version": textAt(plan, "version"),
    "plan/promotioncode": textAt(plan, "promotionCode"),
    provisioningstate: textAt(body, "properties", "provisioningState"),
  };
  if (!isObject(tags) || Object.keys(tags).length === 0) return [values];
  return Object.entries(tags).map(([tagname, tagvalue]) => ({
    ...values,
    tagname,
    tagvalue: String(tagvalue),
  }));
}

function shown({ id, name, type, location, body }: Resource): object {
  const { tags, kind, sku, identity } = body;
  return {
    id,
    name,
    type,
    location,
    ...(tags !== undefined && { tags }),
    ...(kind !== undefined && { kind }),
    ...(sku !== undefined && { sku }),
    ...(identity !== undefined && { identity }),
  };
}

export interface Page<T> {
  readonly value: readonly T[];
  /** URL of the next page. */
  readonly nextLink?: string;
}

/**
 * The page of a list that a request asks for. Items are in the order of their IDs, and the token of
 * a page is the last ID before it: a client that deletes what it has read misses nothing.
 *
 * @throws ServiceError 400 for an invalid `$top`
 */
export function pageOf<T extends { readonly id: string }>(
  items: readonly T[],
  { origin, path, query }: Pick<ApiRequest, "origin" | "path" | "query">,
  { size, max }: PageSize,
): Page<T> {
  const top = query.get("$top");
  const count = top === null ? size : Number(top);
  if (!Number.isInteger(count) || count < 1 || count > max) {
    throw invalidRequest(`The value of $top '${top}' is invalid. It must be from 1 to ${max}.`);
  }
  const token = Buffer.from(query.get("$skiptoken") ?? "", "base64url").toString("utf8");
  const rest = items
    .map((item) => ({ item, key: scopeKey(item.id) }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .filter(({ key }) => key > token);
  const page = rest.slice(0, count);
  const value = page.map(({ item }) => item);
  if (page.length === rest.length) return { value };
  const next = new URLSearchParams(query);
  next.set("$skiptoken", Buffer.from(page.at(-1)?.key ?? "").toString("base64url"));
  return { value, nextLink: `${origin}${path}?${next}` };
}
