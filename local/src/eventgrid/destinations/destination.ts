import * as v from "valibot";
import { expected, fields, list, number, oneOf, text } from "../../base/index.js";

/** A queue of a storage account. */
export interface StorageQueueDestination {
  readonly type: "StorageQueue";
  /** Name of the queue. */
  readonly queue: string;
  /** Resource ID of the storage account. @default an account named `local` */
  readonly storageAccountId?: string | undefined;
  /** -1 keeps messages for ever. @default 604800, seven days */
  readonly messageTimeToLiveInSeconds?: number | undefined;
}

/** A Service Bus queue or topic, or an event hub. */
export interface MessagingDestination {
  readonly type: "ServiceBusQueue" | "ServiceBusTopic" | "EventHub";
  /** Resource ID of the queue, topic or event hub. */
  readonly resourceId: string;
}

/**
 * Alerts of Azure Monitor, one for each event. They are listed as messages, and nobody is notified.
 *
 * @see https://learn.microsoft.com/azure/event-grid/handler-azure-monitor-alerts
 */
export interface MonitorAlertDestination {
  readonly type: "MonitorAlert";
  readonly severity: (typeof alertSeverities)[number];
  readonly description?: string | undefined;
  /** Resource IDs. @default none */
  readonly actionGroups?: readonly string[] | undefined;
}

/** A destination that gets events as messages, without a handshake. */
export type MessageDestination =
  | StorageQueueDestination
  | MessagingDestination
  | MonitorAlertDestination;

/** A topic of a namespace, which events are published to as CloudEvents. */
export interface NamespaceTopicDestination {
  readonly type: "NamespaceTopic";
  /** Resource ID of the topic, which must exist. */
  readonly resourceId: string;
}

/** A function with an Event Grid trigger, which the Functions host serves locally (`func start`). */
export interface FunctionDestination {
  readonly type: "AzureFunction";
  /** Resource ID of the function: `…/Microsoft.Web/sites/APP/functions/NAME`. */
  readonly resourceId: string;
}

/** A destination other than a webhook. */
export type EventDestination = MessageDestination | NamespaceTopicDestination | FunctionDestination;

const DEFAULT_TIME_TO_LIVE = 7 * 24 * 60 * 60;

const FUNCTION =
  /\/providers\/Microsoft\.Web\/sites\/([a-z0-9-]+)(?:\/slots\/([a-z0-9-]+))?\/functions\/([^/]+)$/i;

const ACTION_GROUP =
  /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/Microsoft\.Insights\/actionGroups\/[^/]+$/i;

const RESOURCES = {
  ServiceBusQueue: /\/providers\/Microsoft\.ServiceBus\/namespaces\/[^/]+\/queues\/[^/]+$/i,
  ServiceBusTopic: /\/providers\/Microsoft\.ServiceBus\/namespaces\/[^/]+\/topics\/[^/]+$/i,
  EventHub: /\/providers\/Microsoft\.EventHub\/namespaces\/[^/]+\/eventhubs\/[^/]+$/i,
  NamespaceTopic: /\/providers\/Microsoft\.EventGrid\/namespaces\/[^/]+\/topics\/[^/]+$/i,
  AzureFunction: FUNCTION,
};

export const alertSeverities = ["Sev0", "Sev1", "Sev2", "Sev3", "Sev4"] as const;

/** Schema of the option. */
export const eventDestination = v.variant(
  "type",
  [
    fields({
      type: oneOf("StorageQueue"),
      queue: text,
      storageAccountId: v.optional(text),
      messageTimeToLiveInSeconds: v.optional(number),
    }),
    fields({
      type: oneOf("MonitorAlert"),
      severity: oneOf(...alertSeverities),
      description: v.optional(text),
      actionGroups: v.optional(list(text)),
    }),
    fields({
      type: oneOf(
        "ServiceBusQueue",
        "ServiceBusTopic",
        "EventHub",
        "NamespaceTopic",
        "AzureFunction",
      ),
      resourceId: text,
    }),
  ],
  expected(
    '"StorageQueue", "ServiceBusQueue", "ServiceBusTopic", "EventHub", "NamespaceTopic", "AzureFunction" or "MonitorAlert"',
  ),
);

/** Everything that the service would refuse. */
export function* destinationProblems(destination: EventDestination): Generator<string> {
  const { type } = destination;
  if (type === "MonitorAlert") {
    const groups = destination.actionGroups ?? [];
    for (const id of groups.filter((each) => !ACTION_GROUP.test(each))) {
      yield `The action group '${id}' is not the resource ID of one.`;
    }
    return;
  }
  if (type !== "StorageQueue") {
    if (RESOURCES[type].test(destination.resourceId)) return;
    yield `The resource ID '${destination.resourceId}' is invalid for a destination of the type ${type}.`;
    return;
  }
  yield* storageProblems("queue", destination.queue, destination.storageAccountId);
  const timeToLive = timeToLiveOf(destination);
  if (!Number.isInteger(timeToLive) || timeToLive < -1 || timeToLive === 0) {
    yield `The message time to live must be a positive number of seconds, or -1 for ever, not ${timeToLive}.`;
  }
}

export function timeToLiveOf({ messageTimeToLiveInSeconds }: StorageQueueDestination): number {
  return messageTimeToLiveInSeconds ?? DEFAULT_TIME_TO_LIVE;
}

/** The function app, with the slot if it is not the production slot, in a function's resource ID. */
export function functionAppOf(resourceId: string): string | undefined {
  const [, app, slot] = FUNCTION.exec(resourceId) ?? [];
  return slot === undefined ? app : `${app}-${slot}`;
}

/**
 * The URL at which the Functions host takes the events of a function with an Event Grid trigger.
 *
 * @see https://learn.microsoft.com/azure/azure-functions/functions-event-grid-blob-trigger
 */
export function functionUrl(resourceId: string): string | undefined {
  const [, , , name = ""] = FUNCTION.exec(resourceId) ?? [];
  const app = functionAppOf(resourceId);
  if (app === undefined) return undefined;
  return `https://${app}.azurewebsites.net/runtime/webhooks/EventGrid?functionName=${encodeURIComponent(name)}`;
}

const PLAIN: readonly EventDestination["type"][] = [
  "StorageQueue",
  "NamespaceTopic",
  "MonitorAlert",
];

/** Storage queues, topics of namespaces and alerts carry no delivery properties. */
export function takesDeliveryProperties({ type }: EventDestination): boolean {
  return !PLAIN.includes(type);
}

/** The resource ID of the queue, topic or event hub, or the action groups of an alert. */
export function destinationId(destination: EventDestination, subscriptionId: string): string {
  if (destination.type === "MonitorAlert") return (destination.actionGroups ?? []).join(",");
  if (destination.type !== "StorageQueue") return destination.resourceId;
  const { queue, storageAccountId = localAccount(subscriptionId) } = destination;
  return `${storageAccountId}/queueServices/default/queues/${queue}`;
}

/** The resource ID of the storage account for queues and containers of which none is named. */
export function localAccount(subscriptionId: string): string {
  return `/subscriptions/${subscriptionId}/resourceGroups/local/providers/Microsoft.Storage/storageAccounts/local`;
}

/** Leaves out the query, which may contain a secret. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, "");
}

/** Names of queues and blob containers. */
const STORAGE_NAME = /^(?=.{3,63}$)[a-z0-9]+(-[a-z0-9]+)*$/;

const ACCOUNT = /\/providers\/Microsoft\.Storage\/storageAccounts\/[a-z0-9]{3,24}$/i;

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
  if (!STORAGE_NAME.test(name)) {
    yield `The ${kind} name '${name}' is invalid: it must have 3 to 63 lower-case letters, digits or single hyphens.`;
  }
  if (storageAccountId !== undefined && !ACCOUNT.test(storageAccountId)) {
    yield `The resource ID '${storageAccountId}' is invalid: a ${kind} needs a storage account, whose name has 3 to 24 lower-case letters and digits.`;
  }
}
