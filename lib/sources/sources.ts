import { systemEventTypes } from "cloud-eventgrid-binding-runtime/events";
import { type Checks, unchecked } from "cloud-eventgrid-binding-runtime/internal";
import type { SubjectFilter } from "../subscription/index.js";
import {
  type EventSource,
  type EventSourceOptions,
  exactly,
  SourceDraft,
  type SourceKind,
  type SourcePart,
  type SourceResource,
} from "./event-source.js";

export type {
  EventSource,
  EventSourceOptions,
  SourcePart,
  SourceResource,
} from "./event-source.js";
export * from "./object-storage.js";
export * from "./resource.js";

/** A function that makes the props of a binding from a resource and options. */
export type ServiceSource<Resource, Options> = (
  resource: Resource,
  options?: Options,
) => EventSource;

/** The rules of one service. */
interface ServiceRow<Resource, Options> extends SourceKind<string> {
  /** The names of its options besides `events`. */
  readonly options?: readonly (keyof Options & string)[];
  /** Why a resource raises no events, as far as its construct shows. */
  silence?(resource: Exclude<Resource, string>): string | undefined;
  /** The subjects that the options select; without one, every subject. */
  subject?(options: Options, draft: SourceDraft<string>): SubjectFilter | undefined;
}

/** The part of {@link EventSourceOptions} that every service has. */
interface Chosen {
  readonly events?: { readonly types: readonly string[] } | readonly string[];
}

function sourceOf<Resource extends SourceResource, Options extends Chosen>(
  service: ServiceRow<Resource, Options>,
): ServiceSource<Resource, Options> {
  const names = ["events", ...(service.options ?? [])];
  const checks = Object.fromEntries(names.map((name) => [name, unchecked])) as Checks<Options>;
  return (resource, options) => {
    const draft = new SourceDraft(resource, service);
    const given = draft.validate((options ?? {}) as Options, checks);
    const types = draft.chosen(given.events) ?? draft.types;
    const silence = isConstruct(resource) ? service.silence?.(resource) : undefined;
    draft.refuseIf(silence !== undefined, "resource", { "silent-resource": String(silence) });
    return draft.finish(types, service.subject?.(given, draft));
  };
}

function isConstruct<Resource>(resource: Resource): resource is Exclude<Resource, string> {
  return typeof resource !== "string";
}

/** Options of {@link cache}. */
export type CacheSourceOptions = EventSourceOptions<"cache">;

/**
 * The events of a cache (Azure Cache for Redis): patching, scaling, import or export has ended. There
 * are no events about single keys or messages.
 *
 * - Check `data.status`: the events also report failed operations.
 * - Redis Enterprise and Azure Managed Redis are resources of other types, and raise none of these.
 *
 * @throws {ConfigurationError} for a resource of another type, and event types that a cache does not raise
 */
export const cache = sourceOf<SourceResource, CacheSourceOptions>({
  resource: "cache",
  resourceType: "Microsoft.Cache/Redis",
  types: systemEventTypes.cache,
});

/** A namespace of Event Hubs, with the properties that decide whether it raises events. */
export type EventHubsNamespaceSource = SourceResource<{ readonly skuInput?: string | undefined }>;

/** An event hub, with the properties that decide whether it raises events. */
export type EventHubPart = SourcePart<{
  readonly captureDescriptionInput?: { readonly enabled?: unknown } | undefined;
  readonly terraformResourceType?: string;
}>;

/** Options of {@link eventStreaming}. */
export interface EventStreamingOptions extends EventSourceOptions<"eventStreaming"> {
  /**
   * Event hub whose files are reported.
   *
   * @default every hub of the namespace
   */
  readonly hub?: EventHubPart;
}

/**
 * The events of event streaming (Event Hubs): Capture has written a file. There are no events about
 * single messages.
 *
 * - The scope is the namespace, never a hub within it.
 * - Capture must be enabled on the hub, which a namespace of the Basic tier does not support.
 * - With `skipEmptyArchives` off, there are also events for empty files: `data.eventCount` is 0.
 *
 * @throws {ConfigurationError} for a namespace or hub that would never raise them
 */
export const eventStreaming = sourceOf<EventHubsNamespaceSource, EventStreamingOptions>({
  resource: "namespace of Event Hubs",
  resourceType: "Microsoft.EventHub/namespaces",
  types: systemEventTypes.eventStreaming,
  options: ["hub"],
  silence: ({ skuInput }) =>
    skuInput === "Basic"
      ? 'must not be of the "Basic" tier, which has no Capture and raises no events'
      : undefined,
  subject({ hub }, draft) {
    if (hub === undefined) return undefined;
    const message = "must have a captureDescription that is enabled: otherwise it raises no events";
    draft.refuseIf(isWithoutCapture(hub), "hub", { "silent-resource": message });
    return exactly(`eventhubs/${draft.nameOf(hub, "hub")}`);
  },
});

/** Only a construct that creates the hub shows its Capture settings, not one that looks it up. */
function isWithoutCapture(hub: EventHubPart): boolean {
  if (typeof hub === "string" || hub.terraformResourceType !== "azurerm_eventhub") return false;
  if (!("captureDescriptionInput" in hub)) return false;
  return !hub.captureDescriptionInput?.enabled;
}

/** Options of {@link iotHub}. */
export type IotHubOptions = EventSourceOptions<"iotHub"> &
  (
    | {
        /**
         * ID of the device that the events are about.
         *
         * @default any
         */
        readonly device?: string;
        readonly devicePrefix?: never;
      }
    | {
        readonly device?: never;
        /**
         * Beginning of the device IDs: `floor-1-`.
         *
         * @default any beginning
         */
        readonly devicePrefix: string;
      }
  );

/**
 * The events of an IoT hub.
 *
 * - `source` is the hub's resource ID in capitals: ignore its case in comparisons.
 * - The `data.body` of telemetry is JSON only if the device sends its message with the content type
 *   `application/json` and the content encoding `utf-8`. Otherwise it is base64 text, which advanced
 *   filters cannot match.
 * - IoT Hub checks the connection state at intervals, so that a short connection may raise only one
 *   event. `data.deviceConnectionStateEventInfo.sequenceNumber` gives the order.
 * - Device IDs are case-sensitive, as in the hub.
 *
 * @throws {ConfigurationError} for a resource of another type, and event types that a hub does not raise
 */
export const iotHub = sourceOf<SourceResource, IotHubOptions>({
  resource: "IoT hub",
  resourceType: "Microsoft.Devices/IotHubs",
  types: systemEventTypes.iotHub,
  options: ["device", "devicePrefix"],
  subject(options, draft) {
    const { device, devicePrefix } = options;
    draft.refuseBoth(options, "device", "devicePrefix");
    const caseSensitive = true;
    if (device !== undefined) {
      return { ...exactly(`devices/${draft.nameOf(device, "device")}`), caseSensitive };
    }
    if (devicePrefix === undefined) return undefined;
    return { beginsWith: `devices/${draft.nameOf(devicePrefix, "devicePrefix")}`, caseSensitive };
  },
});

/** A namespace of Service Bus, with the properties that decide whether it raises events. */
export type ServiceBusNamespaceSource = SourceResource<{ readonly skuInput?: string | undefined }>;

/** Options of {@link messageQueue}. */
export type MessageQueueOptions = EventSourceOptions<"messageQueue"> & MessageQueueEntity;

/** The queue, topic or topic's subscription that the events are about. */
export type MessageQueueEntity =
  | {
      /**
       * Queue that messages wait in.
       *
       * @default any queue, topic and subscription
       */
      readonly queue?: SourcePart;
      readonly topic?: never;
      readonly subscription?: never;
    }
  | {
      readonly queue?: never;
      /** Topic that messages were sent to. */
      readonly topic: SourcePart;
      /**
       * The topic's subscription that messages wait in.
       *
       * @default any subscription of the topic
       */
      readonly subscription?: SourcePart;
    };

/**
 * The events of a message queue (Service Bus): messages are waiting. They do not say how many.
 *
 * - Only a namespace of the Premium tier raises events.
 * - The events `…WithNoListeners` are raised only while there is no receiver: a service that keeps a
 *   receiver open never gets them. The `…PeriodicNotifications` are raised every 30 seconds as long
 *   as messages wait.
 * - Names that do not apply are `null`, such as `queueName` in the event of a topic's subscription.
 *
 * @throws {ConfigurationError} for a namespace that would never raise them, and contradictory names
 */
export const messageQueue = sourceOf<ServiceBusNamespaceSource, MessageQueueOptions>({
  resource: "namespace of Service Bus",
  resourceType: "Microsoft.ServiceBus/namespaces",
  types: systemEventTypes.messageQueue,
  options: ["queue", "topic", "subscription"],
  silence: ({ skuInput: sku }) =>
    sku === "Basic" || sku === "Standard"
      ? `must be of the "Premium" tier, because a namespace of the "${sku}" tier raises no events`
      : undefined,
  subject(options, draft) {
    const { queue, topic, subscription } = options;
    draft.refuseBoth(options, "queue", "topic");
    draft.refuseIf(subscription !== undefined && topic === undefined, "subscription", {
      "requires-topic": "needs a topic, because a subject names the topic before the subscription",
    });
    if (queue !== undefined) return exactly(`queues/${draft.nameOf(queue, "queue")}`);
    if (topic === undefined) return undefined;
    const subscriptions = `topics/${draft.nameOf(topic, "topic")}/subscriptions/`;
    if (subscription === undefined) return { beginsWith: subscriptions };
    return exactly(`${subscriptions}${draft.nameOf(subscription, "subscription")}`);
  },
});

/** A SignalR service, with the property that decides whether it raises events. */
export type SignalrServiceSource = SourceResource<{
  readonly serviceModeInput?: string | undefined;
}>;

/** Options of {@link realTimeMessaging}. */
export interface RealTimeMessagingOptions extends EventSourceOptions<"realTimeMessaging"> {
  /**
   * Hub that the clients are connected to.
   *
   * @default any
   */
  readonly hub?: string;
}

/**
 * The events of real-time messaging (SignalR Service): clients connect and disconnect.
 *
 * - They are raised only for clients that no hub server serves: in the service mode `Serverless`, or
 *   in `Classic` as long as no hub server is connected. The mode `Default`, which is also
 *   Terraform's default, raises none.
 * - Web PubSub is a resource of another type.
 *
 * @throws {ConfigurationError} for a service that would never raise them
 */
export const realTimeMessaging = sourceOf<SignalrServiceSource, RealTimeMessagingOptions>({
  resource: "SignalR service",
  resourceType: "Microsoft.SignalRService/SignalR",
  types: systemEventTypes.realTimeMessaging,
  options: ["hub"],
  // Only a construct that creates the service shows its mode, not one that looks it up.
  silence: (service) =>
    "serviceModeInput" in service && (service.serviceModeInput ?? "Default") === "Default"
      ? 'must not be in the service mode "Default", which raises no events: set serviceMode to "Serverless"'
      : undefined,
  subject: ({ hub }, draft) =>
    hub === undefined ? undefined : exactly(`/hub/${draft.nameOf(hub, "hub")}`),
});
