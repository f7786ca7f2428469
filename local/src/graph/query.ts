import { compileFilter } from "../api/index.js";
import type { Tenant } from "../directory/index.js";
import { badRequest } from "./graph-errors.js";
import type { GraphRequest } from "./graph-router.js";

type Resource = Readonly<Record<string, unknown>>;

const SUPPORTED = ["$filter", "$select", "$top", "$count", "$skiptoken"];
const DEFAULT_PAGE = 100;

/** How Graph shows an object. */
export type Answer<T> = (object: T, tenant: Tenant) => object;

/**
 * Applies the OData query of a list request, as far as it is supported.
 *
 * @throws ServiceError 400 for anything else, so that no client gets more than it asked for
 */
export function listAnswer<T>(all: readonly T[], request: GraphRequest, answer: Answer<T>) {
  const { query, origin, path, tenant } = request;
  requireSupported(query);
  const matches = compiled(query.get("$filter") ?? "");
  const found = all
    .map((object): Resource => ({ ...answer(object, tenant) }))
    .filter((each) => matches(each));
  const start = numberIn(query, "$skiptoken", 0);
  const end = start + numberIn(query, "$top", DEFAULT_PAGE);
  const next = new URLSearchParams(query);
  next.set("$skiptoken", String(end));
  return {
    ...(query.get("$count") === "true" ? { "@odata.count": found.length } : {}),
    ...(end < found.length ? { "@odata.nextLink": `${origin}${path}?${next}` } : {}),
    value: found.slice(start, end).map((each) => selected(each, query)),
  };
}

/** An object with the fields of `$select` and its type; with all fields without `$select`. */
export function objectAnswer<T>(object: T, request: GraphRequest, answer: Answer<T>): object {
  requireSupported(request.query);
  return selected(answer(object, request.tenant), request.query);
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

function selected(resource: object, query: URLSearchParams): object {
  const fields = query.get("$select");
  if (fields === null) return resource;
  const names = ["@odata.type", ...fields.split(",").map((each) => each.trim())];
  return Object.fromEntries(Object.entries(resource).filter(([name]) => names.includes(name)));
}

function numberIn(query: URLSearchParams, name: string, defaultValue: number): number {
  const text = query.get(name);
  if (text === null) return defaultValue;
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0 && value <= 999_999) return value;
  throw badRequest(`Invalid value '${text}' of the query option '${name}'.`);
}

/** Of functions, the local Graph has `startswith`. */
function compiled(filter: string): (resource: Resource) => boolean {
  return compileFilter<Resource>(filter, {
    property: (name, use) =>
      use === "contains" || name.includes("/") ? undefined : (resource) => resource[name],
    takesBareValues: true,
    refused: () => badRequest(`Invalid filter clause: ${filter}`),
  });
}
