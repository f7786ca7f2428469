import { field, listAt, objectAt, textAt } from "../../base/index.js";
import { type GenericResource, stableKey } from "./generic-resources.js";

type Fields = Readonly<Record<string, unknown>>;

/** What a service adds to the resources of one type. */
export interface ResourceType {
  /** Namespace and type as Azure writes them. */
  readonly type: string;
  /** Properties that the service computes. */
  readonly properties?: (resource: GenericResource) => Fields;
  /** Responses to POST requests such as `listKeys`, by their name in lower case. */
  readonly actions?: Readonly<Record<string, (resource: GenericResource) => unknown>>;
  /** Children that exist without being created, with their properties. */
  readonly defaults?: Readonly<Record<string, Fields>>;
}

const twoKeys = ({ id }: GenericResource) => ({
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
      listkeys: (resource) => {
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

const activeEntity = { status: "Active", createdAt: "2026-01-01T00:00:00Z" };

export const resourceTypes: readonly ResourceType[] = [
  {
    type: "Microsoft.Storage/storageAccounts",
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
      listkeys: ({ id }) => ({
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
    actions: { listkeys: twoKeys },
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
      listkeys: (resource) => {
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
      listkeys: (resource) => ({
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
    type: "Microsoft.App/managedEnvironments",
    properties: ({ name, location }) => ({
      defaultDomain: `${name}.${location}.azurecontainerapps.io`,
      staticIp: "127.0.0.1",
    }),
  },
  {
    type: "Microsoft.App/containerApps",
    properties: ({ name, location, body }) => {
      const environment = textAt(body, "properties", "managedEnvironmentId")?.split("/").at(-1);
      const fqdn = `${name}.${environment}.${location}.azurecontainerapps.io`;
      const configuration = objectAt(body, "properties", "configuration");
      const { ingress } = configuration;
      return {
        latestRevisionName: `${name}--1`,
        latestRevisionFqdn: fqdn,
        outboundIpAddresses: ["127.0.0.1"],
        configuration: {
          ...configuration,
          ...(ingress ? { ingress: { ...objectAt(configuration, "ingress"), fqdn } } : {}),
          // Azure returns the names of secrets only.
          secrets: listAt(configuration, "secrets").map((each) => ({ name: field(each, "name") })),
        },
      };
    },
    actions: {
      listsecrets: ({ body }) => ({
        value: listAt(body, "properties", "configuration", "secrets"),
      }),
    },
  },
  { type: "Microsoft.ManagedIdentity/userAssignedIdentities" },
  // Domains have routes of their own; this type lists their topics.
  { type: "Microsoft.EventGrid/domains" },
  { type: "Microsoft.EventGrid/domains/topics" },
];

export function resourceTypeOf(type: string): ResourceType | undefined {
  return resourceTypes.find((each) => each.type.toLowerCase() === type.toLowerCase());
}
