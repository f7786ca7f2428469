import { finished, type ManagementAnswer, textIn } from "../../support/management-client.js";
import type { Area, Recording, Row } from "../row.js";
import { GROUP, type Stage } from "../stage.js";

/*
 * What Microsoft's test suites recorded of the real service, in our own words and with values of our
 * own.
 */

const cli = (file: string, year: number, version: string): Recording => ({
  repository: "Azure/azure-cli",
  file,
  year,
  version,
});
const net = (file: string, year: number, version: string): Recording => ({
  repository: "Azure/azure-sdk-assets",
  file: `net/${file}`,
  year,
  version,
});

const TOPIC = cli("test_create_topic", 2021, "2020-10-15-preview");
const STORAGE = cli(
  "test_create_event_subscriptions_with_20200101_features",
  2021,
  "2020-10-15-preview",
);
const SYSTEM_TOPIC = cli("test_system_topic_identity", 2021, "2020-10-15-preview");
const APPLICATION = cli("test_sp_credential", 2022, "v1.0");
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
const DELETED = net("EventGridTopicEventSubscriptionTests/Delete", 2023, "2023-06-01-preview");
const NAMESPACE = net(
  "EventGridNamespaceTests/NamespaceTopicsSubscriptionCreateUpdateDelete",
  2024,
  "2024-06-01-preview",
);
const GROUPS: Recording = {
  repository: "Azure/azure-powershell",
  file: "EventGrid_EventSubscription_CustomTopics_WebhookAad",
  year: 2020,
  version: "2020-06-01",
};

const PROVIDERS = `${GROUP}/providers`;
const ROOT = GROUP.slice(0, GROUP.indexOf("/resourceGroups"));
const location = "westeurope";

/** A new ID, with the group and the provider that it needs. */
async function idOf(stage: Stage, type: string): Promise<string> {
  await stage.call("PUT", GROUP, { location });
  await stage.call("POST", `${ROOT}/providers/Microsoft.EventGrid/register`);
  return `${PROVIDERS}/${type}/${stage.newName()}`;
}

const propertiesOf = ({ body }: ManagementAnswer) => Object(body).properties;
const pick = (from: object, ...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, Object(from)[name]]));

async function written(stage: Stage, type: string, body: object) {
  const id = await idOf(stage, type);
  const first = await stage.call("PUT", id, { location, ...body });
  if (first.status >= 400) throw new Error(JSON.stringify(first.body));
  await finished((...request) => stage.call(...request), first);
  return { first, last: await stage.call("GET", id), id };
}

const subscription = (properties: object = {}, endpoint: object = {}) => ({
  properties: {
    destination: {
      endpointType: "WebHook",
      properties: { endpointUrl: "https://parity.example.com/recorded?code=1", ...endpoint },
    },
    ...properties,
  },
});

/** An event subscription at a new topic, or at another scope. */
async function subscribed(stage: Stage, body: object, scope?: string) {
  await idOf(stage, "Microsoft.EventGrid/topics");
  const at = scope ?? stage.newTopic({ inputSchema: "EventGridSchema" }).id;
  const id = `${at}/providers/Microsoft.EventGrid/eventSubscriptions/${stage.newName()}`;
  const first = await stage.call("PUT", id, body);
  await finished((...request) => stage.call(...request), first);
  return { first, last: await stage.call("GET", id), id, scope: at };
}

interface Recorded {
  readonly source: Recording;
  readonly documented: string;
  readonly differs?: string;
  readonly run: (stage: Stage) => Promise<unknown>;
  readonly result: unknown;
}

const row = (input: string, recorded: Recorded): Row => ({ input, ...recorded });

const TOPICS = "Microsoft.EventGrid/topics";

export const recorded: Area = {
  title: "Recorded answers of the management APIs",
  rows: [
    row("The response to the `PUT` of a new topic", {
      source: LIFE,
      documented: "`Creating`, `endpoint` null, no `metricResourceId`, no schema that was not sent",
      run: async (stage) => {
        const { first } = await written(stage, TOPICS, { properties: {} });
        return [first.status, propertiesOf(first)];
      },
      result: [
        201,
        { provisioningState: "Creating", endpoint: null, minimumTlsVersionAllowed: "1.0" },
      ],
    }),
    row("The headers of that response", {
      source: LIFE,
      documented: "`Azure-AsyncOperation` in the topic's region, `Retry-After: 10`, no `Location`",
      differs: "`Retry-After: 0`, so that clients do not wait: the first poll ends",
      run: async (stage) => {
        const { headers } = (await written(stage, TOPICS, {})).first;
        const url = String(headers["azure-asyncoperation"]);
        const region = /\/locations\/(\w+)\/operationsStatus\/[\dA-F-]+\?/.exec(url)?.[1];
        return [region, headers["retry-after"], headers.location];
      },
      result: ["westeurope", "0", undefined],
    }),
    row("The status of an operation", {
      source: SUBSCRIPTION,
      documented: "`Active`, then `InProgress`, then `Succeeded`; no `Retry-After`",
      differs: "the request ends when the operation has ended; `Retry-After: 0` with `InProgress`",
      run: async (stage) => {
        const { first } = await written(stage, TOPICS, {});
        const url = new URL(String(first.headers["azure-asyncoperation"]));
        const { body, headers } = await stage.call("GET", `${url.pathname}${url.search}`);
        return [textIn(body, "status"), headers["retry-after"], textIn(body, "id") === url.href];
      },
      result: ["Succeeded", undefined, true],
    }),
    row("A topic, read after the operation", {
      source: SUBSCRIPTION,
      documented: "SKU Basic, kind Azure, TLS 1.0, boundary WithinGeopair, public access Enabled",
      run: async (stage) => {
        const { last } = await written(stage, TOPICS, { properties: {} });
        const names = ["minimumTlsVersionAllowed", "dataResidencyBoundary", "publicNetworkAccess"];
        return { ...pick(Object(last.body), "sku", "kind"), ...pick(propertiesOf(last), ...names) };
      },
      result: {
        sku: { name: "Basic" },
        kind: "Azure",
        minimumTlsVersionAllowed: "1.0",
        dataResidencyBoundary: "WithinGeopair",
        publicNetworkAccess: "Enabled",
      },
    }),
    row("Fields of a topic that have no value", {
      source: LIFE,
      documented:
        "`systemData` and `tags` null; no `identity`, `disableLocalAuth` or `inboundIpRules`",
      run: async (stage) => {
        const { last } = await written(stage, TOPICS, {});
        const body = Object(last.body);
        const absent = ["disableLocalAuth", "inboundIpRules", "privateEndpointConnections"];
        return [body.systemData, body.tags, body.identity, pick(body.properties, ...absent)];
      },
      result: [null, null, undefined, {}],
    }),
    row("The `PUT` or `PATCH` of a topic that exists", {
      source: TOPIC,
      documented: "201, `Updating`",
      run: async (stage) => {
        const { id } = await written(stage, TOPICS, {});
        const answers = [
          await stage.call("PUT", id, { location }),
          await stage.call("PATCH", id, { tags: { a: "b" } }),
        ];
        return answers.map((each) => [each.status, propertiesOf(each).provisioningState]);
      },
      result: [
        [201, "Updating"],
        [201, "Updating"],
      ],
    }),
    row("`publicNetworkAccess: disabled`, a rule with the action `allow`", {
      source: TOPIC,
      documented: "`Disabled`, `Allow`; the address as it was sent",
      run: async (stage) => {
        const inboundIpRules = [{ ipMask: "10.1.2.3/8", action: "allow" }];
        const properties = { publicNetworkAccess: "disabled", inboundIpRules };
        const { last } = await written(stage, TOPICS, { properties });
        return pick(propertiesOf(last), "publicNetworkAccess", "inboundIpRules");
      },
      result: {
        publicNetworkAccess: "Disabled",
        inboundIpRules: [{ ipMask: "10.1.2.3/8", action: "Allow" }],
      },
    }),
    row("A topic with `identity: {type: None}`", {
      source: TOPIC,
      documented: "stored, with the principal, the tenant and the identities null",
      run: async (stage) =>
        Object((await written(stage, TOPICS, { identity: { type: "None" } })).last.body).identity,
      result: { type: "None", principalId: null, tenantId: null, userAssignedIdentities: null },
    }),
    row("A system topic with a global source", {
      source: SYSTEM_TOPIC,
      documented: "200, `Succeeded`, without an operation",
      differs: "has an operation, too: azurerm waits ten seconds if it finds none",
      run: async (stage) => {
        const source = `${GROUP}-of-${stage.newName()}`;
        const { first } = await written(stage, "Microsoft.EventGrid/systemTopics", {
          location: "global",
          properties: { source, topicType: "Microsoft.Resources.ResourceGroups" },
        });
        const operation = String(first.headers["azure-asyncoperation"]);
        const { provisioningState } = propertiesOf(first);
        return [first.status, provisioningState, /\/locations\//.test(operation)];
      },
      result: [200, "Succeeded", false],
    }),
    row("The response to the `PUT` of a namespace", {
      source: NAMESPACE,
      documented: "`Creating`, TLS 1.2, no IP rules, no `topicsConfiguration`",
      run: async (stage) => {
        const { first } = await written(stage, "Microsoft.EventGrid/namespaces", {});
        const names = ["provisioningState", "minimumTlsVersionAllowed", "inboundIpRules"];
        return pick(propertiesOf(first), ...names, "topicsConfiguration");
      },
      result: {
        provisioningState: "Creating",
        minimumTlsVersionAllowed: "1.2",
        inboundIpRules: null,
      },
    }),
    row("The response to the `PUT` of an event subscription", {
      source: SUBSCRIPTION,
      documented: "`Creating`, the whole retry policy; the schema and batches only if sent",
      run: async (stage) => {
        const { eventDeliverySchema, ...shown } = propertiesOf(
          (await subscribed(stage, subscription({ retryPolicy: { maxDeliveryAttempts: 5 } })))
            .first,
        );
        const names = ["provisioningState", "retryPolicy", "filter", "labels", "destination"];
        return { eventDeliverySchema, ...pick(shown, ...names) };
      },
      result: {
        eventDeliverySchema: undefined,
        provisioningState: "Creating",
        retryPolicy: { maxDeliveryAttempts: 5, eventTimeToLiveInMinutes: 1440 },
        filter: { subjectBeginsWith: "", subjectEndsWith: "" },
        labels: null,
        destination: {
          endpointType: "WebHook",
          properties: {
            endpointUrl: null,
            endpointBaseUrl: "https://parity.example.com/recorded",
          },
        },
      },
    }),
    row("An event subscription, read after the operation", {
      source: SUBSCRIPTION,
      documented: "has the schema and the batch sizes; no `isSubjectCaseSensitive: false`",
      run: async (stage) => {
        const filter = { isSubjectCaseSensitive: false };
        const { last } = await subscribed(
          stage,
          subscription({ filter }, { deliveryAttributeMappings: [] }),
        );
        const { eventDeliverySchema, destination, filter: shown } = propertiesOf(last);
        return [eventDeliverySchema, Object.keys(destination.properties).sort(), shown];
      },
      result: [
        "EventGridSchema",
        ["endpointBaseUrl", "endpointUrl", "maxEventsPerBatch", "preferredBatchSizeInKilobytes"],
        { subjectBeginsWith: "", subjectEndsWith: "" },
      ],
    }),
    row("`properties.topic` of an event subscription", {
      source: SUBSCRIPTION,
      documented: "in lower case after `/resourceGroups/`",
      run: async (stage) => {
        const { last, scope } = await subscribed(stage, subscription());
        return propertiesOf(last).topic.replace(scope.toLowerCase().slice(GROUP.length), "");
      },
      result: GROUP,
    }),
    row("A storage account's event subscription without `includedEventTypes`", {
      source: STORAGE,
      documented: "`BlobCreated` and `BlobDeleted` only",
      run: async (stage) => {
        const account = `${PROVIDERS}/Microsoft.Storage/storageAccounts/parity`;
        const { first } = await subscribed(stage, subscription(), account);
        return propertiesOf(first).filter.includedEventTypes;
      },
      result: ["Microsoft.Storage.BlobCreated", "Microsoft.Storage.BlobDeleted"],
    }),
    row("`DELETE` of an event subscription", {
      source: DELETED,
      documented: "202 with `Azure-AsyncOperation` and `Location`, whose result is 200 and empty",
      run: async (stage) => {
        const { id } = await subscribed(stage, subscription());
        const { status, headers } = await stage.call("DELETE", id);
        const { pathname, search } = new URL(String(headers.location));
        const { status: ended, body } = await stage.call("GET", `${pathname}${search}`);
        return [status, headers["azure-asyncoperation"] !== undefined, ended, body];
      },
      result: [202, true, 200, undefined],
    }),
    row("`DELETE` of a resource group", {
      source: GROUPS,
      documented: "202 with `Location`, which is 202 for minutes, then 200 and empty",
      differs: "the first poll is 200, so that clients do not wait",
      run: async (stage) => {
        const group = `${GROUP}-${stage.newName()}`;
        await stage.call("PUT", group, { location });
        const { status, headers } = await stage.call("DELETE", group);
        const { pathname, search } = new URL(String(headers.location));
        return [status, (await stage.call("GET", `${pathname}${search}`)).status];
      },
      result: [202, 200],
    }),
    row("An application that is created with a name only", {
      source: APPLICATION,
      documented: "for all accounts, with tokens of version 2",
      run: async (stage) => {
        const answer = await stage.call("POST", "/v1.0/applications", { displayName: "parity" });
        const { signInAudience, api } = Object(answer.body);
        return [signInAudience, api.requestedAccessTokenVersion];
      },
      result: ["AzureADandPersonalMicrosoftAccount", 2],
    }),
  ],
};
