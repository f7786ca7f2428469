import { describe, expect, it } from "vitest";
import { create, GROUP, SUBSCRIPTION, startGroup } from "../../support/cloud.js";

describe("what azurerm reads without a check", () => {
  const text = expect.any(String);
  const time = "2026-01-01T00:00:00Z";
  const fourPartitions = { partitionCount: 4, partitionIds: ["0", "1", "2", "3"] };
  const standard = { sku: { name: "Standard", tier: "Standard" } };
  const namespaceOf = (name: string) => ({
    status: "Active",
    metricId: `${SUBSCRIPTION.slice(15)}:${name}`,
    serviceBusEndpoint: `https://${name}.servicebus.windows.net:443/`,
    minimumTlsVersion: "1.2",
    publicNetworkAccess: "Enabled",
    disableLocalAuth: false,
    zoneRedundant: false,
  });
  const queueLike = {
    status: "Active",
    createdAt: time,
    defaultMessageTimeToLive: "P10675199DT2H48M5.4775807S",
    autoDeleteOnIdle: "P10675199DT2H48M5.4775807S",
    duplicateDetectionHistoryTimeWindow: "PT10M",
    requiresDuplicateDetection: false,
    enableBatchedOperations: true,
    enableExpress: false,
    enablePartitioning: false,
    maxMessageSizeInKilobytes: 256,
    maxSizeInMegabytes: 1024,
  };
  const emptyLists = (names: string) =>
    Object.fromEntries(names.split(" ").map((name) => [name, []]));
  const noRules = emptyLists("ipRules virtualNetworkRules resourceAccessRules");
  const received = {
    lockDuration: "PT1M",
    maxDeliveryCount: 10,
    requiresSession: false,
    deadLetteringOnMessageExpiration: false,
  };
  const eventHubEndpoints = { events: { partitionCount: 2, retentionTimeInDays: 7 } };

  /** Properties that nobody wrote: defaults of the REST references, and what azurerm cannot miss. */
  it.each<[string, object, object?]>([
    [
      "Microsoft.App/managedEnvironments/shop",
      {
        defaultDomain: "shop.westeurope.azurecontainerapps.io",
        staticIp: "127.0.0.1",
        publicNetworkAccess: "Enabled",
        zoneRedundant: false,
        customDomainConfiguration: { customDomainVerificationId: text },
        peerAuthentication: { mtls: { enabled: false } },
        peerTrafficConfiguration: { encryption: { enabled: false } },
        appLogsConfiguration: { logAnalyticsConfiguration: null },
        daprAIConnectionString: null,
        daprAIInstrumentationKey: null,
      },
    ],
    [
      "Microsoft.App/containerApps/orders",
      {
        latestRevisionName: "orders--1",
        latestReadyRevisionName: "orders--1",
        latestRevisionFqdn: text,
        outboundIpAddresses: ["127.0.0.1"],
        customDomainVerificationId: text,
        runningStatus: "Running",
        configuration: { activeRevisionsMode: "Single", secrets: [] },
      },
    ],
    [
      "Microsoft.Cache/Redis/cache",
      {
        hostName: "cache.redis.cache.windows.net",
        port: 6379,
        sslPort: 6380,
        redisVersion: "6.0",
        enableNonSslPort: false,
        redisConfiguration: {},
        linkedServers: [],
        instances: [{ sslPort: 15_000, isMaster: false, isPrimary: false }],
      },
    ],
    [
      "Microsoft.Cache/redisEnterprise/shop",
      {
        hostName: "shop.westeurope.redis.azure.net",
        resourceState: "Running",
        redisVersion: "7.4",
        minimumTlsVersion: "1.2",
        highAvailability: "Enabled",
        publicNetworkAccess: "Enabled",
      },
    ],
    [
      "Microsoft.Cache/redisEnterprise/shop/databases/default",
      {
        resourceState: "Running",
        port: 10_000,
        clientProtocol: "Encrypted",
        clusteringPolicy: "OSSCluster",
        evictionPolicy: "VolatileLRU",
        accessKeysAuthentication: "Disabled",
      },
    ],
    [
      "Microsoft.SignalRService/SignalR/chat",
      {
        hostName: "chat.service.signalr.net",
        externalIP: "127.0.0.1",
        publicPort: 443,
        serverPort: 443,
        version: "1.0",
        features: [],
      },
    ],
    [
      "Microsoft.Devices/IotHubs/hub",
      {
        state: "Active",
        hostName: "hub.azure-devices.net",
        routing: {
          endpoints: emptyLists("serviceBusQueues serviceBusTopics eventHubs storageContainers"),
          routes: [],
          fallbackRoute: {
            name: "$fallback",
            source: "DeviceMessages",
            condition: "true",
            endpointNames: ["events"],
            isEnabled: true,
          },
        },
        cloudToDevice: {
          maxDeliveryCount: 10,
          defaultTtlAsIso8601: "PT1H",
          feedback: { lockDurationAsIso8601: "PT1M", ttlAsIso8601: "PT1H", maxDeliveryCount: 10 },
        },
        eventHubEndpoints: {
          events: {
            retentionTimeInDays: 1,
            path: "hub",
            endpoint: "sb://hub.servicebus.windows.net/",
            ...fourPartitions,
          },
        },
      },
    ],
    [
      "Microsoft.OperationalInsights/workspaces/shop",
      {
        customerId: text,
        createdDate: time,
        modifiedDate: time,
        sku: { name: "PerGB2018" },
        retentionInDays: 30,
        features: { enableLogAccessUsingOnlyResourcePermissions: true },
        workspaceCapping: { dailyQuotaGb: -1, dataIngestionStatus: "RespectQuota" },
        publicNetworkAccessForIngestion: "Enabled",
        publicNetworkAccessForQuery: "Enabled",
      },
    ],
    [
      "Microsoft.EventHub/namespaces/streams",
      {
        ...namespaceOf("streams"),
        isAutoInflateEnabled: false,
        maximumThroughputUnits: 0,
        kafkaEnabled: true,
      },
      standard,
    ],
    [
      "Microsoft.EventHub/namespaces/streams/eventhubs/orders",
      { status: "Active", createdAt: time, ...fourPartitions },
    ],
    [
      "Microsoft.ServiceBus/namespaces/orders",
      { ...namespaceOf("orders"), premiumMessagingPartitions: 0 },
      standard,
    ],
    ["Microsoft.ServiceBus/namespaces/orders/queues/orders", { ...queueLike, ...received }],
    ["Microsoft.ServiceBus/namespaces/orders/topics/orders", queueLike],
    [
      "Microsoft.ServiceBus/namespaces/orders/topics/orders/subscriptions/all",
      { status: "Active", createdAt: time, ...received },
    ],
    [
      "Microsoft.Storage/storageAccounts/shop1",
      {
        creationTime: time,
        primaryLocation: "westeurope",
        statusOfPrimary: "available",
        primaryEndpoints: Object.fromEntries(
          ["blob", "dfs", "file", "queue", "table", "web"].map((service) => [
            service,
            `https://shop1.${service}.core.windows.net/`,
          ]),
        ),
        supportsHttpsTrafficOnly: true,
        minimumTlsVersion: "TLS1_2",
        allowBlobPublicAccess: false,
        accessTier: "Hot",
        networkAcls: { bypass: "AzureServices", defaultAction: "Allow", ...noRules },
        encryption: { keySource: "Microsoft.Storage", services: {} },
      },
      { sku: { name: "Standard_LRS", tier: "Standard" } },
    ],
    [
      "Microsoft.Storage/storageAccounts/shop1/blobServices/default/containers/photos",
      {
        defaultEncryptionScope: "$account-encryption-key",
        denyEncryptionScopeOverride: false,
        publicAccess: "None",
        leaseStatus: "Unlocked",
        leaseState: "Available",
        hasImmutabilityPolicy: false,
        hasLegalHold: false,
      },
    ],
  ])("is in %s", async (path, properties, others = {}) => {
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

  it("is in what a storage account and a namespace contain without being created", async () => {
    const { call } = await startGroup();
    const shown = async (id: string, ...children: string[]) => {
      await call("PUT", id, { location: "westeurope" });
      const answers = await Promise.all(children.map((child) => call("GET", `${id}/${child}`)));
      return answers.map(({ body }) => {
        const { provisioningState, ...properties } = Object(body).properties;
        return provisioningState === "Succeeded" && properties;
      });
    };
    const account = `${GROUP}/providers/Microsoft.Storage/storageAccounts/shop1`;
    const services = ["blob", "file", "queue", "table"].map((each) => `${each}Services/default`);
    const [off, cors] = [{ enabled: false }, { corsRules: [] }];
    expect(await shown(account, ...services)).toEqual([
      { deleteRetentionPolicy: off, cors },
      { deleteRetentionPolicy: off, cors, shareDeleteRetentionPolicy: off },
      { cors },
      { cors },
    ]);
    for (const kind of ["EventHub/namespaces", "ServiceBus/namespaces"]) {
      const id = `${GROUP}/providers/Microsoft.${kind}/orders`;
      const rule = "authorizationRules/RootManageSharedAccessKey";
      expect(await shown(id, "networkRuleSets/default", rule)).toEqual([
        {
          defaultAction: "Allow",
          publicNetworkAccess: "Enabled",
          trustedServiceAccessEnabled: false,
          virtualNetworkRules: [],
          ipRules: [],
        },
        { rights: ["Listen", "Manage", "Send"] },
      ]);
    }
  });

  it.each<[string, object, object]>([
    [
      "Microsoft.Devices/IotHubs/hub",
      { eventHubEndpoints, networkRuleSets: { defaultAction: "Deny" } },
      {
        eventHubEndpoints: { events: { ...eventHubEndpoints.events, partitionIds: ["0", "1"] } },
        networkRuleSets: { defaultAction: "Deny", ipRules: [] },
      },
    ],
    [
      "Microsoft.EventHub/namespaces/streams",
      { isAutoInflateEnabled: true },
      { isAutoInflateEnabled: true, maximumThroughputUnits: 0 },
    ],
    [
      "Microsoft.Storage/storageAccounts/shop1",
      { networkAcls: { defaultAction: "Deny" } },
      { networkAcls: { defaultAction: "Deny", ipRules: [] } },
    ],
  ])("is beside what was written, in %s", async (path, properties, expected) => {
    const { call } = await startGroup();
    const id = `${GROUP}/providers/${path}`;
    await call("PUT", id, { location: "westeurope", properties });
    expect((await call("GET", id)).body).toMatchObject({ properties: expected });
  });

  it("is in what a namespace contains, with the only statuses that azurerm accepts", async () => {
    const { call } = await startGroup();
    const statuses = async (id: string, properties: object) => {
      const { status } = await call("PUT", id, { properties });
      const { body } = await call("GET", id);
      return { status, body, deleted: (await call("DELETE", id)).status };
    };
    const hubs = `${GROUP}/providers/Microsoft.EventHub/namespaces/streams`;
    const bus = `${GROUP}/providers/Microsoft.ServiceBus/namespaces/orders`;
    for (const id of [hubs, bus]) {
      await call("PUT", id, { location: "westeurope" });
      const ruleSet = await statuses(`${id}/networkRuleSets/default`, { ipRules: [] });
      expect(ruleSet).toMatchObject({ status: 200 });
      const rule = `${id}/authorizationRules/send`;
      expect(await statuses(rule, { rights: ["Send"] })).toMatchObject({ status: 200 });
    }
    const active = { status: "Active" };
    expect(await statuses(`${hubs}/eventhubs/orders`, { partitionCount: 2 })).toMatchObject({
      status: 200,
      body: { properties: { ...active, partitionIds: ["0", "1"] } },
    });
    expect(await statuses(`${bus}/queues/orders`, { maxSizeInMegabytes: 0 })).toMatchObject({
      status: 200,
      body: { properties: { ...active, maxSizeInMegabytes: 1024, enablePartitioning: false } },
    });
    await call("PUT", `${bus}/topics/orders`, {});
    await call("PUT", `${bus}2`, { location: "westeurope", sku: { name: "Premium" } });
    for (const [id, maxMessageSizeInKilobytes] of [
      [`${bus}/queues/sizes`, 256],
      [`${bus}2/topics/sizes`, 1024],
    ] as const) {
      const { body } = await statuses(id, {});
      expect(body).toMatchObject({ properties: { maxMessageSizeInKilobytes } });
    }
    expect(await statuses(`${bus}/topics/orders/subscriptions/all`, {})).toMatchObject({
      status: 200,
      body: { properties: active },
    });
  });

  it("is in a storage account's SKU and services, with the only statuses it accepts", async () => {
    const { call } = await startGroup();
    const id = `${GROUP}/providers/Microsoft.Storage/storageAccounts/shop1`;
    await call("PUT", id, { location: "westeurope", sku: { name: "Premium_LRS" } });
    expect((await call("GET", id)).body).toMatchObject({
      sku: { name: "Premium_LRS", tier: "Premium" },
    });
    expect((await call("PUT", `${id}/blobServices/default`, {})).status).toBe(200);
    const queue = `${id}/queueServices/default/queues/orders`;
    expect((await call("PUT", queue, {})).status).toBe(200);
    expect((await call("DELETE", queue)).status).toBe(204);
  });

  it("is in a container app, whose environment returns no secrets", async () => {
    const { call } = await startGroup();
    const environmentId = `${GROUP}/providers/Microsoft.App/managedEnvironments/shop`;
    const app = `${GROUP}/providers/Microsoft.App/containerApps/orders`;
    const logAnalyticsConfiguration = { customerId: "workspace", sharedKey: "hush" };
    const appLogsConfiguration = { destination: "log-analytics", logAnalyticsConfiguration };
    await call("PUT", environmentId, {
      location: "westeurope",
      properties: { appLogsConfiguration, daprAIConnectionString: "hush" },
    });
    const { body } = await call("GET", environmentId);
    expect(JSON.stringify(body)).not.toContain("hush");
    expect(body).toMatchObject({
      properties: {
        appLogsConfiguration: { logAnalyticsConfiguration: { customerId: "workspace" } },
      },
    });
    const configuration = { ingress: { targetPort: 80 } };
    await call("PUT", app, {
      location: "westeurope",
      properties: { environmentId, configuration },
    });
    expect((await call("GET", app)).body).toMatchObject({
      properties: {
        managedEnvironmentId: environmentId,
        customDomainVerificationId: text,
        configuration: { ingress: { targetPort: 80, transport: "Auto" } },
      },
    });
  });

  it("keeps the features of SignalR that a PATCH does not name", async () => {
    const { call } = await startGroup();
    const id = `${GROUP}/providers/Microsoft.SignalRService/SignalR/chat`;
    const feature = (flag: string, value: string) => ({ flag, value });
    const features = [feature("ServiceMode", "Default"), feature("EnableLiveTrace", "true")];
    await call("PUT", id, { location: "westeurope", properties: { features } });
    const changed = feature("ServiceMode", "Serverless");
    await call("PATCH", id, { properties: { features: [changed] } });
    expect((await call("GET", id)).body).toMatchObject({
      properties: { features: [feature("EnableLiveTrace", "true"), changed] },
    });
  });
});
