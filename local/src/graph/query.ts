import { compileFilter } from "../api/index.js";
import { asText } from "../base/index.js";
import type { Tenant } from "../directory/index.js";
import { badRequest } from "./graph-errors.js";
import type { GraphRequest } from "./graph-router.js";

type Resource = Readonly<Record<string, unknown>>;
type Condition = (resource: Resource) => boolean;

const SUPPORTED = [
  "$filter",
  "$select",
  "$expand",
  "$top",
  "$search",
  "$count",
  "$skiptoken",
  "$orderby",
];
const DEFAULT_PAGE = 100;
/** @see https://learn.microsoft.com/graph/query-parameters#expand-parameter */
const MAX_EXPANDED = 20;

/** How Graph shows objects. */
export interface View<T> {
  readonly answer: (object: T, tenant: Tenant) => object;
  /** The related objects that `$expand` can add. */
  readonly relationships?: Readonly<
    Record<string, (object: T, tenant: Tenant) => readonly object[]>
  >;
}

const EXPANSION = /^(\w+)(?:\(\$select=([\w,\s]+)\))?$/;

/**
 * Applies the OData query of a list request, as far as it is supported.
 *
 * @throws ServiceError 400 for anything else, so that no client gets more than it asked for
 */
export function listAnswer<T>(all: readonly T[], request: GraphRequest, view: View<T>) {
  const { query, origin, path, tenant } = request;
  for (const name of query.keys()) {
    if (name.startsWith("$") && !SUPPORTED.includes(name)) {
      throw badRequest(`The query option '${name}' is not supported by the local Graph.`);
    }
  }
  const shape = shapeOf(request, view);
  const filter = compile(query.get("$filter") ?? "");
  const search = searchIn(query.get("$search") ?? "");
  const order = orderOf(query.get("$orderby") ?? "");
  const found = all
    .map((object) => ({ object, fields: fieldsOf(view.answer(object, tenant)) }))
    .filter(({ fields }) => filter(fields) && search(fields))
    .sort((one, other) => order(one.fields, other.fields));

  const start = numberIn(query, "$skiptoken", 0);
  const end = start + numberIn(query, "$top", DEFAULT_PAGE);
  const next = new URLSearchParams(query);
  next.set("$skiptoken", String(end));
  return {
    ...(query.get("$count") === "true" ? { "@odata.count": found.length } : {}),
    ...(end < found.length ? { "@odata.nextLink": `${origin}${path}?${next}` } : {}),
    value: found.slice(start, end).map(({ object, fields }) => shape(object, fields)),
  };
}

/**
 * The fields of `$select`, all without it, and the relationships of `$expand`.
 *
 * @throws ServiceError 400 for a relationship that cannot be expanded
 */
export function selected<T>(object: T, request: GraphRequest, view: View<T>): object {
  return shapeOf(request, view)(object, view.answer(object, request.tenant));
}

function fieldsOf(answer: object): Resource {
  return Object.fromEntries(Object.entries(answer));
}

function shapeOf<T>({ query, tenant }: GraphRequest, { relationships = {} }: View<T>) {
  const fields = query.get("$select");
  const expansions = expansionsIn(query.get("$expand") ?? "", relationships);
  return (object: T, answer: object) => ({
    ...only(fields, answer),
    ...Object.fromEntries(expansions.map(([name, related]) => [name, related(object, tenant)])),
  });
}

/** The named fields and the type; all fields for `null`. */
function only(fields: string | null, resource: object): object {
  if (fields === null) return resource;
  const names = ["@odata.type", ...fields.split(",").map((each) => each.trim())];
  return Object.fromEntries(Object.entries(resource).filter(([name]) => names.includes(name)));
}

/** `owners,appRoleAssignments($select=id,appRoleId)`. */
function expansionsIn<T>(expand: string, relationships: NonNullable<View<T>["relationships"]>) {
  if (expand.trim() === "") return [];
  return expand.split(/,(?![^(]*\))/).map((expansion) => {
    const match = EXPANSION.exec(expansion.trim());
    const [, name = "", fields = null] = match ?? [];
    const related = Object.hasOwn(relationships, name) && relationships[name];
    if (!match || !related) {
      throw badRequest(
        `The local Graph does not support '$expand=${expansion}'. It expands here: ${Object.keys(relationships).join(", ") || "nothing"}.`,
      );
    }
    const expanded = (object: T, tenant: Tenant) =>
      related(object, tenant)
        .slice(0, MAX_EXPANDED)
        .map((each) => only(fields, each));
    return [name, expanded] as const;
  });
}

function numberIn(query: URLSearchParams, name: string, defaultValue: number): number {
  const text = query.get(name);
  if (text === null) return defaultValue;
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0 && value <= 999_999) return value;
  throw badRequest(`Invalid value '${text}' of the query option '${name}'.`);
}

/** Of functions, the local Graph has `startswith`. */
function compile(filter: string): Condition {
  return compileFilter<Resource>(filter, {
    property: (name, use) =>
      use === "contains" || use === "substringof" || name.includes("/")
        ? undefined
        : (resource) => resource[name],
    takesBareValues: true,
    refused: () => badRequest(`Invalid filter clause: ${filter}`),
  });
}

/** `"displayName:text"`: any word of the field starts with the text. */
function searchIn(search: string): Condition {
  if (search === "") return () => true;
  const match = /^"(\w+):(.+)"$/.exec(search);
  if (!match) throw badRequest(`Invalid search clause: ${search}`);
  const [, name = "", text = ""] = match;
  return (resource) =>
    asText(resource[name] ?? "")
      .toLowerCase()
      .includes(text.toLowerCase());
}

/** `displayName desc, appId`: as in Graph, texts are compared without regard to case. */
function orderOf(orderBy: string): (one: Resource, other: Resource) => number {
  if (orderBy.trim() === "") return () => 0;
  const keys = orderBy.split(",").map((key) => {
    const match = /^(\w+)(?:\s+(asc|desc))?$/i.exec(key.trim());
    if (!match) throw badRequest(`Invalid orderby clause: ${orderBy}`);
    const [, name = "", direction = "asc"] = match;
    return { name, sign: direction.toLowerCase() === "asc" ? 1 : -1 };
  });
  const text = (value: unknown) => asText(value ?? "").toLowerCase();
  return (one, other) => {
    for (const { name, sign } of keys) {
      const [a, b] = [text(one[name]), text(other[name])];
      if (a !== b) return a < b ? -sign : sign;
    }
    return 0;
  };
}
