import type { ApiRequest } from "../../api/index.js";
import { invalidRequest, scopeKey } from "../../base/index.js";

/** How many items a page has. */
export interface PageSize {
  /** Without `$top`. */
  readonly size: number;
  /** Largest `$top`. */
  readonly max: number;
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
