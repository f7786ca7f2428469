import { compileFilter } from "../api/index.js";
import { asText, groupsOf, parameterIn, sameText, split } from "../base/index.js";
import type { Tenant } from "../directory/index.js";
import { badRequest, unsupportedQuery } from "./graph-errors.js";
import type { GraphRequest } from "./graph-router.js";
import { propertiesOf } from "./property-types.js";

type Resource = Readonly<Record<string, unknown>>;

const SUPPORTED = ["$filter", "$select", "$orderby", "$top", "$count", "$skiptoken"];
const DEFAULT_PAGE = 100;

/** @see https://learn.microsoft.com/graph/paging */
const LARGEST_PAGE = 999;

/** Writes an object as Graph's responses show it. */
export type Answer<T> = (object: T, tenant: Tenant) => object;

/**
 * Applies the OData query of a list request, as far as it is supported.
 *
 * @param kind whose properties the query may name
 * @throws ServiceError 400 for anything else, so that no client gets more than it asked for
 */
export function listAnswer<T>(
  all: readonly T[],
  request: GraphRequest,
  kind: string,
  answer: Answer<T>,
) {
  const { query, origin, path, tenant } = request;
  requireSupported(query);
  const matches = compiled(parameterIn(query, "$filter"), kind, path);
  const select = selection(request, kind);
  const found = all
    .map((object): Resource => ({ ...answer(object, tenant) }))
    .filter((each) => matches(each));
  const start = numberIn(query, "$skiptoken", 0);
  const end = start + pageSize(query);
  const next = new URLSearchParams(query);
  next.set("$skiptoken", String(end));
  return {
    ...(isCounted(query) ? { "@odata.count": found.length } : {}),
    ...(end < found.length ? { "@odata.nextLink": `${origin}${path}?${next}` } : {}),
    value: ordered(found, request, kind).slice(start, end).map(select),
  };
}

/**
 * The number of objects that a `$filter` selects, for a path that ends in `$count`.
 *
 * @see https://learn.microsoft.com/graph/aad-advanced-queries
 * @throws ServiceError 400 without the header that such a query needs
 */
export function countAnswer<T>(
  all: readonly T[],
  { query, path, tenant, headers }: GraphRequest,
  kind: string,
  answer: Answer<T>,
): number {
  if (!sameText(asText(headers.consistencylevel), "eventual")) {
    throw badRequest("$count is not currently supported.");
  }
  requireSupported(query);
  const matches = compiled(parameterIn(query, "$filter"), kind, path);
  return all.filter((object) => matches({ ...answer(object, tenant) })).length;
}

/** An object with the fields of `$select` and its type; with all fields without `$select`. */
export function objectAnswer<T>(
  object: T,
  request: GraphRequest,
  kind: string,
  answer: Answer<T>,
): object {
  requireSupported(request.query);
  return selection(request, kind)({ ...answer(object, request.tenant) });
}

function requireSupported(query: URLSearchParams): void {
  for (const name of query.keys()) {
    if (name.startsWith("$") && !SUPPORTED.includes(name)) {
      throw badRequest(
        `The local Graph does not support the query option '${name}', only ${SUPPORTED.join(", ")}.`,
      );
    }
  }
}

/**
 * Names have a case. The beta has properties that are not known here.
 *
 * @throws ServiceError 400 for a property that objects of the kind do not have
 */
function requireProperty(name: string, kind: string, path: string, clause: string): void {
  if (path.startsWith("/beta/") || Object.hasOwn(propertiesOf(kind), name)) return;
  const type = `microsoft.graph.${kind.charAt(0).toLowerCase()}${kind.slice(1)}`;
  throw badRequest(
    `${clause}: Could not find a property named '${name}' on type '${type}'.`,
    "BadRequest",
  );
}

function selection({ query, path }: GraphRequest, kind: string): (resource: Resource) => object {
  const names = query
    .get("$select")
    ?.split(",")
    .map((each) => each.trim());
  if (names === undefined) return (resource) => resource;
  for (const name of names) {
    if (name !== "*") requireProperty(name, kind, path, "Parsing OData Select and Expand failed");
  }
  if (names.includes("*")) return (resource) => resource;
  const types = propertiesOf(kind);
  const unset = names.filter((name) => Object.hasOwn(types, name) && types[name] !== "any");
  return (resource) => ({
    ...Object.fromEntries(unset.map((name) => [name, null])),
    ...Object.fromEntries(
      Object.entries(resource).filter(([name]) => ["@odata.type", ...names].includes(name)),
    ),
  });
}

function ordered(
  resources: readonly Resource[],
  { query, path }: GraphRequest,
  kind: string,
): readonly Resource[] {
  const order = query.get("$orderby");
  if (order === null) return resources;
  const [name, direction] = groupsOf(/^\s*(\w+)(?:\s+(asc|desc))?\s*$/i, order);
  if (name === "") throw badRequest(`Invalid orderby clause: ${order}`, "BadRequest");
  requireProperty(name, kind, path, "Invalid orderby clause");
  const textOf = (resource: Resource) => asText(resource[name] ?? "").toLowerCase();
  const sorted = [...resources].sort((one, other) => (textOf(one) < textOf(other) ? -1 : 1));
  return direction.toLowerCase() === "desc" ? sorted.reverse() : sorted;
}

function isCounted(query: URLSearchParams): boolean {
  const count = query.get("$count") ?? "false";
  if (count === "true" || count === "false") return count === "true";
  throw badRequest(
    `Invalid value '${count}' for $count query option found. Valid values are 'true' and 'false'.`,
    "BadRequest",
  );
}

function pageSize(query: URLSearchParams): number {
  const size = numberIn(query, "$top", DEFAULT_PAGE);
  if (size >= 1 && size <= LARGEST_PAGE) return size;
  throw unsupportedQuery(
    `Invalid page size specified: '${size}'. Must be between 1 and ${LARGEST_PAGE} inclusive.`,
  );
}

function numberIn(query: URLSearchParams, name: string, defaultValue: number): number {
  const text = query.get(name);
  if (text === null) return defaultValue;
  const value = Number(text);
  if (text !== "" && Number.isInteger(value) && value >= 0) return value;
  throw badRequest(
    `Invalid value '${text}' for ${name} query option found. The ${name} query option requires a non-negative integer value.`,
    "BadRequest",
  );
}

/** Of functions, the properties of directory objects have `startswith`. */
function compiled(filter: string, kind: string, path: string): (resource: Resource) => boolean {
  return compileFilter<Resource>(filter, {
    property: (name, use) => {
      const [first] = split(name, "/");
      requireProperty(first, kind, path, "Invalid filter clause");
      const isFunction = use === "contains" || use === "endswith" || use === "substringof";
      if (!isFunction && first === name) return (resource) => resource[name];
      throw unsupportedQuery(
        `Unsupported or invalid query filter clause specified for property '${name}' of resource '${kind}'.`,
      );
    },
    takesBareValues: true,
    refused: () => badRequest(`Invalid filter clause: ${filter}`, "BadRequest"),
  });
}
