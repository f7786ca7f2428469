import type { ApiRequest, ApiResponse } from "../api/index.js";
import { isObject, parameterIn } from "../base/index.js";
import { without } from "./attributes.js";

/** The sets of one type each. */
const ENTITY_SETS = ["applications", "domains", "groups", "servicePrincipals", "users"];

/** Fields that the objects of a set have only if the request selects them. */
const ON_REQUEST: Readonly<Record<string, readonly string[]>> = {
  users: ["accountEnabled", "mailNickname"],
};

/**
 * Fields of the beta only, which shows them without being asked.
 *
 * @see https://learn.microsoft.com/graph/api/resources/serviceprincipal?view=graph-rest-beta
 */
const ONLY_BETA: Readonly<Record<string, readonly string[]>> = {
  servicePrincipals: ["samlMetadataUrl"],
};

const CONTENT_TYPE =
  "application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false;charset=utf-8";

/** The response in the form of OData: with its context, and without types that the context names. */
export function enveloped(request: ApiRequest, response: ApiResponse): ApiResponse {
  const { body } = response;
  const [, version, set = "", ...rest] = request.path.split("/");
  if (!isObject(body)) return response;
  const isTyped = rest.length <= 1 && ENTITY_SETS.includes(set);
  const selected = parameterIn(request.query, "$select")
    .split(",")
    .map((each) => each.trim());
  const hidden = [
    ...(isTyped ? ["@odata.type"] : []),
    ...(ON_REQUEST[set] ?? []).filter((name) => !selected.includes(name)),
    ...((version !== "beta" && ONLY_BETA[set]) || []),
  ];
  const bare = (each: unknown) => (isObject(each) ? without(each, hidden) : each);
  const isList = Array.isArray(body.value);
  const id = request.method === "POST" && isTyped ? body.id : undefined;
  return {
    ...response,
    headers: {
      "content-type": CONTENT_TYPE,
      "odata-version": "4.0",
      ...(id !== undefined && {
        location: `${request.origin}/v2/${request.caller.tenantId}/directoryObjects/${id}/Microsoft.DirectoryServices.${set.charAt(0).toUpperCase()}${set.slice(1, -1)}`,
      }),
      ...response.headers,
    },
    body: {
      "@odata.context": `${request.origin}/${version}/$metadata#${contextOf(request, set, rest, isList)}`,
      ...(isList ? { ...body, value: [body.value].flat().map(bare) } : Object(bare(body))),
    },
  };
}

function contextOf(
  { query }: ApiRequest,
  set: string,
  [id, related]: readonly string[],
  isList: boolean,
): string {
  if (related === "addPassword") return "microsoft.graph.passwordCredential";
  const selected = query.get("$select");
  const fields = selected === null ? "" : `(${selected})`;
  const entity = isList ? "" : "/$entity";
  if (related === "federatedIdentityCredentials") return `${set}('${id}')/${related}${entity}`;
  if (related?.startsWith("appRoleAssign")) return `appRoleAssignments${entity}`;
  const isOwn = related === undefined && (ENTITY_SETS.includes(set) || set === "organization");
  return `${isOwn ? set : "directoryObjects"}${fields}${entity}`;
}
