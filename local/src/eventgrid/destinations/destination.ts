import { groupsOf, isScope, NameRule, namesIn } from "../../base/index.js";
/** The types of destinations that are served; the others are `HybridConnection` and `PartnerDestination`. */
export const destinationTypes = [
  "WebHook",
  "StorageQueue",
  "ServiceBusQueue",
  "ServiceBusTopic",
  "EventHub",
  "NamespaceTopic",
  "AzureFunction",
  "MonitorAlert",
] as const;

/**
 * A destination as Resource Manager writes it.
 *
 * @see https://learn.microsoft.com/azure/templates/microsoft.eventgrid/eventsubscriptions#eventsubscriptiondestination
 */
export interface EventDestination {
  readonly endpointType: (typeof destinationTypes)[number];
  readonly properties: DestinationProperties;
}

/** The properties of destinations, each of some types only. */
export interface DestinationProperties extends WebhookProperties {
  /**
   * Resource ID of a Service Bus queue or topic, an event hub, the topic of a namespace, a function
   * (`…/Microsoft.Web/sites/APP/functions/NAME`), or the storage account of a queue.
   * @default for a queue an account named `local`
   */
  readonly resourceId?: string | undefined;
  /** Name of a storage queue. */
  readonly queueName?: string | undefined;
  /** Of a storage queue; -1 keeps messages for ever. @default 604800, seven days */
  readonly queueMessageTimeToLiveInSeconds?: number | undefined;
  /**
   * Of an alert of Azure Monitor. Alerts are listed as messages, and nobody is notified.
   *
   * @see https://learn.microsoft.com/azure/event-grid/handler-azure-monitor-alerts
   */
  readonly severity?: "Sev0" | "Sev1" | "Sev2" | "Sev3" | "Sev4" | undefined;
  readonly description?: string | undefined;
  /** Resource IDs. @default none */
  readonly actionGroups?: readonly string[] | undefined;
}

/** What a webhook is sent, and how. Functions have the sizes of batches, too. */
export interface WebhookProperties {
  /** The webhook's https URL, including its query. */
  readonly endpointUrl?: string | undefined;
  /** Tenant of the application that protects the webhook. @default the cloud's */
  readonly azureActiveDirectoryTenantId?: string | undefined;
  /**
   * Client ID or identifier URI of that application.
   * @default deliveries carry no token
   */
  readonly azureActiveDirectoryApplicationIdOrUri?: string | undefined;
  /** 1–5000. A batch succeeds or fails as a whole. @default 1, or 5000 if only the preferred size is set */
  readonly maxEventsPerBatch?: number | undefined;
  /** 1–1024; a single larger event is still delivered. @default 64 */
  readonly preferredBatchSizeInKilobytes?: number | undefined;
  /** Headers of deliveries, and properties of messages. @default none */
  readonly deliveryAttributeMappings?: readonly DeliveryAttributeMapping[] | undefined;
}

/** A header that Event Grid adds to every delivery of a subscription, or a property of a message. */
export type DeliveryAttributeMapping =
  | {
      readonly type: "Static";
      readonly name: string;
      readonly properties: {
        readonly value: string;
        /** Whether the value is hidden when the subscription is read. @default false */
        readonly isSecret?: boolean | undefined;
      };
    }
  | {
      readonly type: "Dynamic";
      readonly name: string;
      /** Path of the value in the event, for example `data.tenant` or `$.data.tenant`. */
      readonly properties: { readonly sourceField: string };
    };

/** The blob container for undeliverable events, as Resource Manager writes it. */
export interface DeadLetterDestination {
  readonly endpointType: "StorageBlob";
  readonly properties: {
    readonly blobContainerName: string;
    /** Resource ID of the storage account. @default an account named `local` */
    readonly resourceId?: string | undefined;
  };
}

const DEFAULT_TIME_TO_LIVE = 7 * 24 * 60 * 60;

const FUNCTION =
  /\/providers\/Microsoft\.Web\/sites\/([a-z0-9-]+)(?:\/slots\/([a-z0-9-]+))?\/functions\/([^/]+)$/i;

/** The types of the resources that destinations are. */
const TYPES = {
  ServiceBusQueue: "Microsoft.ServiceBus/namespaces/queues",
  ServiceBusTopic: "Microsoft.ServiceBus/namespaces/topics",
  EventHub: "Microsoft.EventHub/namespaces/eventhubs",
  NamespaceTopic: "Microsoft.EventGrid/namespaces/topics",
} as const;

const isActionGroup = (id: string) =>
  isScope(id) && namesIn(id, "Microsoft.Insights/actionGroups").length > 0;

/** Everything that the service would refuse. */
export function* destinationProblems({
  endpointType,
  properties,
}: EventDestination): Generator<string> {
  const { resourceId = "", queueName = "", actionGroups = [], severity } = properties;
  if (endpointType === "MonitorAlert") {
    if (severity === undefined) yield "A monitor alert needs a severity.";
    for (const id of actionGroups.filter((each) => !isActionGroup(each))) {
      yield `The action group '${id}' is not the resource ID of one.`;
    }
  } else if (endpointType === "StorageQueue") {
    yield* storageProblems("queue", queueName, resourceId);
    const timeToLive = timeToLiveOf(properties);
    if (!Number.isInteger(timeToLive) || timeToLive < -1 || timeToLive === 0) {
      yield `The message time to live must be a positive number of seconds, or -1 for ever, not ${timeToLive}.`;
    }
  } else if (endpointType !== "WebHook") {
    const isRight =
      endpointType === "AzureFunction"
        ? functionUrl(resourceId) !== undefined
        : namesIn(resourceId, TYPES[endpointType]).length > 0;
    if (isRight) return;
    yield `The resource ID '${resourceId}' is invalid for a destination of the type ${endpointType}.`;
  }
}

export function timeToLiveOf(properties: DestinationProperties): number {
  return properties.queueMessageTimeToLiveInSeconds ?? DEFAULT_TIME_TO_LIVE;
}

/** The function app, with the slot if it is not the production slot, in a function's resource ID. */
export function functionAppOf(resourceId: string): string | undefined {
  const [app, slot] = groupsOf(FUNCTION, resourceId);
  return (slot === "" ? app : `${app}-${slot}`) || undefined;
}

/**
 * The URL at which the Functions host takes the events of a function with an Event Grid trigger.
 *
 * @see https://learn.microsoft.com/azure/azure-functions/functions-event-grid-blob-trigger
 */
export function functionUrl(resourceId: string): string | undefined {
  const [, , name] = groupsOf(FUNCTION, resourceId);
  const app = functionAppOf(resourceId);
  if (app === undefined) return undefined;
  return `https://${app}.azurewebsites.net/runtime/webhooks/EventGrid?functionName=${encodeURIComponent(name)}`;
}

/** Storage queues, topics of namespaces and alerts carry no delivery properties. */
export function takesDeliveryProperties({ endpointType }: EventDestination): boolean {
  return (
    endpointType !== "StorageQueue" &&
    endpointType !== "NamespaceTopic" &&
    endpointType !== "MonitorAlert"
  );
}

/** The resource ID of the queue, topic or event hub, or the action groups of an alert. */
export function destinationId({ endpointType, properties }: EventDestination): string {
  const { resourceId = "", queueName, actionGroups = [] } = properties;
  if (endpointType === "MonitorAlert") return actionGroups.join(",");
  if (endpointType !== "StorageQueue") return resourceId;
  return `${resourceId}/queueServices/default/queues/${queueName}`;
}

/** The resource ID of the storage account for queues and containers of which none is named. */
export function localAccount(subscriptionId: string): string {
  return `/subscriptions/${subscriptionId}/resourceGroups/local/providers/Microsoft.Storage/storageAccounts/local`;
}

/** Leaves out the query, which may contain a secret. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#].*/s, "");
}

/** Names of queues and blob containers. */
const STORAGE_NAME = new NameRule({
  least: 3,
  most: 63,
  characters: ["lower-case letters", "digits", "single hyphens"],
  first: ["lower-case letters", "digits"],
});

/** Names of storage accounts; in IDs, they have no case. */
export const ACCOUNT_NAME = new NameRule({
  least: 3,
  most: 24,
  characters: ["lower-case letters", "digits"],
});

/**
 * Everything that the service would refuse in a queue or container. The names become paths of files.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/naming-and-referencing-containers--blobs--and-metadata
 */
export function* storageProblems(
  kind: "queue" | "container",
  name: string,
  storageAccountId: string | undefined,
): Generator<string> {
  if (!STORAGE_NAME.allows(name)) {
    yield `The ${kind} name '${name}' is invalid: it must have ${STORAGE_NAME}.`;
  }
  if (storageAccountId === undefined) return;
  const [account = ""] = namesIn(storageAccountId, "Microsoft.Storage/storageAccounts");
  if (!ACCOUNT_NAME.allows(account.toLowerCase())) {
    yield `The resource ID '${storageAccountId}' is invalid: a ${kind} needs a storage account, whose name has ${ACCOUNT_NAME}.`;
  }
}
