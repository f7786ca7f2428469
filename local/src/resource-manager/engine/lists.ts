import { type ApiRequest, compileFilter, type FilterUse } from "../../api/index.js";
import {
  asText,
  field,
  groupNameOf,
  invalidRequest,
  objectAt,
  parameterIn,
  propertiesIn,
  type ServiceError,
  scopeKey,
  serviceError,
} from "../../base/index.js";
import { answerOf } from "./answer.js";
import type { FilterRules, PageSize, Resource, ResourceType } from "./resource-type.js";
import type { ResourceState } from "./resources.js";

/** Resource Manager's own lists. */
const LIST_SIZE: PageSize = { size: 1_000, max: 1_000 };

type Tag = readonly [name: string, value: string] | readonly [];

/** The properties that filters compare, of a resource with one of its tags. */
const PROPERTIES: Readonly<Record<string, (resource: Resource, tag: Tag) => unknown>> = {
  location: ({ location }) => location,
  resourceType: ({ type }) => type,
  name: ({ name }) => name,
  resourceGroup: ({ id }) => groupNameOf(id),
  tagName: (_, [name]) => name,
  tagValue: (_, [, value]) => value,
  "identity/principalId": ({ body }) => field(body, "identity", "principalId"),
};

/**
 * What is documented, except for the identity and the plan as a whole.
 *
 * @see https://learn.microsoft.com/rest/api/resources/resources/list
 */
const RESOURCE_FILTER: FilterRules = {
  compared: Object.keys(PROPERTIES),
  functions: { startswith: ["tagName"], substringof: ["name", "resourceGroup"] },
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

/** The response to a list of one type: a page of the resources that the request asks for. */
export function listAnswer(
  type: ResourceType,
  all: readonly Resource[],
  request: ApiRequest,
): Page<object> {
  const listed = type.filter === "list" ? all : filtered(all, request, type.filter);
  const page = type.pages ? pageOf(listed, request, type.pages) : { value: listed };
  return { ...page, value: page.value.map((each) => answerOf(type, each, request)) };
}

const MAX_FILTER_LENGTH = 2_000;

/** @throws ServiceError 400 for a `$filter` that the rules do not contain */
function filtered<T extends Resource>(
  items: readonly T[],
  { query }: Pick<ApiRequest, "query">,
  rules: FilterRules = { compared: [] },
): readonly T[] {
  const filter = parameterIn(query, "$filter");
  if (filter.length > MAX_FILTER_LENGTH) {
    throw invalidRequest(`The $filter is longer than ${MAX_FILTER_LENGTH} characters.`);
  }
  const condition = compileFilter<readonly [Resource, Tag]>(filter, {
    property: (name, use) => {
      const known = propertiesFor(use, rules).find(
        (each) => each.toLowerCase() === name.toLowerCase(),
      );
      if (known === undefined) return undefined;
      const value = PROPERTIES[known] ?? (({ body }: Resource) => field(propertiesIn(body), known));
      return ([resource, tag]) => value(resource, tag) ?? "";
    },
    conditions: new Map(rules.conditions?.map((name) => [name.toLowerCase(), () => true])),
    refused: () => rules.refused?.(filter) ?? refusal(filter, rules),
  });
  return items.filter((item) => tagsOf(item).some((tag) => condition([item, tag])));
}

function tagsOf({ body }: Resource): readonly Tag[] {
  const tags = Object.entries(objectAt(body, "tags"));
  return tags.length === 0 ? [[]] : tags.map(([name, value]) => [name, asText(value)]);
}

function propertiesFor(use: FilterUse, { compared, functions }: FilterRules): readonly string[] {
  return use === "equality" ? compared : (functions?.[use] ?? []);
}

function refusal(filter: string, { compared, functions = {} }: FilterRules): ServiceError {
  const supported = [
    ...compared.map((property) => `${property} eq|ne '…'`),
    ...Object.entries(functions).flatMap(([name, properties]) =>
      properties.map((property) =>
        name === "substringof" ? `${name}('…', ${property})` : `${name}(${property}, '…')`,
      ),
    ),
  ];
  const remedy =
    supported.length === 0 ? "This list has no filter." : `It may use ${supported.join(", ")}.`;
  return serviceError.InvalidFilterInQueryString(
    `Invalid $filter '${filter}' specified in the query string. ${remedy}`,
  );
}

function shown({ id, name, type, location, body }: Resource): object {
  const { tags, kind, sku, identity } = body;
  return { id, name, type, location, tags, kind, sku, identity };
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
function pageOf<T extends { readonly id: string }>(
  items: readonly T[],
  { origin, path, query }: Pick<ApiRequest, "origin" | "path" | "query">,
  { size, max }: PageSize,
): Page<T> {
  const top = query.get("$top");
  const count = top === null ? size : Number(top);
  if (!Number.isInteger(count) || count < 1 || count > max) {
    throw invalidRequest(`The value of $top '${top}' is invalid. It must be from 1 to ${max}.`);
  }
  const token = Buffer.from(parameterIn(query, "$skiptoken"), "base64url").toString("utf8");
  const rest = items
    .map((item) => ({ item, key: scopeKey(item.id) }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .filter(({ key }) => key > token);
  const page = rest.slice(0, count);
  const value = page.map(({ item }) => item);
  const last = page.at(-1);
  if (last === undefined || page.length === rest.length) return { value };
  const next = new URLSearchParams(query);
  next.set("$skiptoken", Buffer.from(last.key).toString("base64url"));
  return { value, nextLink: `${origin}${path}?${next}` };
}
