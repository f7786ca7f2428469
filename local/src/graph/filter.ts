import { badRequest } from "./graph-errors.js";

const EQUALS = /^\s*(\w+)\s+eq\s+'((?:[^']|'')*)'\s*$/;
const ANY_EQUALS = /^\s*(\w+)\/any\(\s*(\w+)\s*:\s*\2\s+eq\s+'((?:[^']|'')*)'\s*\)\s*$/;

/**
 * Whether a resource matches `$filter`: `name eq 'value'` and `names/any(x:x eq 'value')`, joined by
 * `and`. Strings compare case-insensitively.
 *
 * @throws ServiceError 400 for any other filter
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

/** Splits at `and`, except inside quotes. */
function conditionsOf(filter: string): string[] {
  const parts = filter.match(/(?:'(?:[^']|'')*'|(?!\sand\s)[^'])+/g) ?? [filter];
  return parts.map((part) => part.trim().replace(/^and\s+/, ""));
}

function same(value: unknown, quoted = ""): boolean {
  return String(value).toLowerCase() === quoted.replaceAll("''", "'").toLowerCase();
}
