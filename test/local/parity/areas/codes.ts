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

const TOPIC_IDENTITIES: Source = {
  page: "https://azure.github.io/PSRule.Rules.Azure/en/rules/Azure.EventGrid.ManagedIdentity/",
  section: "Description",
  quote: "either system-assigned identity or user-assigned identity but not both",
};

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
      .documented("not both; the code is open")
      .unknown("400 `InvalidRequest`")
      .with({
        path: `${EVENT_GRID}/topics/both`,
        body: {
          identity: {
            type: "SystemAssigned, UserAssigned",
            userAssignedIdentities: userAssignedIdentities(1),
          },
        },
      })
      .gives([400, "InvalidRequest"]),
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
