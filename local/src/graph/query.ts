import { badRequest } from "./graph-errors.js";

type Resource = Readonly<Record<string, unknown>>;
type Condition = (resource: Resource) => boolean;

const SUPPORTED = ["$filter", "$select", "$top", "$search", "$count", "$skiptoken", "$orderby"];
const DEFAULT_PAGE = 100;

const LITERAL = String.raw`'((?:[^']|'')*)'|([\w.:-]+)`;
const COMPARISON = new RegExp(String.raw`^(\w+)\s+(eq|ne)\s+(?:${LITERAL})$`);
const STARTS_WITH = /^startswith\(\s*(\w+)\s*,\s*'((?:[^']|'')*)'\s*\)$/i;
const ANY_EQUALS = /^(\w+)\/any\(\s*(\w+)\s*:\s*\2\s+eq\s+'((?:[^']|'')*)'\s*\)$/;
const IN = /^(\w+)\s+in\s+\(\s*((?:'(?:[^']|'')*'\s*,?\s*)+)\)$/;

/**
 * Applies the OData query of a list request, as far as it is supported.
 *
 * @throws ServiceError 400 for anything else, so that no client gets more than it asked for
 */
export function listAnswer(all: readonly object[], query: URLSearchParams, path: string) {
  for (const name of query.keys()) {
    if (name.startsWith("$") && !SUPPORTED.includes(name)) {
      throw badRequest(`The query option '${name}' is not supported by the local Graph.`);
    }
  }
  const filter = compile(query.get("$filter") ?? "");
  const search = searchIn(query.get("$search") ?? "");
  const resources = all.map((each): Resource => Object.fromEntries(Object.entries(each)));
  const found = resources
    .filter((each) => filter(each) && search(each))
    .sort(orderOf(query.get("$orderby") ?? ""));

  const start = numberIn(query, "$skiptoken", 0);
  const end = start + numberIn(query, "$top", DEFAULT_PAGE);
  const next = new URLSearchParams(query);
  next.set("$skiptoken", String(end));
  return {
    ...(query.get("$count") === "true" ? { "@odata.count": found.length } : {}),
    ...(end < found.length ? { "@odata.nextLink": `${path}?${next}` } : {}),
    value: found.slice(start, end).map((each) => selected(each, query)),
  };
}

/** The fields of `$select`; all without it. */
export function selected(resource: object, query: URLSearchParams): object {
  const fields = query
    .get("$select")
    ?.split(",")
    .map((each) => each.trim());
  if (!fields) return resource;
  return Object.fromEntries(
    Object.entries(resource).filter(([name]) => fields.includes(name) || name === "@odata.type"),
  );
}

function numberIn(query: URLSearchParams, name: string, defaultValue: number): number {
  const text = query.get(name);
  if (text === null) return defaultValue;
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0 && value <= 999_999) return value;
  throw badRequest(`Invalid value '${text}' of the query option '${name}'.`);
}

/** Alternatives of conditions: `and` binds stronger than `or`. */
function compile(filter: string): Condition {
  if (filter.trim() === "") return () => true;
  const alternatives = split(filter, "or").map((alternative) =>
    split(alternative, "and").map((condition) => conditionOf(condition, filter)),
  );
  return (resource) => alternatives.some((all) => all.every((condition) => condition(resource)));
}

function conditionOf(text: string, filter: string): Condition {
  const comparison = COMPARISON.exec(text);
  if (comparison) {
    const [, name = "", operator, quoted, bare = ""] = comparison;
    const wanted = quoted === undefined ? bare : unquoted(quoted);
    return (resource) => same(resource[name], wanted) === (operator === "eq");
  }
  const start = STARTS_WITH.exec(text);
  if (start) {
    const [, name = "", prefix = ""] = start;
    const wanted = unquoted(prefix).toLowerCase();
    return (resource) =>
      String(resource[name] ?? "")
        .toLowerCase()
        .startsWith(wanted);
  }
  const any = ANY_EQUALS.exec(text);
  if (any) {
    const [, name = "", , wanted = ""] = any;
    return (resource) => {
      const values = resource[name];
      return Array.isArray(values) && values.some((each) => same(each, unquoted(wanted)));
    };
  }
  const list = IN.exec(text);
  if (list) {
    const [, name = "", texts = ""] = list;
    const wanted = [...texts.matchAll(/'((?:[^']|'')*)'/g)].map(([, each = ""]) => unquoted(each));
    return (resource) => wanted.some((each) => same(resource[name], each));
  }
  throw badRequest(`Invalid filter clause: ${filter}`);
}

/** `"displayName:text"`: any word of the field starts with the text. */
function searchIn(search: string): Condition {
  if (search === "") return () => true;
  const match = /^"(\w+):(.+)"$/.exec(search);
  if (!match) throw badRequest(`Invalid search clause: ${search}`);
  const [, name = "", text = ""] = match;
  return (resource) =>
    String(resource[name] ?? "")
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
  const text = (value: unknown) => String(value ?? "").toLowerCase();
  return (one, other) => {
    for (const { name, sign } of keys) {
      const [a, b] = [text(one[name]), text(other[name])];
      if (a !== b) return a < b ? -sign : sign;
    }
    return 0;
  };
}

/** Splits at an operator, except inside quotes. */
function split(text: string, operator: "and" | "or"): string[] {
  const separator = new RegExp(`\\s${operator}\\s(?=(?:[^']*'[^']*')*[^']*$)`, "i");
  return text.split(separator).map((each) => each.trim());
}

function unquoted(text: string): string {
  return text.replaceAll("''", "'");
}

function same(value: unknown, wanted: string): boolean {
  return String(value).toLowerCase() === wanted.toLowerCase();
}
