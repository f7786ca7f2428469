import type { BodySchemas } from "../../api/index.js";
import {
  field,
  isObject,
  listAt,
  objectAt,
  outermostOf,
  parentOf,
  propertiesIn,
  ServiceError,
  serviceError,
  textAt,
  textOrEmpty,
} from "../../base/index.js";
import { ACCOUNT_NAME, storageProblems } from "../../eventgrid/index.js";
import {
  type Resource,
  type Resources,
  type ResourceType,
  stableKey,
  stableUuid,
  twoKeys,
} from "../engine/index.js";
import { containerAppTypes } from "./container-app-types.js";
import { messagingTypes, partitions } from "./messaging-types.js";
import { networkTypes } from "./network-types.js";

/*
 * azurerm reads many fields without checking that they exist, and crashes without them; it accepts
 * no status but the documented ones. Both were looked up in its source for each type here.
 */

const storageHosts = (name: string) =>
  Object.fromEntries(
    ["blob", "dfs", "file", "queue", "table", "web"].map((service) => [
      service,
      `https://${name}.${service}.core.windows.net/`,
    ]),
  );

const cors = { corsRules: [] };

/** The services of a storage account, which exist without being created, with what is not written. */
const storageServices: Readonly<Record<string, Partial<ResourceType>>> = {
  blobServices: { properties: () => ({ cors, deleteRetentionPolicy: { enabled: false } }) },
  fileServices: {
    properties: () => ({ cors }),
    // New accounts keep deleted shares for 7 days:
    // https://learn.microsoft.com/azure/storage/files/storage-files-prevent-file-share-deletion
    computed: ({ body }) => ({
      shareDeleteRetentionPolicy: field(propertiesIn(body), "shareDeleteRetentionPolicy") ?? {
        enabled: true,
        days: 7,
      },
    }),
  },
  queueServices: { properties: () => ({ cors }) },
  tableServices: { properties: () => ({ cors }) },
};

/** The rights of an IoT hub's shared access policies. */
const iotHubRights: Readonly<Record<string, string>> = {
  iothubowner: "RegistryWrite, ServiceConnect, DeviceConnect",
  service: "ServiceConnect",
  device: "DeviceConnect",
  registryRead: "RegistryRead",
  registryReadWrite: "RegistryWrite",
};

const iotHubPolicy = (hubId: string, keyName: string) => ({
  keyName,
  primaryKey: stableKey(hubId, `${keyName} primary`),
  secondaryKey: stableKey(hubId, `${keyName} secondary`),
  rights: iotHubRights[keyName],
});

const ACCOUNTS = "Microsoft.Storage/storageAccounts";

/** Blobs and files are encrypted in every account. */
const ENCRYPTED = {
  enabled: true,
  keyType: "Account",
  lastEnabledTime: "2026-01-01T00:00:00Z",
};

/**
 * Both may be missing here.
 *
 * @see https://learn.microsoft.com/rest/api/storagerp/storage-accounts/create#request-body
 */
const accountSchemas: BodySchemas = {
  [ACCOUNTS]: {
    fields: {
      kind: { oneOf: ["Storage", "StorageV2", "BlobStorage", "FileStorage", "BlockBlobStorage"] },
      sku: { object: "Sku" },
    },
  },
  Sku: {
    fields: {
      name: {
        oneOf: ["LRS", "ZRS", "GRS", "RAGRS", "GZRS", "RAGZRS"]
          .map((each) => `Standard_${each}`)
          .concat(["Premium_LRS", "Premium_ZRS", "StandardV2_LRS", "StandardV2_ZRS"])
          .concat(["StandardV2_GRS", "StandardV2_GZRS", "PremiumV2_LRS", "PremiumV2_ZRS"]),
      },
    },
  },
};

/**
 * @see https://learn.microsoft.com/rest/api/storageservices/common-rest-api-error-codes
 * @throws ServiceError 400 for the name of a queue or container that the storage service refuses
 */
const checkedName =
  (kind: "queue" | "container") =>
  (written: Resource): Resource => {
    const [problem] = ["$root", "$web", "$logs"].includes(written.name)
      ? []
      : storageProblems(kind, written.name, undefined);
    if (problem === undefined) return written;
    const { length } = written.name;
    const code = length < 3 || length > 63 ? "OutOfRangeInput" : "InvalidResourceName";
    throw new ServiceError(400, code, problem);
  };

const types: readonly ResourceType[] = [
  {
    type: ACCOUNTS,
    location: "region",
    schemas: accountSchemas,
    onWrite: (account) => {
      if (ACCOUNT_NAME.allows(account.name)) return account;
      throw serviceError.AccountNameInvalid(
        `${account.name} is not a valid storage account name. Storage account name must be between 3 and 24 characters in length and use numbers and lower-case letters only.`,
      );
    },
    // Storage answers 200 also for a new account, and az accepts nothing else.
    writeStatus: 200,
    properties: ({ name, location, body }) => ({
      creationTime: "2026-01-01T00:00:00Z",
      primaryLocation: location,
      statusOfPrimary: "available",
      primaryEndpoints: storageHosts(name),
      supportsHttpsTrafficOnly: true,
      allowBlobPublicAccess: false,
      // https://learn.microsoft.com/rest/api/storagerp/storage-accounts/create#accesstier
      ...(body.kind !== "Storage" && {
        accessTier: body.kind === "BlockBlobStorage" ? "Premium" : "Hot",
      }),
      networkAcls: {
        bypass: "AzureServices",
        defaultAction: "Allow",
        ipRules: [],
        virtualNetworkRules: [],
        resourceAccessRules: [],
      },
      encryption: {
        keySource: "Microsoft.Storage",
        services: { blob: ENCRYPTED, file: ENCRYPTED },
      },
    }),
    metadata: ({ body }) => {
      const name = textAt(body, "sku", "name") ?? "Standard_LRS";
      return { sku: { name, tier: name.split("_")[0], ...objectAt(body, "sku") } };
    },
    actions: {
      listKeys: ({ id }) => ({
        keys: ["key1", "key2"].map((keyName) => ({
          keyName,
          // https://learn.microsoft.com/azure/storage/common/storage-account-keys-manage
          value: stableKey(id, keyName, 512),
          permissions: "FULL",
        })),
      }),
    },
    defaults: Object.fromEntries(
      Object.keys(storageServices).map((service) => [`${service}/default`, {}]),
    ),
  },
  ...Object.entries(storageServices).map(
    ([service, more]): ResourceType => ({
      type: `${ACCOUNTS}/${service}`,
      writeStatus: 200,
      ...more,
    }),
  ),
  {
    type: `${ACCOUNTS}/queueServices/queues`,
    onWrite: checkedName("queue"),
    writeStatus: 200,
    deleteStatus: 204,
  },
  {
    type: `${ACCOUNTS}/blobServices/containers`,
    onWrite: checkedName("container"),
    properties: () => ({
      defaultEncryptionScope: "$account-encryption-key",
      denyEncryptionScopeOverride: false,
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
      redisConfiguration: {},
    }),
    actions: { listKeys: twoKeys },
  },
  {
    // Azure Managed Redis. azurerm waits until the state of cluster and database is "Running".
    type: "Microsoft.Cache/redisEnterprise",
    properties: ({ name, location }) => ({
      hostName: `${name}.${location}.redis.azure.net`,
      resourceState: "Running",
      redisVersion: "7.4",
      minimumTlsVersion: "1.2",
      highAvailability: "Enabled",
      publicNetworkAccess: "Enabled",
    }),
  },
  {
    type: "Microsoft.Cache/redisEnterprise/databases",
    properties: () => ({
      resourceState: "Running",
      port: 10_000,
      clientProtocol: "Encrypted",
      clusteringPolicy: "OSSCluster",
      evictionPolicy: "VolatileLRU",
      accessKeysAuthentication: "Disabled",
    }),
    actions: { listKeys: twoKeys },
  },
  {
    type: "Microsoft.SignalRService/SignalR",
    // A write keeps the features that it does not name.
    onWrite: (written, { before }) => {
      const stored = listAt(propertiesIn(before?.body), "features");
      const features = listAt(propertiesIn(written.body), "features");
      const named = new Set(features.map((each) => field(each, "flag")));
      const kept = stored.filter((each) => !named.has(field(each, "flag")));
      const properties = {
        ...propertiesIn(written.body),
        features: [...kept, ...features],
      };
      return { ...written, body: { ...written.body, properties } };
    },
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
        const connection = (key: string) =>
          `Endpoint=https://${resource.name}.service.signalr.net;AccessKey=${key};Version=1.0;`;
        return {
          ...keys,
          primaryConnectionString: connection(keys.primaryKey),
          secondaryConnectionString: connection(keys.secondaryKey),
        };
      },
    },
  },
  {
    type: "Microsoft.Devices/IotHubs",
    properties: ({ name, body }) => ({
      state: "Active",
      hostName: `${name}.azure-devices.net`,
      routing: {
        endpoints: {
          serviceBusQueues: [],
          serviceBusTopics: [],
          eventHubs: [],
          storageContainers: [],
        },
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
        feedback: {
          lockDurationAsIso8601: "PT1M",
          ttlAsIso8601: "PT1H",
          maxDeliveryCount: 10,
        },
      },
      ...(isObject(field(propertiesIn(body), "networkRuleSets")) && {
        networkRuleSets: { ipRules: [] },
      }),
    }),
    computed: ({ name, body }) => {
      const endpoints = objectAt(propertiesIn(body), "eventHubEndpoints");
      const events = {
        retentionTimeInDays: 1,
        path: name,
        endpoint: `sb://${name}.servicebus.windows.net/`,
        ...objectAt(endpoints, "events"),
      };
      return {
        eventHubEndpoints: { ...endpoints, events: { ...events, ...partitions(events) } },
      };
    },
    actions: {
      listKeys: ({ id }) => ({
        value: Object.keys(iotHubRights).map((keyName) => iotHubPolicy(id, keyName)),
      }),
    },
    defaults: Object.fromEntries(
      Object.keys(iotHubRights).map((name) => [`IotHubKeys/${name}`, {}]),
    ),
  },
  {
    type: "Microsoft.Devices/IotHubs/IotHubKeys",
    actions: {
      listKeys: ({ id, name }) => iotHubPolicy(parentOf(id), name),
    },
  },
  ...containerAppTypes,
  {
    type: "Microsoft.OperationalInsights/workspaces",
    location: "region",
    properties: ({ id }) => ({
      customerId: stableUuid(id),
      createdDate: "2026-01-01T00:00:00Z",
      modifiedDate: "2026-01-01T00:00:00Z",
      sku: { name: "PerGB2018" },
      retentionInDays: 30,
      features: { enableLogAccessUsingOnlyResourcePermissions: true },
      workspaceCapping: { dailyQuotaGb: -1, dataIngestionStatus: "RespectQuota" },
      publicNetworkAccessForIngestion: "Enabled",
      publicNetworkAccessForQuery: "Enabled",
    }),
    actions: {
      sharedKeys: ({ id }) => ({
        primarySharedKey: stableKey(id, "primary", 512),
        secondarySharedKey: stableKey(id, "secondary", 512),
      }),
    },
  },
  // azurerm looks for the workspace there before it creates it; deleted ones are gone at once here.
  { type: "Microsoft.OperationalInsights/deletedWorkspaces", methods: ["GET"], list: () => [] },
];

/**
 * Premium accounts have one service each, and the older ones for blobs have no queues.
 *
 * @see https://learn.microsoft.com/azure/storage/common/storage-account-overview#types-of-storage-accounts
 * @see https://github.com/turbot/steampipe-plugin-azure/issues/458
 * @throws ServiceError 400 for a queue or container of an account without such a service
 */
function requireService(type: string, account: object | undefined): void {
  const isQueue = type === `${ACCOUNTS}/queueServices/queues`;
  if (!isQueue && type !== `${ACCOUNTS}/blobServices/containers`) return;
  const kind = textAt(account, "kind");
  const isForBlobs = kind === "BlobStorage" || /^Premium/.test(textOrEmpty(account, "sku", "name"));
  if (kind !== "FileStorage" && !(isQueue && isForBlobs)) return;
  const service = isQueue ? "Queue" : "Blob";
  throw serviceError.FeatureNotSupportedForAccount(`${service} is not supported for the account.`);
}

/** Types of other services, which are stored as they are written, with the fields of their service. */
export function storedTypes(resources: Resources): readonly ResourceType[] {
  return [...types, ...messagingTypes(resources), ...networkTypes(resources)].map((type) => ({
    ...type,
    onWrite: (written, write) => {
      requireService(written.type, resources.get(outermostOf(written.id))?.body);
      return type.onWrite?.(written, write) ?? written;
    },
    metadata: (resource) => ({
      systemData: { createdAt: "2026-01-01T00:00:00Z" },
      ...type.metadata?.(resource),
    }),
  }));
}
