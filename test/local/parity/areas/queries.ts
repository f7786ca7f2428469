import { textIn } from "../../support/management-client.js";
import { type Area, rowsThat } from "../row.js";
import { GROUP, prepared } from "../stage.js";

const ROOT = GROUP.split("/resourceGroups")[0];
const AUTHORIZATION = "providers/Microsoft.Authorization";

/** A row about the response to a `GET` with a query. */
const query = rowsThat(async (stage, path?: string) => {
  await prepared(stage);
  const { status, body } = await stage.call("GET", path ?? "");
  return status < 400 ? status : [status, textIn(body, "error", "code")];
});

/** A row about the response to a query of a topic's metrics. */
const metrics = rowsThat(async (stage, parameters?: string) => {
  await prepared(stage);
  const { id } = await stage.newTopic();
  const path = `${id}/providers/Microsoft.Insights/metrics?${parameters}`;
  const { status, body } = await stage.call("GET", path);
  return status < 400 ? status : [status, textIn(body, "error", "code")];
});

/** A query of Graph's applications. */
const graph = (text: string) => `/v1.0/applications?${text.replaceAll(" ", "%20")}`;

const roles = (collection: string, filter: string) =>
  `${ROOT}/${AUTHORIZATION}/${collection}?$filter=${filter.replaceAll(" ", "%20")}`;

const QUERIES = "graph/query-parameters";

export const queries: Area = {
  title: "Queries of lists",
  rows: [
    query(
      {
        page: "https://github.com/microsoftgraph/msgraph-beta-sdk-dotnet/issues/563",
        section: "the reported error",
      },
      "Graph: `$select` of a property that does not exist",
    )
      .documented(
        "400 `BadRequest`, “Parsing OData Select and Expand failed: Could not find a property named …”",
      )
      .with(graph("$select=colour"))
      .gives([400, "BadRequest"]),
    query(
      {
        page: "https://github.com/microsoftgraph/microsoft-graph-docs-contrib/issues/4133",
        section: "the reported error",
      },
      "Graph: `$filter` with a property that does not exist, or in another case",
    )
      .documented("400 `BadRequest`, “Invalid filter clause”")
      .with(graph("$filter=displayname eq 'orders'"))
      .gives([400, "BadRequest"]),
    query(
      {
        page: "https://github.com/microsoftgraph/msgraph-sdk-dotnet/issues/2552",
        section: "the reported error",
      },
      "Graph: `$filter` with a function that the property does not have",
    )
      .documented(
        "400, “Unsupported or invalid query filter clause specified for property …”; `Request_UnsupportedQuery` in other reports",
      )
      .with(graph("$filter=endswith(displayName,'a')"))
      .gives([400, "Request_UnsupportedQuery"]),
    query(
      { page: QUERIES, section: "OData system query options" },
      "Graph: `$expand` and `$search`",
    )
      .documented("supported; `$search` with the header `ConsistencyLevel`")
      .differs("400 `Request_BadRequest`, which names the options that are supported")
      .with(graph("$expand=owners"))
      .gives([400, "Request_BadRequest"]),
    query(
      { page: "rest/api/resources/resources/list", section: "URI parameters" },
      "Resource Manager: `substringof` of a name",
    )
      .documented("supported, for `name` and `resourceGroup`")
      .with(`${ROOT}/resources?$filter=substringof('or',name)`)
      .gives(200),
    query(
      { page: "rest/api/resources/resources/list", section: "URI parameters" },
      "Resource Manager: a comparison with `identity` or `plan`",
    )
      .documented("supported")
      .differs("400 `InvalidFilterInQueryString`; `identity/principalId` is supported")
      .with(`${ROOT}/resources?$filter=plan%20eq%20'a'`)
      .gives([400, "InvalidFilterInQueryString"]),
    query(
      {
        page: "https://github.com/Azure/azure-rest-api-specs/issues/28255",
        section: "the reported error",
      },
      "Role assignments of a `principalId` without quotes",
    )
      .documented("400 `UnsupportedQuery`, which names the filters that are supported")
      .with(roles("roleAssignments", "principalId eq 99999999-9999-4999-8999-999999999999"))
      .gives([400, "UnsupportedQuery"]),
    metrics(
      { page: "rest/api/monitor/metrics/list", section: "URI parameters" },
      "Metrics with several aggregations",
    )
      .documented("a list with commas; what one measurement is, is open")
      .unknown("each event that is counted is one measurement, so that `Count` is `Total`")
      .with(`aggregation=Count,Total`)
      .gives(200),
    metrics(
      { page: "rest/api/monitor/metrics/list", section: "URI parameters" },
      "Metrics with a `$filter`",
    )
      .documented("the filter selects dimensions, such as `ErrorType eq '*'`")
      .differs("400 `InvalidRequest`: no dimensions are kept")
      .with(`$filter=ErrorType%20eq%20'*'`)
      .gives([400, "InvalidRequest"]),
    query(
      { page: "rest/api/authorization/role-definitions/list", section: "URI parameters" },
      "Role definitions with another filter than `roleName`, `type` and `atScopeAndBelow()`",
    )
      .documented("no other is named; the refusal is open")
      .unknown("400 `UnsupportedQuery`")
      .with(roles("roleDefinitions", "colour eq 'x'"))
      .gives([400, "UnsupportedQuery"]),
  ],
};
