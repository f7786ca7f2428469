import {
  field,
  NameRule,
  objectAt,
  parentOf,
  propertiesIn,
  serviceError,
  textAt,
} from "../../base/index.js";
import { type Resources, type ResourceType, twoKeys } from "../engine/index.js";
import { checkedEntity, checkedHub } from "./messaging-rules.js";

type Fields = Readonly<Record<string, unknown>>;

const SKUS = { oneOf: ["Basic", "Standard", "Premium"] };

/**
 * @see https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules
 * @see https://learn.microsoft.com/rest/api/servicebus/create-namespace
 */
const NAMESPACE_NAME = new NameRule({
  least: 6,
  most: 50,
  characters: ["letters", "digits", "hyphens"],
  first: ["letters"],
  last: ["letters", "digits"],
});
const RESERVED_ENDS = ["-sb", "-mgmt"];

const skuOf = (namespace: unknown) => textAt(namespace, "sku", "name") ?? "Standard";

/** Event Hubs and Service Bus namespaces are alike. */
function messagingNamespace(
  type: string,
  own: (sku: string) => Fields,
  capacity?: 1,
): ResourceType {
  return {
    type,
    location: "region",
    schemas: { [type]: { fields: { sku: { object: "Sku" } } }, Sku: { fields: { name: SKUS } } },
    onWrite: (written) => {
      const isReserved = RESERVED_ENDS.some((end) => written.name.toLowerCase().endsWith(end));
      if (NAMESPACE_NAME.allows(written.name) && !isReserved) return written;
      const message = `The namespace name '${written.name}' is invalid: it must have ${NAMESPACE_NAME}, begin with a letter, and not end with a hyphen, -sb or -mgmt.`;
      throw serviceError.BadRequest(message);
    },
    properties: ({ id, name, body }) => ({
      status: "Active",
      metricId: `${id.split("/")[2]}:${name}`,
      serviceBusEndpoint: `https://${name}.servicebus.windows.net:443/`,
      minimumTlsVersion: "1.2",
      publicNetworkAccess: "Enabled",
      disableLocalAuth: false,
      ...own(skuOf(body)),
    }),
    metadata: ({ body }) => ({
      sku: {
        name: skuOf(body),
        tier: skuOf(body),
        ...(capacity && { capacity }),
        ...objectAt(body, "sku"),
      },
    }),
    defaults: {
      "networkRuleSets/default": {},
      "authorizationRules/RootManageSharedAccessKey": { rights: ["Listen", "Manage", "Send"] },
    },
  };
}

/** A child of a namespace. Its PUT answers 200 even when it is new; azurerm refuses 201. */
function entity(type: string, properties: Fields = {}): ResourceType {
  return { type, writeStatus: 200, properties: () => properties };
}

const ruleSet = (type: string) =>
  entity(type, {
    defaultAction: "Allow",
    publicNetworkAccess: "Enabled",
    trustedServiceAccessEnabled: false,
    virtualNetworkRules: [],
    ipRules: [],
  });

/** Authorization rules of messaging namespaces and of their queues, topics and hubs. */
function authorizationRules(type: string): ResourceType {
  return {
    ...entity(type),
    actions: {
      listKeys: (resource) => {
        const [, , , , , , , , namespace, kind, name] = resource.id.split("/");
        const keys = twoKeys(resource);
        const entityPath = kind === "authorizationRules" ? "" : `;EntityPath=${name}`;
        const connection = (key: string) =>
          `Endpoint=sb://${namespace}.servicebus.windows.net/;SharedAccessKeyName=${resource.name};SharedAccessKey=${key}${entityPath}`;
        return {
          keyName: resource.name,
          ...keys,
          primaryConnectionString: connection(keys.primaryKey),
          secondaryConnectionString: connection(keys.secondaryKey),
        };
      },
    },
  };
}

/** The largest number of partitions, in a dedicated cluster. */
const MAX_PARTITIONS = 1024;

/** The partitions of an event hub, or of the one that is built into an IoT hub. */
export function partitions(written: unknown) {
  const partitionCount = Number(field(written, "partitionCount") ?? 4);
  const length = Math.min(partitionCount, MAX_PARTITIONS);
  return { partitionCount, partitionIds: Array.from({ length }, (_, index) => String(index)) };
}

const active = { status: "Active", createdAt: "2026-01-01T00:00:00Z" };

const FOREVER = "P10675199DT2H48M5.4775807S";

/** Queues, topics and subscriptions. */
const lasting = {
  ...active,
  defaultMessageTimeToLive: FOREVER,
  autoDeleteOnIdle: FOREVER,
  enableBatchedOperations: true,
};

const queueProperties = {
  ...lasting,
  duplicateDetectionHistoryTimeWindow: "PT10M",
  requiresDuplicateDetection: false,
  enableExpress: false,
  enablePartitioning: false,
};

/** Queues and topics. A written size of 0 stands for the default. */
function queueLike(resources: Resources, type: string, own: Fields): ResourceType {
  return {
    ...entity(type),
    onWrite: checkedEntity,
    properties: ({ id }) => {
      const sku = skuOf(resources.get(parentOf(id))?.body);
      const maxMessageSizeInKilobytes = sku === "Premium" ? 1024 : 256;
      return { ...queueProperties, ...own, maxMessageSizeInKilobytes };
    },
    computed: ({ body }) => ({
      maxSizeInMegabytes: field(propertiesIn(body), "maxSizeInMegabytes") || 1024,
    }),
  };
}

const received = {
  lockDuration: "PT1M",
  maxDeliveryCount: 10,
  requiresSession: false,
  deadLetteringOnMessageExpiration: false,
};

const EVENT_HUBS = "Microsoft.EventHub/namespaces";
const SERVICE_BUS = "Microsoft.ServiceBus/namespaces";

/** Event Hubs and Service Bus. */
export const messagingTypes = (resources: Resources): readonly ResourceType[] => [
  messagingNamespace(
    EVENT_HUBS,
    (sku) => ({
      isAutoInflateEnabled: false,
      maximumThroughputUnits: 0,
      kafkaEnabled: sku !== "Basic",
    }),
    1,
  ),
  ruleSet(`${EVENT_HUBS}/networkRuleSets`),
  authorizationRules(`${EVENT_HUBS}/authorizationRules`),
  {
    ...entity(`${EVENT_HUBS}/eventhubs`, active),
    onWrite: (hub) => checkedHub(hub, resources.get(parentOf(hub.id))),
    computed: ({ body }) => partitions(propertiesIn(body)),
  },
  authorizationRules(`${EVENT_HUBS}/eventhubs/authorizationRules`),
  entity(`${EVENT_HUBS}/eventhubs/consumergroups`),
  messagingNamespace(SERVICE_BUS, (sku) => ({
    premiumMessagingPartitions: sku === "Premium" ? 1 : 0,
  })),
  ruleSet(`${SERVICE_BUS}/networkRuleSets`),
  authorizationRules(`${SERVICE_BUS}/authorizationRules`),
  queueLike(resources, `${SERVICE_BUS}/queues`, received),
  authorizationRules(`${SERVICE_BUS}/queues/authorizationRules`),
  queueLike(resources, `${SERVICE_BUS}/topics`, { supportOrdering: true }),
  authorizationRules(`${SERVICE_BUS}/topics/authorizationRules`),
  {
    ...entity(`${SERVICE_BUS}/topics/subscriptions`, {
      ...lasting,
      ...received,
      deadLetteringOnFilterEvaluationExceptions: true,
    }),
    onWrite: checkedEntity,
  },
  entity(`${SERVICE_BUS}/topics/subscriptions/rules`),
];
