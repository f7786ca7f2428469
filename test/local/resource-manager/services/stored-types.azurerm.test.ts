import { describe, expect, it } from "vitest";
import { isObject } from "../../../../local/src/base/index.js";
import { create, GROUP, startGroup } from "../../support/cloud.js";

const ACCOUNT = "Microsoft.Storage/storageAccounts/shop1";
const HUBS = "Microsoft.EventHub/namespaces/streams";
const BUS = "Microsoft.ServiceBus/namespaces/orders";
const ENVIRONMENT = "Microsoft.App/managedEnvironments/shop";
const APP = "Microsoft.App/containerApps/orders";

const list = (names: string) => Object.fromEntries(names.split(" ").map((name) => [name, []]));
const feature = (flag: string, value: string) => ({ flag, value });

/** The values in an answer with the names that lead to them, such as `sku.name=Standard`. */
function valuesIn(value: unknown, path = ""): string[] {
  const entries = Array.isArray(value) || isObject(value) ? Object.entries(value) : [];
  if (entries.length > 0) {
    return entries.flatMap(([name, each]) => valuesIn(each, path ? `${path}.${name}` : name));
  }
  const shown = typeof value === "string" ? value : JSON.stringify(value);
  return [`${path}=${shown.replace(/[\da-f]{8}(-[\da-f]{4,12}){4}/, "UUID")}`];
}

const words = (text: string) => text.trim().split(/\s+/);

const NAMESPACE = `
  status=Active metricId=UUID:NAME serviceBusEndpoint=https://NAME.servicebus.windows.net:443/
  minimumTlsVersion=1.2 publicNetworkAccess=Enabled disableLocalAuth=false`;
const ENTITY = `
  status=Active createdAt=2026-01-01T00:00:00Z enableBatchedOperations=true
  defaultMessageTimeToLive=P10675199DT2H48M5.4775807S autoDeleteOnIdle=P10675199DT2H48M5.4775807S`;
const TOPIC = `
  ${ENTITY} duplicateDetectionHistoryTimeWindow=PT10M requiresDuplicateDetection=false
  enableExpress=false enablePartitioning=false
  maxMessageSizeInKilobytes=256 maxSizeInMegabytes=1024`;
const RECEIVED = `
  lockDuration=PT1M maxDeliveryCount=10 requiresSession=false deadLetteringOnMessageExpiration=false`;
const PARTITIONS =
  "partitionCount=4 partitionIds.0=0 partitionIds.1=1 partitionIds.2=2 partitionIds.3=3";

/*
 * What the examples of the REST reference and its defaults say of properties that nobody wrote.
 * azurerm reads most of them, and without a check: an environment's domain verification, the status of
 * a hub and of a subscription, enablePartitioning, an app's configuration, and Redis' ports.
 */
it.each<[string, string, object?]>([
  [
    ENVIRONMENT,
    `defaultDomain=shop.westeurope.azurecontainerapps.io staticIp=127.0.0.1
     publicNetworkAccess=Enabled zoneRedundant=false
     customDomainConfiguration.customDomainVerificationId=UUID
     peerAuthentication.mtls.enabled=false peerTrafficConfiguration.encryption.enabled=false
     appLogsConfiguration.logAnalyticsConfiguration=null
     daprAIConnectionString=null daprAIInstrumentationKey=null`,
  ],
  [
    APP,
    `latestRevisionName=orders--1 latestReadyRevisionName=orders--1 latestRevisionFqdn=
     customDomainVerificationId=UUID outboundIpAddresses.0=127.0.0.1 runningStatus=Running
     configuration.activeRevisionsMode=Single configuration.secrets=[]`,
  ],
  [
    "Microsoft.Cache/Redis/cache",
    `hostName=cache.redis.cache.windows.net port=6379 sslPort=6380 redisVersion=6.0
     enableNonSslPort=false redisConfiguration={}`,
  ],
  [
    "Microsoft.Cache/redisEnterprise/shop",
    `hostName=shop.westeurope.redis.azure.net resourceState=Running redisVersion=7.4
     minimumTlsVersion=1.2 highAvailability=Enabled publicNetworkAccess=Enabled`,
  ],
  [
    "Microsoft.Cache/redisEnterprise/shop/databases/default",
    `resourceState=Running port=10000 clientProtocol=Encrypted clusteringPolicy=OSSCluster
     evictionPolicy=VolatileLRU accessKeysAuthentication=Disabled`,
  ],
  [
    "Microsoft.SignalRService/SignalR/chat",
    `hostName=chat.service.signalr.net externalIP=127.0.0.1 publicPort=443 serverPort=443
     version=1.0 features=[]`,
  ],
  [
    "Microsoft.Devices/IotHubs/hub",
    `state=Active hostName=hub.azure-devices.net routing.routes=[]
     routing.endpoints.serviceBusQueues=[] routing.endpoints.serviceBusTopics=[]
     routing.endpoints.eventHubs=[] routing.endpoints.storageContainers=[]
     routing.fallbackRoute.name=$fallback routing.fallbackRoute.source=DeviceMessages
     routing.fallbackRoute.condition=true routing.fallbackRoute.endpointNames.0=events
     routing.fallbackRoute.isEnabled=true
     cloudToDevice.maxDeliveryCount=10 cloudToDevice.defaultTtlAsIso8601=PT1H
     cloudToDevice.feedback.lockDurationAsIso8601=PT1M cloudToDevice.feedback.ttlAsIso8601=PT1H
     cloudToDevice.feedback.maxDeliveryCount=10 eventHubEndpoints.events.path=hub
     eventHubEndpoints.events.retentionTimeInDays=1
     eventHubEndpoints.events.endpoint=sb://hub.servicebus.windows.net/
     ${words(PARTITIONS)
       .map((each) => `eventHubEndpoints.events.${each}`)
       .join(" ")}`,
  ],
  [
    "Microsoft.OperationalInsights/workspaces/shop",
    `customerId=UUID createdDate=2026-01-01T00:00:00Z modifiedDate=2026-01-01T00:00:00Z
     sku.name=PerGB2018 retentionInDays=30
     features.enableLogAccessUsingOnlyResourcePermissions=true
     workspaceCapping.dailyQuotaGb=-1 workspaceCapping.dataIngestionStatus=RespectQuota
     publicNetworkAccessForIngestion=Enabled publicNetworkAccessForQuery=Enabled`,
  ],
  [
    HUBS,
    `${NAMESPACE} isAutoInflateEnabled=false maximumThroughputUnits=0 kafkaEnabled=true`,
    { sku: { name: "Standard", tier: "Standard", capacity: 1 } },
  ],
  [`${HUBS}/eventhubs/orders`, `status=Active createdAt=2026-01-01T00:00:00Z ${PARTITIONS}`],
  [
    BUS,
    `${NAMESPACE} premiumMessagingPartitions=0`,
    { sku: { name: "Standard", tier: "Standard" } },
  ],
  [`${BUS}/queues/orders`, TOPIC + RECEIVED],
  [`${BUS}/topics/orders`, `${TOPIC} supportOrdering=true`],
  [
    `${BUS}/topics/orders/subscriptions/all`,
    `${ENTITY} ${RECEIVED} deadLetteringOnFilterEvaluationExceptions=true`,
  ],
  [
    ACCOUNT,
    `creationTime=2026-01-01T00:00:00Z primaryLocation=westeurope statusOfPrimary=available
     ${["blob", "dfs", "file", "queue", "table", "web"]
       .map((each) => `primaryEndpoints.${each}=https://shop1.${each}.core.windows.net/`)
       .join(" ")}
     supportsHttpsTrafficOnly=true allowBlobPublicAccess=false accessTier=Hot
     networkAcls.bypass=AzureServices networkAcls.defaultAction=Allow networkAcls.ipRules=[]
     networkAcls.virtualNetworkRules=[] networkAcls.resourceAccessRules=[]
     encryption.keySource=Microsoft.Storage
     ${["blob", "file"]
       .map((each) => `encryption.services.${each}`)
       .map((each) => `${each}.enabled=true ${each}.keyType=Account`)
       .join(" ")}
     encryption.services.blob.lastEnabledTime=2026-01-01T00:00:00Z
     encryption.services.file.lastEnabledTime=2026-01-01T00:00:00Z`,
    { sku: { name: "Standard_LRS", tier: "Standard" } },
  ],
  [
    `${ACCOUNT}/blobServices/default/containers/photos`,
    `defaultEncryptionScope=$account-encryption-key denyEncryptionScopeOverride=false
     publicAccess=None leaseStatus=Unlocked leaseState=Available
     hasImmutabilityPolicy=false hasLegalHold=false`,
  ],
])("%s shows what nobody wrote", async (path, properties, others = {}) => {
  const { call } = await startGroup();
  const id = `${GROUP}/providers/${path}`;
  await create(call, id);
  const [namespace, ...segments] = path.split("/");
  const name = segments.at(-1) ?? "";
  const { properties: shown, ...rest } = Object((await call("GET", id)).body);
  expect(rest).toEqual({
    ...{ id, name },
    type: [namespace, ...segments.filter((_, index) => index % 2 === 0)].join("/"),
    ...(segments.length === 2 && { location: "westeurope", tags: {} }),
    systemData: { createdAt: "2026-01-01T00:00:00Z" },
    ...others,
  });
  const expected = words(`${properties.replaceAll("NAME", name)} provisioningState=Succeeded`);
  expect(valuesIn(shown).sort()).toEqual(expected.sort());
});

const cors = { corsRules: [] };
const ruleSet = {
  ...{ defaultAction: "Allow", publicNetworkAccess: "Enabled", trustedServiceAccessEnabled: false },
  ...list("virtualNetworkRules ipRules"),
};

/** https://learn.microsoft.com/azure/storage/files/storage-files-prevent-file-share-deletion */
it.each<[string, object]>([
  [`${ACCOUNT}/blobServices`, { cors, deleteRetentionPolicy: { enabled: false } }],
  [`${ACCOUNT}/fileServices`, { cors, shareDeleteRetentionPolicy: { enabled: true, days: 7 } }],
  [`${ACCOUNT}/queueServices`, { cors }],
  [`${ACCOUNT}/tableServices`, { cors }],
  [`${HUBS}/networkRuleSets`, ruleSet],
  [`${BUS}/networkRuleSets`, ruleSet],
])(
  "%s/default exists with its parent, and has its defaults also after an empty write",
  async (path, properties) => {
    const { call } = await startGroup();
    const id = `${GROUP}/providers/${path}`;
    await call("PUT", id.replace(/\/\w+$/, ""), { location: "westeurope" });
    const body = { properties: { ...properties, provisioningState: "Succeeded" } };
    expect((await call("GET", `${id}/default`)).body).toMatchObject(body);
    const { body: unwritten } = await call("GET", id);
    expect(unwritten).toMatchObject({ value: [{ name: "default", ...body }] });
    // azurerm accepts no 201 here.
    expect(await call("PUT", `${id}/default`, {})).toMatchObject({ status: 200, body });
    expect(Object((await call("GET", `${id}/default`)).body).properties).toEqual(body.properties);
    expect((await call("GET", id)).body).toEqual(unwritten);
  },
);

/** https://learn.microsoft.com/azure/service-bus-messaging/service-bus-sas#shared-access-authorization-policies */
it.each([HUBS, BUS])("%s has a rule with all rights from the beginning", async (path) => {
  const { call } = await startGroup();
  const id = `${GROUP}/providers/${path}`;
  await create(call, id);
  const root = { name: "RootManageSharedAccessKey" };
  const rights = ["Listen", "Manage", "Send"];
  expect((await call("GET", `${id}/authorizationRules/${root.name}`)).body).toMatchObject(root);
  await call("PUT", `${id}/authorizationRules/mine`, { properties: { rights: ["Send"] } });
  expect((await call("GET", `${id}/authorizationRules`)).body).toMatchObject({
    value: [{ ...root, properties: { rights } }, { name: "mine" }],
  });
});

describe("what was written", () => {
  it.each<[string, object, object]>([
    [
      "Microsoft.Devices/IotHubs/hub",
      {
        eventHubEndpoints: { events: { partitionCount: 2, retentionTimeInDays: 7 } },
        networkRuleSets: { defaultAction: "Deny" },
      },
      {
        eventHubEndpoints: { events: { retentionTimeInDays: 7, partitionIds: ["0", "1"] } },
        networkRuleSets: { defaultAction: "Deny", ipRules: [] },
      },
    ],
    [HUBS, { isAutoInflateEnabled: true }, { maximumThroughputUnits: 0 }],
    [
      ACCOUNT,
      { networkAcls: { defaultAction: "Deny" } },
      { networkAcls: { defaultAction: "Deny", ipRules: [] } },
    ],
    [`${BUS}/queues/orders`, { maxSizeInMegabytes: 0 }, { maxSizeInMegabytes: 1024 }],
    [
      `${ACCOUNT}/fileServices/default`,
      { shareDeleteRetentionPolicy: { enabled: false } },
      { shareDeleteRetentionPolicy: { enabled: false } },
    ],
  ])("stands beside the defaults of %s: %j", async (path, properties, expected) => {
    const { call } = await startGroup();
    const id = `${GROUP}/providers/${path}`;
    await create(call, id);
    await call("PUT", id, { location: "westeurope", properties });
    expect((await call("GET", id)).body).toMatchObject({ properties: expected });
  });

  it("decides by its SKU what a namespace, its queues and an account have", async () => {
    const { call } = await startGroup();
    const location = { location: "westeurope" };
    const shown = async (path: string, name?: string) => {
      const id = `${GROUP}/providers/${path}`;
      await call("PUT", id, name ? { ...location, sku: { name } } : {});
      return (await call("GET", id)).body;
    };
    expect(await shown(BUS, "premium")).toMatchObject({
      sku: { name: "Premium", tier: "Premium" },
      properties: { premiumMessagingPartitions: 1 },
    });
    expect(await shown(`${BUS}/topics/orders`)).toMatchObject({
      properties: { maxMessageSizeInKilobytes: 1024 },
    });
    expect(await shown(HUBS, "Basic")).toMatchObject({ properties: { kafkaEnabled: false } });
    const sku = { name: "Premium_LRS", tier: "Premium" };
    expect(await shown(ACCOUNT, sku.name)).toMatchObject({ sku });
    for (const [kind, accessTier] of Object.entries({
      ...{ BlockBlobStorage: "Premium", StorageV2: "Hot", Storage: undefined },
    })) {
      const { body } = await call("PUT", `${GROUP}/providers/${ACCOUNT}`, { ...location, kind });
      expect(Object(body).properties.accessTier, kind).toBe(accessTier);
    }
  });

  it("is answered with the only statuses that azurerm accepts", async () => {
    const { call } = await startGroup();
    const statuses = async (path: string, properties: object) => {
      const id = `${GROUP}/providers/${path}`;
      return [(await call("PUT", id, { properties })).status, (await call("DELETE", id)).status];
    };
    for (const path of [HUBS, BUS, ACCOUNT]) await create(call, `${GROUP}/providers/${path}`);
    await create(call, `${GROUP}/providers/${BUS}/topics/orders`);
    const rights = ["Send"];
    expect(await statuses(`${HUBS}/authorizationRules/send`, { rights })).toEqual([200, 200]);
    expect(await statuses(`${BUS}/authorizationRules/send`, { rights })).toEqual([200, 200]);
    for (const path of [
      `${HUBS}/eventhubs/orders`,
      `${BUS}/queues/orders`,
      `${BUS}/topics/orders/subscriptions/all`,
    ]) {
      expect(await statuses(path, {}), path).toEqual([200, 200]);
    }
    const queue = `${ACCOUNT}/queueServices/default/queues/orders`;
    expect(await statuses(queue, {})).toEqual([200, 204]);
  });

  it("keeps its secrets out of the answers of an environment, whose app names it twice", async () => {
    const { call } = await startGroup();
    const environmentId = `${GROUP}/providers/${ENVIRONMENT}`;
    const logAnalyticsConfiguration = { customerId: "workspace", sharedKey: "hush" };
    await call("PUT", environmentId, {
      location: "westeurope",
      properties: {
        appLogsConfiguration: { destination: "log-analytics", logAnalyticsConfiguration },
        daprAIConnectionString: "hush",
      },
    });
    const { body } = await call("GET", environmentId);
    expect(JSON.stringify(body)).not.toContain("hush");
    expect(body).toMatchObject({
      properties: {
        appLogsConfiguration: { logAnalyticsConfiguration: { customerId: "workspace" } },
      },
    });
    const properties = { environmentId, configuration: { ingress: { targetPort: 80 } } };
    await call("PUT", `${GROUP}/providers/${APP}`, { location: "westeurope", properties });
    expect((await call("GET", `${GROUP}/providers/${APP}`)).body).toMatchObject({
      properties: {
        managedEnvironmentId: environmentId,
        environmentId,
        latestRevisionFqdn: "orders--1.internal.shop.westeurope.azurecontainerapps.io",
        configuration: {
          ingress: {
            ...{ targetPort: 80, transport: "Auto", external: false },
            fqdn: "orders.internal.shop.westeurope.azurecontainerapps.io",
          },
        },
      },
    });
  });

  it("stays of SignalR's features if a PATCH does not name it", async () => {
    const { call } = await startGroup();
    const id = `${GROUP}/providers/Microsoft.SignalRService/SignalR/chat`;
    const features = [feature("ServiceMode", "Default"), feature("EnableLiveTrace", "true")];
    await call("PUT", id, { location: "westeurope", properties: { features } });
    const changed = feature("ServiceMode", "Serverless");
    await call("PATCH", id, { properties: { features: [changed] } });
    expect((await call("GET", id)).body).toMatchObject({
      properties: { features: [feature("EnableLiveTrace", "true"), changed] },
    });
  });
});
