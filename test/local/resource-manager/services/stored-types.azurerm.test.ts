import { describe, expect, it } from "vitest";
import { create, GROUP, SUBSCRIPTION, startGroup } from "../../support/cloud.js";

const text = expect.any(String);
const time = "2026-01-01T00:00:00Z";
const list = (names: string) => Object.fromEntries(names.split(" ").map((name) => [name, []]));
const feature = (flag: string, value: string) => ({ flag, value });

const ACCOUNT = "Microsoft.Storage/storageAccounts/shop1";
const HUBS = "Microsoft.EventHub/namespaces/streams";
const BUS = "Microsoft.ServiceBus/namespaces/orders";
const ENVIRONMENT = "Microsoft.App/managedEnvironments/shop";
const APP = "Microsoft.App/containerApps/orders";

const namespaceOf = (name: string) => ({
  status: "Active",
  metricId: `${SUBSCRIPTION.slice(15)}:${name}`,
  serviceBusEndpoint: `https://${name}.servicebus.windows.net:443/`,
  minimumTlsVersion: "1.2",
  publicNetworkAccess: "Enabled",
  disableLocalAuth: false,
});
const FOREVER = "P10675199DT2H48M5.4775807S";
const entity = {
  ...{ status: "Active", createdAt: time, enableBatchedOperations: true },
  ...{ defaultMessageTimeToLive: FOREVER, autoDeleteOnIdle: FOREVER },
};
const topic = {
  ...{ ...entity, duplicateDetectionHistoryTimeWindow: "PT10M", requiresDuplicateDetection: false },
  ...{ enableExpress: false, enablePartitioning: false },
  ...{ maxMessageSizeInKilobytes: 256, maxSizeInMegabytes: 1024 },
};
const received = {
  ...{ lockDuration: "PT1M", maxDeliveryCount: 10, requiresSession: false },
  deadLetteringOnMessageExpiration: false,
};
const acls = {
  ...{ bypass: "AzureServices", defaultAction: "Allow" },
  ...list("ipRules virtualNetworkRules resourceAccessRules"),
};
const encrypted = { enabled: true, keyType: "Account", lastEnabledTime: time };

/*
 * What the examples of the REST reference, or its defaults, say of properties that nobody wrote.
 * azurerm reads most of them, and without a check: an environment's domain verification, the status of
 * a hub and of a subscription, enablePartitioning, an app's configuration, and Redis' ports.
 */
it.each<[string, object, object?]>([
  [
    ENVIRONMENT,
    {
      defaultDomain: "shop.westeurope.azurecontainerapps.io",
      staticIp: "127.0.0.1",
      ...{ publicNetworkAccess: "Enabled", zoneRedundant: false },
      customDomainConfiguration: { customDomainVerificationId: text },
      peerAuthentication: { mtls: { enabled: false } },
      peerTrafficConfiguration: { encryption: { enabled: false } },
      appLogsConfiguration: { logAnalyticsConfiguration: null },
      ...{ daprAIConnectionString: null, daprAIInstrumentationKey: null },
    },
  ],
  [
    APP,
    {
      ...{ latestRevisionName: "orders--1", latestReadyRevisionName: "orders--1" },
      ...{ latestRevisionFqdn: text, customDomainVerificationId: text },
      ...{ outboundIpAddresses: ["127.0.0.1"], runningStatus: "Running" },
      configuration: { activeRevisionsMode: "Single", secrets: [] },
    },
  ],
  [
    "Microsoft.Cache/Redis/cache",
    {
      ...{ hostName: "cache.redis.cache.windows.net", port: 6379, sslPort: 6380 },
      ...{ redisVersion: "6.0", enableNonSslPort: false, redisConfiguration: {} },
    },
  ],
  [
    "Microsoft.Cache/redisEnterprise/shop",
    {
      ...{ hostName: "shop.westeurope.redis.azure.net", resourceState: "Running" },
      ...{ redisVersion: "7.4", minimumTlsVersion: "1.2" },
      ...{ highAvailability: "Enabled", publicNetworkAccess: "Enabled" },
    },
  ],
  [
    "Microsoft.Cache/redisEnterprise/shop/databases/default",
    {
      ...{ resourceState: "Running", port: 10_000, clientProtocol: "Encrypted" },
      ...{ clusteringPolicy: "OSSCluster", evictionPolicy: "VolatileLRU" },
      accessKeysAuthentication: "Disabled",
    },
  ],
  [
    "Microsoft.SignalRService/SignalR/chat",
    {
      ...{ hostName: "chat.service.signalr.net", externalIP: "127.0.0.1" },
      ...{ publicPort: 443, serverPort: 443, version: "1.0", features: [] },
    },
  ],
  [
    "Microsoft.Devices/IotHubs/hub",
    {
      ...{ state: "Active", hostName: "hub.azure-devices.net" },
      routing: {
        endpoints: list("serviceBusQueues serviceBusTopics eventHubs storageContainers"),
        routes: [],
        fallbackRoute: {
          ...{ name: "$fallback", source: "DeviceMessages", condition: "true" },
          ...{ endpointNames: ["events"], isEnabled: true },
        },
      },
      cloudToDevice: {
        ...{ maxDeliveryCount: 10, defaultTtlAsIso8601: "PT1H" },
        feedback: { lockDurationAsIso8601: "PT1M", ttlAsIso8601: "PT1H", maxDeliveryCount: 10 },
      },
      eventHubEndpoints: {
        events: {
          ...{ retentionTimeInDays: 1, path: "hub", endpoint: "sb://hub.servicebus.windows.net/" },
          ...{ partitionCount: 4, partitionIds: ["0", "1", "2", "3"] },
        },
      },
    },
  ],
  [
    "Microsoft.OperationalInsights/workspaces/shop",
    {
      ...{ customerId: text, createdDate: time, modifiedDate: time },
      ...{ sku: { name: "PerGB2018" }, retentionInDays: 30 },
      features: { enableLogAccessUsingOnlyResourcePermissions: true },
      workspaceCapping: { dailyQuotaGb: -1, dataIngestionStatus: "RespectQuota" },
      ...{ publicNetworkAccessForIngestion: "Enabled", publicNetworkAccessForQuery: "Enabled" },
    },
  ],
  [
    HUBS,
    {
      ...namespaceOf("streams"),
      ...{ isAutoInflateEnabled: false, maximumThroughputUnits: 0, kafkaEnabled: true },
    },
    { sku: { name: "Standard", tier: "Standard", capacity: 1 } },
  ],
  [
    `${HUBS}/eventhubs/orders`,
    {
      ...{ status: "Active", createdAt: time },
      ...{ partitionCount: 4, partitionIds: ["0", "1", "2", "3"] },
    },
  ],
  [
    BUS,
    { ...namespaceOf("orders"), premiumMessagingPartitions: 0 },
    { sku: { name: "Standard", tier: "Standard" } },
  ],
  [`${BUS}/queues/orders`, { ...topic, ...received }],
  [`${BUS}/topics/orders`, { ...topic, supportOrdering: true }],
  [
    `${BUS}/topics/orders/subscriptions/all`,
    { ...entity, ...received, deadLetteringOnFilterEvaluationExceptions: true },
  ],
  [
    ACCOUNT,
    {
      ...{ creationTime: time, primaryLocation: "westeurope", statusOfPrimary: "available" },
      primaryEndpoints: Object.fromEntries(
        ["blob", "dfs", "file", "queue", "table", "web"].map((service) => [
          service,
          `https://shop1.${service}.core.windows.net/`,
        ]),
      ),
      ...{ supportsHttpsTrafficOnly: true },
      ...{ allowBlobPublicAccess: false, accessTier: "Hot", networkAcls: acls },
      encryption: {
        keySource: "Microsoft.Storage",
        services: { blob: encrypted, file: encrypted },
      },
    },
    { sku: { name: "Standard_LRS", tier: "Standard" } },
  ],
  [
    `${ACCOUNT}/blobServices/default/containers/photos`,
    {
      ...{ defaultEncryptionScope: "$account-encryption-key", denyEncryptionScopeOverride: false },
      ...{ publicAccess: "None", leaseStatus: "Unlocked", leaseState: "Available" },
      ...{ hasImmutabilityPolicy: false, hasLegalHold: false },
    },
  ],
])("%s shows what nobody wrote", async (path, properties, others = {}) => {
  const { call } = await startGroup();
  const id = `${GROUP}/providers/${path}`;
  await create(call, id);
  const [namespace, ...segments] = path.split("/");
  expect((await call("GET", id)).body).toEqual({
    id,
    name: segments.at(-1),
    type: [namespace, ...segments.filter((_, index) => index % 2 === 0)].join("/"),
    ...(segments.length === 2 && { location: "westeurope", tags: {} }),
    systemData: { createdAt: time },
    properties: { ...properties, provisioningState: "Succeeded" },
    ...others,
  });
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
    const shown = async (path: string, name?: string) => {
      const id = `${GROUP}/providers/${path}`;
      await call("PUT", id, name ? { location: "westeurope", sku: { name } } : {});
      return (await call("GET", id)).body;
    };
    expect(await shown(BUS, "Premium")).toMatchObject({
      properties: { premiumMessagingPartitions: 1 },
    });
    expect(await shown(`${BUS}/topics/orders`)).toMatchObject({
      properties: { maxMessageSizeInKilobytes: 1024 },
    });
    expect(await shown(HUBS, "Basic")).toMatchObject({ properties: { kafkaEnabled: false } });
    const sku = { name: "Premium_LRS", tier: "Premium" };
    expect(await shown(ACCOUNT, sku.name)).toMatchObject({ sku });
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
        configuration: { ingress: { targetPort: 80, transport: "Auto" } },
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
