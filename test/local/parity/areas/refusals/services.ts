import { type Area, eventGrid, type Source } from "../../row.js";
import { GROUP } from "../../stage.js";
import { ACCOUNT, put, refusalOf, type Write } from "./writes.js";

const BUS = `${GROUP}/providers/Microsoft.ServiceBus/namespaces`;
const HUBS = `${GROUP}/providers/Microsoft.EventHub/namespaces`;
const IDENTITIES = `${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities`;

const TOPIC_COMMAND: Source = {
  page: "cli/azure/eventgrid/topic",
  section: "az eventgrid topic create",
};
const inputSchemaMapping = { inputSchemaMappingType: "Json", properties: {} };

/** Refusals whose code no page has. */
const open: readonly [Source, input: string, rule: string, code: string, Write][] = [
  [
    TOPIC_COMMAND,
    "A topic with the input schema `CustomEventSchema` and no mapping",
    "az refuses it",
    "InvalidRequest",
    { path: "topics/NEW", body: { properties: { inputSchema: "CustomEventSchema" } } },
  ],
  [
    TOPIC_COMMAND,
    "A topic with a mapping and the input schema `EventGridSchema`",
    "az refuses it",
    "InvalidRequest",
    { path: "topics/NEW", body: { properties: { inputSchemaMapping } } },
  ],
  [
    eventGrid("delivery-properties", "Custom delivery properties"),
    "A delivery property that is named twice",
    "nothing says what happens",
    "InvalidRequest",
    {
      parent: "topics/NEW",
      path: "topics/NEW/eventSubscriptions/twice",
      body: {
        properties: {
          destination: {
            endpointType: "WebHook",
            properties: {
              endpointUrl: "https://parity.example.com/twice",
              deliveryAttributeMappings: ["X-Shop", "x-shop"].map((name) => ({
                name,
                type: "Static",
                properties: { value: "a" },
              })),
            },
          },
        },
      },
    },
  ],
  [
    {
      page: "rest/api/servicebus/create-namespace",
      section: "Request",
    },
    "A Service Bus namespace whose name ends with `-sb`",
    "not allowed",
    "BadRequest",
    { path: `${BUS}/NEW-sb` },
  ],
  [
    {
      page: "azure/event-hubs/event-hubs-quotas",
      section: "Basic vs. standard vs. premium vs. dedicated tiers",
    },
    "An event hub with 33 partitions, in the tier Standard",
    "32 at most",
    "BadRequest",
    {
      parent: `${HUBS}/NEW`,
      path: `${HUBS}/NEW/eventhubs/wide`,
      body: { properties: { partitionCount: 33 } },
    },
  ],
  [
    {
      page: "azure/azure-resource-manager/management/resource-name-rules",
      section: "microsoftmanagedidentity",
    },
    "A user-assigned identity whose name has a period",
    "letters, digits, hyphens and underscores",
    "BadRequest",
    { path: `${IDENTITIES}/NEW.a` },
  ],
  [
    { page: "azure/templates/microsoft.authorization/locks", section: "Property values" },
    "A management lock with notes of 513 characters",
    "512 at most",
    "InvalidRequestContent",
    {
      path: `${GROUP}/providers/Microsoft.Authorization/locks/NEW`,
      body: { properties: { level: "CanNotDelete", notes: "n".repeat(513) } },
    },
  ],
];

export const serviceRefusals: Area = {
  title: "What the rules of names, numbers and modes refuse",
  rows: [
    ...open.map(([source, input, rule, code, write]) =>
      put(source, input)
        .documented(`${rule}; the code of the refusal is open`)
        .unknown(`400 \`${code}\``)
        .with(write)
        .gives([400, code], refusalOf),
    ),
    put(
      { page: "https://github.com/Azure/azure-cli/issues/15142", section: "the reported error" },
      "A Service Bus queue with a `lockDuration` of six minutes",
    )
      .documented(
        "five minutes at most; 400 `BadRequest` with `SubCode=40000` for another duration",
      )
      .with({
        parent: `${BUS}/NEW`,
        path: `${BUS}/NEW/queues/orders`,
        body: { properties: { lockDuration: "PT6M" } },
      })
      .gives([400, "BadRequest"], refusalOf),
    put(
      { page: "https://github.com/Azure/azure-cli/issues/11644", section: "the reported error" },
      "A container whose name has a period, through Resource Manager",
    )
      .documented("400 `InvalidResourceName` of the storage service itself")
      .with({ parent: ACCOUNT, path: `${ACCOUNT}/blobServices/default/containers/a.b.c` })
      .gives([400, "InvalidResourceName"], refusalOf),
    put(
      {
        page: "https://github.com/hashicorp/terraform-provider-azurerm/pull/9850",
        section: "tests of the provider",
        quote: "this block can be left empty",
      },
      "A custom role without permissions",
    )
      .documented("accepted; Azure PowerShell refuses it before it sends it")
      .with({
        path: `${GROUP}/providers/Microsoft.Authorization/roleDefinitions/77777777-7777-4777-8777-777777777779`,
        body: {
          properties: { roleName: "Parity of nothing", permissions: [], assignableScopes: [GROUP] },
        },
      })
      .gives(201, refusalOf),
  ],
};
