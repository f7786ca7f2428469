import { textIn } from "../../support/management-client.js";
import { type Area, eventGrid, rowsThat, type Source } from "../row.js";
import { GROUP, prepared } from "../stage.js";

const EVENT_GRID = `${GROUP}/providers/Microsoft.EventGrid`;
const NETWORK = `${GROUP}/providers/Microsoft.Network`;
const ERRORS: Source = {
  page: "azure/azure-resource-manager/troubleshooting/common-deployment-errors",
  section: "Error codes",
};

interface Write {
  readonly method?: string;
  readonly path: string;
  readonly body?: object;
}

/** A row about the status and the code of a refusal; for a write that is accepted, its status. */
const answer = rowsThat(async (stage, { method = "PUT", path, body }: Write = { path: "" }) => {
  await prepared(stage);
  const written = method === "PUT" ? { location: "westeurope", ...body } : body;
  const { status, body: answered } = await stage.call(method, path, written);
  return status < 400 ? status : [status, textIn(answered, "error", "code")];
});

const userAssignedIdentities = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `${GROUP}-2/providers/Microsoft.ManagedIdentity/userAssignedIdentities/i${index}`,
      {},
    ]),
  );

const TOPIC_IDENTITIES = eventGrid(
  "enable-identity-custom-topics-domains",
  "Enable identity when creating a topic or domain",
);

const FILTERS = eventGrid("event-filtering", "NumberInRange");
const NAMES = "rest/api/storagerp/storage-accounts";

/** A topic with an identity. */
const identified = (identity: object) => ({
  path: `${EVENT_GRID}/topics/identified`,
  body: { identity },
});

export const codes: Area = {
  title: "Codes of refusals",
  rows: [
    answer(ERRORS, "A resource of a namespace that no provider has")
      .documented("`InvalidResourceNamespace`")
      .with({ path: `${GROUP}/providers/Microsoft.Nothing/things/a` })
      .gives([404, "InvalidResourceNamespace"]),
    answer(ERRORS, "A subscription whose ID is no GUID")
      .documented("`InvalidSubscriptionId`")
      .with({ method: "GET", path: "/subscriptions/shop/resourceGroups" })
      .gives([400, "InvalidSubscriptionId"]),
    answer(ERRORS, "A resource group in a location that does not exist")
      .documented("`LocationNotAvailableForResourceGroup`")
      .with({ path: `${GROUP}-3`, body: { location: "atlantis" } })
      .gives([400, "LocationNotAvailableForResourceGroup"]),
    answer(ERRORS, "A version of the API that is no date")
      .documented("`InvalidApiVersionParameter`; a version that a type does not have, too")
      .differs("every date is a version")
      .with({ method: "GET", path: `${GROUP}?api-version=2025-02-30` })
      .gives([400, "InvalidApiVersionParameter"]),
    answer(TOPIC_IDENTITIES, "A topic with a system-assigned and a user-assigned identity")
      .open(
        "accepted; [a rule set](https://azure.github.io/PSRule.Rules.Azure/en/rules/Azure.EventGrid.ManagedIdentity/) says “not both”, and that a topic has two user-assigned ones at most, which is checked",
      )
      .with(
        identified({
          type: "SystemAssigned, UserAssigned",
          userAssignedIdentities: userAssignedIdentities(1),
        }),
      )
      .gives(201),
    answer(TOPIC_IDENTITIES, "A topic with an identity without a type")
      .open("400 `InvalidRequest`")
      .with(identified({}))
      .gives([400, "InvalidRequest"]),
    answer(FILTERS, "A filter with a range whose start is above its end, or with a null in a list")
      .open("400 `InvalidRequest`")
      .with({
        path: `${GROUP}/providers/Microsoft.EventGrid/eventSubscriptions/reversed`,
        body: {
          properties: {
            filter: {
              advancedFilters: [{ operatorType: "NumberInRange", key: "data.a", values: [[5, 1]] }],
            },
          },
        },
      })
      .gives([400, "InvalidRequest"]),
    answer(
      { page: `${NAMES}/check-name-availability`, section: "Request Body" },
      "A request whether a name is free, without a body",
    )
      .documented("`name` and `type` are required; the code is open")
      .unknown("400 `InvalidRequestContent`; only names of this local Azure are taken")
      .with({
        method: "POST",
        path: `${GROUP.split("/resourceGroups")[0]}/providers/Microsoft.Storage/checkNameAvailability`,
      })
      .gives([400, "InvalidRequestContent"]),
    answer(
      { page: `${NAMES}/create`, section: "Request Body" },
      "A storage account of an unknown kind, or without a kind and a SKU",
    )
      .documented("`kind`, `location` and `sku` are required; the code is open")
      .differs(
        "400 `InvalidRequest` for an unknown one; one without is accepted. Of other services, locations, tiers, names and address ranges are checked, and other settings stored as they are written",
      )
      .with({
        path: `${GROUP}/providers/Microsoft.Storage/storageAccounts/nokind`,
        body: { kind: "StorageV3" },
      })
      .gives([400, "InvalidRequest"]),
    answer(
      {
        page: "azure/azure-resource-manager/management/lock-resources",
        section: "Understand scope of locks",
      },
      "A lock at a topic that does not exist",
    )
      .open("404 `ResourceNotFound`, as for a role assignment")
      .with({
        path: `${EVENT_GRID}/topics/nowhere/providers/Microsoft.Authorization/locks/none`,
        body: { properties: { level: "ReadOnly" } },
      })
      .gives([404, "ResourceNotFound"]),
    answer(
      eventGrid("event-grid-namespace-managed-identity", "Enable system-assigned identity"),
      "A namespace with three user-assigned identities",
    )
      .documented("one system-assigned and up to two user-assigned ones; the code is open")
      .unknown("400 `InvalidRequest`; the number of a system topic's is not checked")
      .with({
        path: `${EVENT_GRID}/namespaces/three`,
        body: {
          identity: { type: "UserAssigned", userAssignedIdentities: userAssignedIdentities(3) },
        },
      })
      .gives([400, "InvalidRequest"]),
    answer(
      eventGrid("quotas-limits", "Event Grid resource limits"),
      "A topic with more than 128 inbound IP rules",
    )
      .documented("128 at most; the code is open")
      .unknown("400 `InvalidRequest`")
      .with({
        path: `${EVENT_GRID}/topics/many`,
        body: {
          properties: {
            inboundIpRules: Array.from({ length: 129 }, (_, at) => ({ ipMask: `10.0.0.${at}` })),
          },
        },
      })
      .gives([400, "InvalidRequest"]),
    answer(ERRORS, "A role assignment at a topic that does not exist")
      .documented("`ResourceNotFound`")
      .differs("only resources that the local Azure keeps itself must exist")
      .with({
        path: `${GROUP}/providers/Microsoft.Web/sites/elsewhere/providers/Microsoft.Authorization/roleAssignments/99999999-9999-4999-8999-999999999997`,
        body: {
          properties: {
            principalId: "99999999-9999-4999-8999-999999999999",
            principalType: "ServicePrincipal",
            roleDefinitionId:
              "/providers/Microsoft.Authorization/roleDefinitions/acdd72a7-3385-48ef-bd42-f606fba81ae7",
          },
        },
      })
      .gives(201),
    answer(
      {
        page: "rest/api/virtualnetwork/private-endpoints/create-or-update",
        section: "Request body",
      },
      "A private endpoint without a subnet, or without a connection",
    )
      .open(
        "400 `InvalidRequestFormat`; a subnet that does not exist is `InvalidResourceReference`",
      )
      .with({ path: `${NETWORK}/privateEndpoints/none`, body: { properties: {} } })
      .gives([400, "InvalidRequestFormat"]),
    answer(
      {
        page: "https://learn.microsoft.com/entra/identity-platform/identifier-uri-restrictions",
        section: "Restrictions on identifier URIs",
      },
      "Graph: an identifier URI whose host is no verified domain",
    )
      .documented("refused; `HostNameNotOnVerifiedDomain` in many reports")
      .differs("`api://` with any text is accepted, as in tenants without the policy")
      .with({
        method: "POST",
        path: "/v1.0/applications",
        body: { displayName: "parity", identifierUris: ["https://shop.example.com"] },
      })
      .gives([400, "Request_BadRequest"]),
  ],
};
