import { textIn } from "../../../support/management-client.js";
import { type Area, eventGrid, row, type Source } from "../../row.js";
import { ended, GROUP, prepared } from "../../stage.js";
import { ACCOUNT, EVENT_GRID, put, queueOf, refusalOf, type Write } from "./writes.js";

const TOPIC: Source = {
  page: "rest/api/eventgrid/controlplane/topics/create-or-update",
  section: "Definitions",
};
const PREVIEWS: Source = {
  page: "azure/templates/microsoft.eventgrid/change-log/topics",
  section: "2023-12-15-preview",
};

const TAGS: Source = {
  page: "azure/azure-resource-manager/management/tag-resources",
  section: "Limitations",
};
const NAMES: Source = {
  page: "azure/azure-resource-manager/management/resource-name-rules",
  section: "microsoftresources",
};

const storageTopic = { source: ACCOUNT, topicType: "Microsoft.Storage.StorageAccounts" };

const systemTopics: readonly {
  readonly page: string;
  readonly input: string;
  readonly documented: string;
  readonly body: { readonly location?: string; readonly properties?: object };
}[] = [
  {
    page: "https://github.com/hashicorp/terraform-provider-azurerm/pull/11352",
    input: "A system topic of an unknown type",
    documented: "Unrecognized topic type justtesting in system topic properties.",
    body: { properties: { topicType: "justtesting" } },
  },
  {
    page: "https://github.com/MicrosoftDocs/azure-docs/issues/87683",
    input: "A system topic in another location than its source",
    documented: "System topic's location must match with location of the source resource ID.",
    body: { location: "global" },
  },
];

const GUID = "99999999-9999-4999-8999-999999999999";
const ASSIGNMENTS = `${GROUP}/providers/Microsoft.Authorization/roleAssignments`;

/** Refusals of Resource Manager that were reported with their codes. */
const reported: readonly [page: string, input: string, code: string, write: Write][] = [
  [
    "Azure/bicep/issues/6541",
    "`SystemAssigned, UserAssigned` without user-assigned identities",
    "MissingIdentityIds",
    { path: "topics/NEW", body: { identity: { type: "SystemAssigned, UserAssigned" } } },
  ],
  [
    "Azure/azure-cli/issues/25401",
    "A user-assigned identity by its name",
    "LinkedInvalidPropertyId",
    {
      path: "topics/NEW",
      body: { identity: { type: "UserAssigned", userAssignedIdentities: { sender: {} } } },
    },
  ],
  [
    "Azure/azure-rest-api-specs/issues/17650",
    "`SystemAssigned` with user-assigned identities",
    "FailedIdentityOperation",
    {
      path: "topics/NEW",
      body: { identity: { type: "SystemAssigned", userAssignedIdentities: { sender: {} } } },
    },
  ],
  [
    "Azure/azure-sdk-for-python/issues/4621",
    "A role assignment whose name is not a GUID",
    "InvalidRoleAssignmentId",
    { path: `${ASSIGNMENTS}/parity` },
  ],
  [
    "Azure/azure-powershell/issues/16627",
    "A role assignment whose principal is not a GUID",
    "InvalidPrincipalId",
    {
      path: `${ASSIGNMENTS}/${GUID}`,
      body: {
        properties: {
          principalId: "User",
          roleDefinitionId:
            "/providers/Microsoft.Authorization/roleDefinitions/acdd72a7-3385-48ef-bd42-f606fba81ae7",
        },
      },
    },
  ],
  [
    "pulumi/templates/pull/274",
    "A storage account whose name has a capital",
    "AccountNameInvalid",
    { path: `${GROUP}/providers/Microsoft.Storage/storageAccounts/Parity` },
  ],
  [
    "coreos/tectonic-installer/issues/596",
    "A topic with a tag whose name has a slash",
    "InvalidTagNameCharacters",
    { path: "topics/NEW", body: { tags: { "shop/team": "a" } } },
  ],
  [
    "Azure/azure-cli/issues/14481",
    "A resource group whose name has quotes",
    "InvalidResourceGroup",
    { path: `${GROUP}%22%22` },
  ],
];

const NOT_SUPPORTED =
  "This event subscription operation is not supported using this API call. Please use the proper API and try again.";

const VAULT = `${GROUP}/providers/Microsoft.KeyVault/vaults/parity`;

/** Event subscriptions that raise alerts of Azure Monitor, with the documented answer. */
const alerts = (
  [
    ["of a key vault", VAULT, {}, "CloudEventSchemaV1_0", 201],
    ["of a key vault, without a severity", VAULT, { severity: null }, "CloudEventSchemaV1_0", 400],
    ["of a key vault, in the Event Grid schema", VAULT, {}, "EventGridSchema", 400],
    ["of a storage account", ACCOUNT, {}, "CloudEventSchemaV1_0", 400],
  ] as const
).map(([input, scope, change, eventDeliverySchema, status]) =>
  put(
    {
      page: "azure/event-grid/handler-azure-monitor-alerts",
      section: "How to send events to Azure monitor alerts",
    },
    `A subscription with the destination \`MonitorAlert\` to events ${input}`,
  )
    .documented(status === 201 ? "accepted" : "not available")
    .with({
      path: `${scope}/providers/Microsoft.EventGrid/eventSubscriptions/NEW`,
      body: {
        properties: {
          destination: {
            endpointType: "MonitorAlert",
            properties: { severity: "Sev3", description: "parity", actionGroups: [], ...change },
          },
          eventDeliverySchema,
        },
      },
    })
    .gives(status === 201 ? 201 : [400, "InvalidRequest"], refusalOf),
);

export const refusals: Area = {
  title: "What Resource Manager refuses",
  rows: [
    put(TOPIC, "A topic with `publicNetworkAccess: Sometimes`")
      .documented("`Enabled` or `Disabled`")
      .with({ path: "topics/NEW", body: { properties: { publicNetworkAccess: "Sometimes" } } })
      .gives([400, "InvalidRequest"], refusalOf),
    put(PREVIEWS, "A topic with `publicNetworkAccess: SecuredByPerimeter`, in a stable version")
      .documented("only previews of the API have the value")
      .differs("accepted in every version, as are `kind` and `sku`")
      .with({
        path: "topics/NEW",
        body: { properties: { publicNetworkAccess: "SecuredByPerimeter" } },
      })
      .gives(201, refusalOf),
    put(
      {
        page: "https://github.com/MicrosoftDocs/azure-docs/issues/76327",
        section: "dead letters to a storage queue",
      },
      "An event subscription whose dead letters go to a storage queue",
    )
      .documented("only blob containers are supported")
      .with({
        parent: "topics/NEW",
        path: "topics/NEW/eventSubscriptions/dead",
        body: {
          properties: {
            destination: queueOf("parity"),
            deadLetterDestination: queueOf("dead"),
          },
        },
      })
      .gives([400, "InvalidRequest"], refusalOf),
    ...alerts,
    put(
      {
        page: "azure/event-grid/subscription-creation-schema",
        section: "Filter object",
        quote: "Raises an error when the event name does not match the registered event type names",
      },
      "An event subscription to a storage account that includes `BlobCreated`",
    )
      .documented(
        "an error; 201 was recorded for `blobCreated` (azure-cli, `test_create_event_subscriptions_with_filters`, 2020-10-15-preview), and for a resource group (2019-02-01-preview). Nothing is known of newer versions",
      )
      .unknown("201, with a warning; the type matches no event")
      .with({
        path: `${ACCOUNT}/providers/Microsoft.EventGrid/eventSubscriptions/NEW`,
        body: {
          properties: {
            destination: queueOf("parity"),
            filter: { includedEventTypes: ["BlobCreated"] },
          },
        },
      })
      .gives(201, refusalOf),
    put(
      {
        page: "azure/event-grid/communication-services-router-events",
        section: "Microsoft.Communication.RouterJobWorkerSelectorsExpired",
      },
      "The event type `RouterJobWorkerSelectorsExpire`, as @azure/eventgrid for JavaScript spells it",
    )
      .documented("`RouterJobWorkerSelectorsExpired`, as the other SDKs have it")
      .with({
        path: `${GROUP}/providers/Microsoft.Communication/communicationServices/calls/providers/Microsoft.EventGrid/eventSubscriptions/NEW`,
        body: {
          properties: {
            destination: queueOf("parity"),
            filter: {
              includedEventTypes: ["Microsoft.Communication.RouterJobWorkerSelectorsExpire"],
            },
          },
        },
      })
      .gives([400, "InvalidRequest"], refusalOf),
    put(
      {
        page: "https://github.com/MicrosoftDocs/azure-docs/issues/70422",
        section: "InvalidResourceLocation",
      },
      "A topic that exists in another location",
    )
      .documented("409 `InvalidResourceLocation`")
      .with({ parent: "topics/NEW", path: "topics/NEW", body: { location: "eastus" } })
      .gives([409, "InvalidResourceLocation"], refusalOf),
    ...systemTopics.map(({ page, input, documented, body }) =>
      put({ page, section: "the reported error" }, input)
        .documented(documented)
        .with({
          path: "systemTopics/NEW",
          body: { ...body, properties: { ...storageTopic, ...body.properties } },
        })
        .gives([400, documented], (answer) => [
          answer.status,
          textIn(answer.body, "error", "message").replace(ACCOUNT, "ID"),
        ]),
    ),
    put(
      { page: "https://github.com/pulumi/pulumi/issues/6048", section: "the reported error" },
      "An event subscription to a system topic, by the path of extensions",
    )
      .documented(NOT_SUPPORTED)
      .with({
        path: `systemTopics/NEW/providers/Microsoft.EventGrid/eventSubscriptions/all`,
        body: { properties: { destination: queueOf("parity") } },
      })
      .gives(NOT_SUPPORTED, ({ body }) => textIn(body, "error", "message")),
    row(
      eventGrid("managed-service-identity", "Prerequisites"),
      "Delivery with the identity of a topic that has none",
    )
      .documented("the topic needs a managed identity first")
      .gives("Failed", async (stage) => {
        await prepared(stage);
        const { id } = await stage.newTopic({ inputSchema: "EventGridSchema" });
        const identity = { type: "SystemAssigned" };
        const written = { identity, destination: queueOf("parity") };
        const answer = await stage.call("PUT", `${id}/eventSubscriptions/all`, {
          properties: { deliveryWithResourceIdentity: written },
        });
        return textIn(await ended(stage, answer), "status");
      }),
    put(
      { page: "azure/templates/microsoft.eventgrid/domains/topics", section: "Property values" },
      "A domain topic whose name has an underscore",
    )
      .documented("3 to 50 letters, digits and hyphens")
      .differs("refused, too; up to 128 characters are accepted, as by azurerm")
      .with({ parent: "domains/NEW", path: "domains/NEW/topics/a_b" })
      .gives([400, "InvalidRequest"], refusalOf),
    put(
      {
        page: "https://github.com/MicrosoftDocs/azure-docs/issues/52637",
        section: "only values is supported",
      },
      "An advanced filter `StringIn` with `value` instead of `values`",
    )
      .documented("not supported")
      .with({
        parent: "topics/NEW",
        path: "topics/NEW/eventSubscriptions/all",
        body: {
          properties: {
            destination: queueOf("parity"),
            filter: {
              advancedFilters: [{ key: "subject", operatorType: "StringIn", value: "a" }],
            },
          },
        },
      })
      .gives([400, "InvalidRequest"], refusalOf),
    put(
      eventGrid("managed-service-identity", "Prerequisites"),
      "An event subscription with `deliveryWithResourceIdentity` that names no identity",
    )
      .open("400 `InvalidRequest`")
      .with({
        parent: "topics/NEW",
        path: "topics/NEW/eventSubscriptions/all",
        body: {
          properties: { deliveryWithResourceIdentity: { destination: queueOf("parity") } },
        },
      })
      .gives([400, "InvalidRequest"], refusalOf),
    ...reported.map(([page, input, code, write]) =>
      put({ page: `https://github.com/${page}`, section: "the reported error" }, input)
        .documented(`400 \`${code}\``)
        .with(write)
        .gives([400, code], refusalOf),
    ),
    put(TAGS, "A topic with 51 tags")
      .documented("50 at most; the code of the refusal is open")
      .unknown("400 `InvalidTags`")
      .with({
        path: "topics/NEW",
        body: { tags: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`t${at}`, ""])) },
      })
      .gives([400, "InvalidTags"], refusalOf),
    put(NAMES, "A resource group whose name ends with a period")
      .documented("not allowed, nor are more than 90 characters; the code of the refusal is open")
      .unknown("400 `InvalidResourceGroup`")
      .with({ path: `${GROUP}.` })
      .gives([400, "InvalidResourceGroup"], refusalOf),
    row(
      {
        page: "https://github.com/MicrosoftDocs/azure-docs/pull/97986",
        section: "only one system topic is allowed per source",
      },
      "System topics of one Azure subscription, of different types",
    )
      .documented("one system topic for each source; reported for one type")
      .unknown("one for each type. Both list the same event subscriptions, which get all events")
      .gives([200, 200, ["all"]], async (stage) => {
        await prepared(stage);
        const source = GROUP.split("/resourceGroups")[0];
        const topics = ["Resources.Subscriptions", "PolicyInsights.PolicyStates"].map((type) => ({
          path: `${EVENT_GRID}/systemTopics/${stage.newName()}`,
          properties: { source, topicType: `Microsoft.${type}` },
        }));
        const statuses: unknown[] = [];
        for (const { path, properties } of topics) {
          const { status } = await stage.call("PUT", path, { location: "global", properties });
          statuses.push(status);
        }
        const [first, other] = topics.map(({ path }) => `${path}/eventSubscriptions`);
        const properties = { destination: queueOf("parity") };
        await stage.call("PUT", `${first}/all`, { properties });
        const { body } = await stage.call("GET", `${other}`);
        for (const { path } of topics) await stage.call("DELETE", path);
        return [...statuses, Object(body).value.map(({ name }: { name: string }) => name)];
      }),
  ],
};
