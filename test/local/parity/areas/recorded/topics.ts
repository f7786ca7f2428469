import { textIn } from "../../../support/management-client.js";
import { type Area, row } from "../../row.js";
import { GROUP } from "../../stage.js";
import {
  cli,
  create,
  location,
  net,
  operator,
  PROVIDERS,
  pick,
  powershell,
  propertiesOf,
  resource,
  written,
} from "./recordings.js";

const TOPIC = cli("test_create_topic", 2021, "2020-10-15-preview");
const SYSTEM_TOPIC = cli("test_system_topic_identity", 2021, "2020-10-15-preview");
const LIFE = net(
  "EventGridTopicTests/TopicLifecycleCreateGetUpdateDelete",
  2025,
  "2025-04-01-preview",
);
const SUBSCRIPTION = net(
  "EventGridTopicEventSubscriptionTests/CreateOrUpdate",
  2023,
  "2023-06-01-preview",
);
const GROUPS = powershell(
  "EventGrid_EventSubscription_CustomTopics_WebhookAad",
  2020,
  "2020-06-01",
);

const SYSTEM_TOPICS = "Microsoft.EventGrid/systemTopics";

export const topics: Area = {
  title: "Recorded answers: topics, domains and system topics",
  rows: [
    resource(LIFE, "The response to the `PUT` of a new topic")
      .documented("`Creating`, `endpoint` null, no `metricResourceId`, no schema that was not sent")
      .with({ properties: {} })
      .gives(
        [201, { provisioningState: "Creating", endpoint: null, minimumTlsVersionAllowed: "1.0" }],
        ({ first }) => [first.status, propertiesOf(first)],
      ),
    resource(LIFE, "The headers of that response")
      .documented("`Azure-AsyncOperation` in the topic's region, `Retry-After: 10`, no `Location`")
      .differs("`Retry-After: 0`, so that clients do not wait: the first poll ends")
      .gives(["westeurope", "0", undefined], ({ first: { headers } }) => {
        const url = String(headers["azure-asyncoperation"]);
        const region = /\/locations\/(\w+)\/operationsStatus\/[\dA-F-]+\?/.exec(url)?.[1];
        return [region, headers["retry-after"], headers.location];
      }),
    resource(SUBSCRIPTION, "The status of an operation")
      .documented("`Active`, then `InProgress`, then `Succeeded`; no `Retry-After`")
      .differs("the request ends when the operation has ended; `Retry-After: 0` with `InProgress`")
      .gives(["Succeeded", undefined, true], async ({ call, first }) => {
        const url = new URL(String(first.headers["azure-asyncoperation"]));
        const { body, headers } = await call("GET", `${url.pathname}${url.search}`);
        return [textIn(body, "status"), headers["retry-after"], textIn(body, "id") === url.href];
      }),
    resource(SUBSCRIPTION, "A topic, read after the operation")
      .documented("SKU Basic, kind Azure, TLS 1.0, boundary WithinGeopair, public access Enabled")
      .with({ properties: {} })
      .gives(
        {
          sku: { name: "Basic" },
          kind: "Azure",
          minimumTlsVersionAllowed: "1.0",
          dataResidencyBoundary: "WithinGeopair",
          publicNetworkAccess: "Enabled",
        },
        async ({ call, id }) => {
          const last = await call("GET", `${id}?api-version=2023-06-01-preview`);
          const names = ["minimumTlsVersionAllowed", "dataResidencyBoundary"];
          return {
            ...pick(Object(last.body), "sku", "kind"),
            ...pick(propertiesOf(last), ...names, "publicNetworkAccess"),
          };
        },
      ),
    resource(
      operator("Test_EventGrid_Topic", 2026, "2020-06-01"),
      "A topic, read with version 2020-06-01",
    )
      .documented(
        "without the fields that this version does not have, and stable versions have no SKU and no kind",
      )
      .with({ properties: {} })
      .gives(
        [
          ["id", "location", "name", "properties", "systemData", "tags", "type"],
          [
            "endpoint",
            "inputSchema",
            "metricResourceId",
            "provisioningState",
            "publicNetworkAccess",
          ],
        ],
        async ({ call, id }) => {
          const { body } = await call("GET", `${id}?api-version=2020-06-01`);
          return [body, Object(body).properties].map((each) => Object.keys(Object(each)).sort());
        },
      ),
    resource(
      {
        page: "azure/templates/microsoft.eventgrid/change-log/domains",
        section: "2021-12-01",
      },
      "`dataResidencyBoundary` of a domain, in 2021-12-01 and in 2022-06-15",
    )
      .documented("absent, present")
      .with({ type: "Microsoft.EventGrid/domains" })
      .gives([undefined, "WithinGeopair"], ({ call, id }) =>
        Promise.all(
          ["2021-12-01", "2022-06-15"].map(
            async (version) =>
              propertiesOf(await call("GET", `${id}?api-version=${version}`)).dataResidencyBoundary,
          ),
        ),
      ),
    resource(LIFE, "Fields of a topic that have no value")
      .documented(
        "`systemData` and `tags` null; no `identity`, `disableLocalAuth` or `inboundIpRules`",
      )
      .gives([null, null, undefined, {}], ({ last }) => {
        const { systemData, tags, identity, properties } = Object(last.body);
        const absent = ["disableLocalAuth", "inboundIpRules", "privateEndpointConnections"];
        return [systemData, tags, identity, pick(properties, ...absent)];
      }),
    resource(
      cli("test_create_topic_user_assigned_identity", 2022, "2021-10-15-preview"),
      "The `PUT` or `PATCH` of a topic that exists",
    )
      .documented("201, `Updating`; only the `PATCH` is answered with the `endpoint`")
      .gives(
        [
          [201, "Updating", "object"],
          [201, "Updating", "string"],
        ],
        async ({ call, id }) => {
          const put = await call("PUT", id, { location });
          const patched = await call("PATCH", id, { tags: { a: "b" } });
          return [put, patched].map((each) => {
            const { provisioningState, endpoint } = propertiesOf(each);
            return [each.status, provisioningState, typeof endpoint];
          });
        },
      ),
    resource(TOPIC, "`publicNetworkAccess: disabled`, a rule with the action `allow`")
      .documented("`Disabled`, `Allow`; the address as it was sent")
      .with({
        properties: {
          publicNetworkAccess: "disabled",
          inboundIpRules: [{ ipMask: "10.1.2.3/8", action: "allow" }],
        },
      })
      .gives(
        {
          publicNetworkAccess: "Disabled",
          inboundIpRules: [{ ipMask: "10.1.2.3/8", action: "Allow" }],
        },
        ({ last }) => pick(propertiesOf(last), "publicNetworkAccess", "inboundIpRules"),
      ),
    resource(TOPIC, "A topic with `identity: {type: None}`")
      .documented("stored, with the principal, the tenant and the identities null")
      .with({ identity: { type: "None" } })
      .gives(
        { type: "None", principalId: null, tenantId: null, userAssignedIdentities: null },
        ({ last }) => Object(last.body).identity,
      ),
    row(SYSTEM_TOPIC, "A system topic with a global source")
      .documented("200, `Succeeded`, without an operation")
      .differs("has an operation, too: azurerm waits ten seconds if it finds none")
      .gives([200, "Succeeded", false], async (stage) => {
        const source = `${GROUP}-of-${stage.newName()}`;
        const { first } = await create(stage, {
          type: SYSTEM_TOPICS,
          location: "global",
          properties: { source, topicType: "Microsoft.Resources.ResourceGroups" },
        });
        const operation = String(first.headers["azure-asyncoperation"]);
        const { provisioningState } = propertiesOf(first);
        return [first.status, provisioningState, /\/locations\//.test(operation)];
      }),
    row(
      powershell("AzEventGridSystemTopic", 2024, "2023-06-01-preview"),
      "A system topic without an identity",
    )
      .documented("200, `Succeeded`, without an operation")
      .differs("has an operation, too, as a global one")
      .gives(
        [
          [200, "Succeeded"],
          [201, "Creating"],
        ],
        async (stage) => {
          const answers = [];
          for (const identity of [undefined, { type: "None" }]) {
            const source = `${PROVIDERS}/Microsoft.Storage/storageAccounts/of${stage.newName()}`;
            const properties = { source, topicType: "Microsoft.Storage.StorageAccounts" };
            const { first } = await create(stage, { type: SYSTEM_TOPICS, properties, identity });
            answers.push([first.status, propertiesOf(first).provisioningState]);
          }
          return answers;
        },
      ),
    row(GROUPS, "`DELETE` of a resource group")
      .documented("202 with `Location`, which is 202 for minutes, then 200 and empty")
      .differs("the first poll is 200, so that clients do not wait")
      .gives([202, 200], async (stage) => {
        const group = `${GROUP}-${stage.newName()}`;
        await stage.call("PUT", group, { location });
        const { status, headers } = await stage.call("DELETE", group);
        const { pathname, search } = new URL(String(headers.location));
        return [status, (await stage.call("GET", `${pathname}${search}`)).status];
      }),
    resource(
      powershell("EventGrid_TopicsIpFiltering", 2022, "2021-12-01"),
      "`PUT` of a topic that exists, without `inputSchema`",
    )
      .documented("the topic keeps its schema")
      .with({ properties: { inputSchema: "CloudEventSchemaV1_0" } })
      .gives("CloudEventSchemaV1_0", async ({ stage, id }) => {
        const { last } = await written(stage, id, { location });
        return propertiesOf(last).inputSchema;
      }),
    resource(
      net("EventGridTopicTests/TopicNegativeScenarios", 2025, "2025-04-01-preview"),
      "A topic whose name begins with `EventGrid`",
    )
      .documented("201: only `EventGrid-` is reserved")
      .gives(201, async ({ call, id }) => {
        const named = id.replace(/[^/]+$/, "EventGridOrders");
        return (await call("PUT", named, { location })).status;
      }),
  ],
};
