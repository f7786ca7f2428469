import { field, listAt, objectAt, textAt } from "../../base/index.js";
import { type Resource, type ResourceType, stableKey, stableUuid } from "../engine/index.js";
import { eventGridLists } from "../event-grid/index.js";

const twoKeys = ({ id }: Resource) => ({
  primaryKey: stableKey(id, "primary"),
  secondaryKey: stableKey(id, "secondary"),
});

/** Event Hubs and Service Bus namespaces are alike. */
function messagingNamespace(type: string): ResourceType {
  return {
    type,
    properties: ({ id, name }) => ({
      status: "Active",
      metricId: `${id.split("/")[2]}:${name}`,
      serviceBusEndpoint: `https://${name}.servicebus.windows.net:443/`,
      minimumTlsVersion: "1.2",
      publicNetworkAccess: "Enabled",
      disableLocalAuth: false,
      zoneRedundant: false,
    }),
    defaults: {
      "networkRuleSets/default": {
        defaultAction: "Allow",
        publicNetworkAccess: "Enabled",
        trustedServiceAccessEnabled: false,
        virtualNetworkRules: [],
        ipRules: [],
      },
      "authorizationRules/RootManageSharedAccessKey": { rights: ["Listen", "Manage", "Send"] },
    },
  };
}

/** Authorization rules of messaging namespaces and of their queues, topics and hubs. */
function authorizationRules(type: string): ResourceType {
  return {
    type,
    actions: {
      listKeys: (resource) => {
        const { id, name } = resource;
        const keys = twoKeys(resource);
        const host = `${id.split("/")[8]}.servicebus.windows.net`;
        const connection = (key: string) =>
          `Endpoint=sb://${host}/;SharedAccessKeyName=${name};SharedAccessKey=${key}`;
        return {
          keyName: name,
          ...keys,
          primaryConnectionString: connection(keys.primaryKey),
          secondaryConnectionString: connection(keys.secondaryKey),
        };
      },
    },
  };
}

const storageHosts = (name: string) =>
  Object.fromEntries(
    ["blob", "dfs", "file", "queue", "table", "web"].map((service) => [
      service,
      `https://${name}.${service}.core.windows.net/`,
    ]),
  );

const retention = { deleteRetentionPolicy: { enabled: false }, cors: { corsRules: [] } };

/** The public host name of a container app. */
function fqdnOf({ name, location, body }: Resource): string {
  const environment = textAt(body, "properties", "managedEnvironmentId")?.split("/").at(-1);
  return `${name}.${environment}.${location}.azurecontainerapps.io`;
}

const activeEntity = { status: "Active", createdAt: "2026-01-01T00:00:00Z" };

const types: readonly ResourceType[] = [
  {
    type: "Microsoft.Storage/storageAccounts",
    // Storage answers 200 also for a new account, and az accepts nothing else.
    writeStatus: 200,
    properties: ({ name, location }) => ({
      creationTime: "2026-01-01T00:00:00Z",
      primaryLocation: location,
      statusOfPrimary: "available",
      primaryEndpoints: storageHosts(name),
      supportsHttpsTrafficOnly: true,
      minimumTlsVersion: "TLS1_2",
      allowBlobPublicAccess: false,
      networkAcls: { bypass: "AzureServices", defaultAction: "Allow" },
      encryption: { keySource: "Microsoft.Storage", services: {} },
    }),
    actions: {
      listKeys: ({ id }) => ({
        keys: ["key1", "key2"].map((keyName) => ({
          keyName,
          value: stableKey(id, keyName),
          permissions: "FULL",
        })),
      }),
    },
    defaults: {
      "blobServices/default": retention,
      "fileServices/default": { ...retention, shareDeleteRetentionPolicy: { enabled: false } },
      "queueServices/default": { cors: { corsRules: [] } },
      "tableServices/default": { cors: { corsRules: [] } },
    },
  },
  {
    type: "Microsoft.Storage/storageAccounts/blobServices/containers",
    properties: () => ({
      publicAccess: "None",
      leaseStatus: "Unlocked",
      leaseState: "Available",
      hasImmutabilityPolicy: false,
      hasLegalHold: false,
    }),
  },
  {
    type: "Microsoft.Cache/Redis",
    properties: ({ name }) => ({
      hostName: `${name}.redis.cache.windows.net`,
      port: 6379,
      sslPort: 6380,
      redisVersion: "6.0",
      enableNonSslPort: false,
      linkedServers: [],
      instances: [{ sslPort: 15000, isMaster: false, isPrimary: false }],
    }),
    actions: { listKeys: twoKeys },
  },
  {
    type: "Microsoft.SignalRService/SignalR",
    properties: ({ name }) => ({
      hostName: `${name}.service.signalr.net`,
      externalIP: "127.0.0.1",
      publicPort: 443,
      serverPort: 443,
      version: "1.0",
    }),
    actions: {
      listKeys: (resource) => {
        const keys = twoKeys(resource);
        const endpoint = `Endpoint=https://${resource.name}.service.signalr.net;Version=1.0`;
        return {
          ...keys,
          primaryConnectionString: `${endpoint};AccessKey=${keys.primaryKey};`,
          secondaryConnectionString: `${endpoint};AccessKey=${keys.secondaryKey};`,
        };
      },
    },
  },
  {
    type: "Microsoft.Devices/IotHubs",
    properties: ({ name }) => ({
      state: "Active",
      hostName: `${name}.azure-devices.net`,
      eventHubEndpoints: {
        events: {
          retentionTimeInDays: 1,
          partitionCount: 4,
          partitionIds: ["0", "1", "2", "3"],
          path: name,
          endpoint: `sb://${name}.servicebus.windows.net/`,
        },
      },
    }),
    actions: {
      listKeys: (resource) => ({
        value: [
          {
            keyName: "iothubowner",
            ...twoKeys(resource),
            rights: "RegistryWrite, ServiceConnect, DeviceConnect",
          },
        ],
      }),
    },
  },
  messagingNamespace("Microsoft.EventHub/namespaces"),
  authorizationRules("Microsoft.EventHub/namespaces/authorizationRules"),
  authorizationRules("Microsoft.EventHub/namespaces/eventhubs/authorizationRules"),
  {
    type: "Microsoft.EventHub/namespaces/eventhubs",
    properties: () => ({ ...activeEntity, partitionIds: ["0", "1"] }),
  },
  messagingNamespace("Microsoft.ServiceBus/namespaces"),
  authorizationRules("Microsoft.ServiceBus/namespaces/authorizationRules"),
  authorizationRules("Microsoft.ServiceBus/namespaces/queues/authorizationRules"),
  { type: "Microsoft.ServiceBus/namespaces/queues", properties: () => activeEntity },
  { type: "Microsoft.ServiceBus/namespaces/topics", properties: () => activeEntity },
  { type: "Microsoft.ServiceBus/namespaces/topics/subscriptions", properties: () => activeEntity },
  {
    type: "Microsoft.EventGrid/partnerRegistrations",
    ...eventGridLists,
    location: "global",
    properties: ({ id }) => ({ partnerRegistrationImmutableId: stableUuid(id) }),
    isOperation: true,
  },
  {
    type: "Microsoft.App/managedEnvironments",
    properties: ({ name, location }) => ({
      defaultDomain: `${name}.${location}.azurecontainerapps.io`,
      staticIp: "127.0.0.1",
    }),
  },
  {
    type: "Microsoft.App/containerApps",
    properties: (resource) => ({
      latestRevisionName: `${resource.name}--1`,
      latestRevisionFqdn: fqdnOf(resource),
      outboundIpAddresses: ["127.0.0.1"],
    }),
    computed: (resource) => {
      const configuration = objectAt(resource.body, "properties", "configuration");
      const { ingress } = configuration;
      const fqdn = fqdnOf(resource);
      return {
        configuration: {
          ...configuration,
          ...(ingress ? { ingress: { ...objectAt(configuration, "ingress"), fqdn } } : {}),
          // Azure returns the names of secrets only.
          secrets: listAt(configuration, "secrets").map((each) => ({ name: field(each, "name") })),
        },
      };
    },
    actions: {
      listSecrets: ({ body }) => ({
        value: listAt(body, "properties", "configuration", "secrets"),
      }),
    },
  },
];

/** Types of other services, which are stored as they are written, with the fields of their service. */
export const storedTypes: readonly ResourceType[] = types.map((type) => ({
  ...type,
  hasEtag: !type.type.startsWith("Microsoft.EventGrid/"),
  metadata: () => ({ systemData: { createdAt: "2026-01-01T00:00:00Z" } }),
}));
