import { badRequest } from "./graph-errors.js";

const EQUALS = /^\s*(\w+)\s+eq\s+'((?:[^']|'')*)'\s*$/;
const ANY_EQUALS = /^\s*(\w+)\/any\(\s*(\w+)\s*:\s*\2\s+eq\s+'((?:[^']|'')*)'\s*\)\s*$/;

/**
 * Whether a resource is what `$filter` asks for: `name eq 'value'` and
 * `names/any(x:x eq 'value')`, joined by `and`; texts compare without regard to case.
 * @throws ServiceError 400 on any other filter
 */
export function matchesFilter(resource: object, filter: string | null): boolean {
  if (filter === null || filter.trim() === "") return true;
  const values = new Map<string, unknown>(Object.entries(resource));
  return conditionsOf(filter).every((condition) => {
    const equals = EQUALS.exec(condition);
    if (equals) return same(values.get(equals[1] ?? ""), equals[2]);
    const any = ANY_EQUALS.exec(condition);
    if (!any) throw badRequest(`Invalid filter clause: ${filter}`);
    const list = values.get(any[1] ?? "");
    return Array.isArray(list) && list.some((each) => same(each, any[3]));
  });
}

/** What stands between the `and`s, those within a quoted text apart. */
function conditionsOf(filter: string): string[] {
  const parts = filter.match(/(?:'(?:[^']|'')*'|(?!\sand\s)[^'])+/g) ?? [filter];
  return parts.map((part) => part.trim().replace(/^and\s+/, ""));
}

function same(value: unknown, quoted = ""): boolean {
  return String(value).toLowerCase() === quoted.replaceAll("''", "'").toLowerCase();
}
