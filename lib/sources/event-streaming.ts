import {
  type EventStreamingEvents,
  systemEventTypes,
} from "cloud-eventgrid-binding-runtime/events";
import { type All, isObject } from "../validation/index.js";
import type {
  EventSource,
  EventSourceOptions,
  SourcePart,
  SourceResource,
} from "./event-source.js";
import { exactly, SourceDraft } from "./source-draft.js";

/** A namespace of Event Hubs, with what decides whether it raises events. */
export type EventHubsNamespaceSource = SourceResource<{ readonly skuInput?: string | undefined }>;

/** An event hub, with what decides whether it raises events. */
export type EventHubPart = SourcePart<{
  readonly captureDescriptionInput?: { readonly enabled?: unknown } | undefined;
  readonly terraformResourceType?: string;
}>;

/** What of a namespace's events is received. */
export interface EventStreamingOptions extends EventSourceOptions<keyof EventStreamingEvents> {
  /**
   * Event hub whose files are told of.
   *
   * @default every hub of the namespace
   */
  readonly hub?: EventHubPart;
}

/**
 * The events of event streaming (Event Hubs), for its binding and pub/sub: Capture has written a
 * file. Single messages are not told of.
 *
 * - The scope is the namespace, never a hub within it.
 * - Nothing comes unless Capture is enabled on the hub, for which the namespace must not be of the
 *   Basic tier.
 * - With `skipEmptyArchives` off, files without events are told of, too: `data.eventCount` is 0.
 *
 * @throws {EventSourceError} for a namespace or hub that would never raise them
 */
export function eventStreaming(
  namespace: EventHubsNamespaceSource,
  options: EventStreamingOptions = {},
): EventSource {
  const draft = new SourceDraft(kind, namespace, options);
  const types = draft.chosen(options.events) ?? kind.types;
  draft.refuseIf(
    typeof namespace !== "string" && namespace.skuInput === "Basic",
    'a namespace of the "Basic" tier has no Capture, and raises no events: it takes "Standard" or above',
  );
  const { hub } = options;
  if (hub === undefined) return draft.finish(types);
  draft.refuseIf(
    isWithoutCapture(hub),
    "the hub has no captureDescription that is enabled: it would never raise an event",
  );
  return draft.finish(types, exactly(`eventhubs/${draft.nameOf(hub, "hub")}`));
}

const kind = {
  resource: "namespace of Event Hubs",
  resourceType: "Microsoft.EventHub/namespaces",
  terraformType: "azurerm_eventhub_namespace",
  types: systemEventTypes.eventStreaming,
  options: { events: true, hub: true } satisfies All<EventStreamingOptions>,
};

/** Whether the construct that makes a hub says so; one that looks it up cannot tell. */
function isWithoutCapture(hub: EventHubPart): boolean {
  if (!isObject(hub) || hub.terraformResourceType !== "azurerm_eventhub") return false;
  if (!("captureDescriptionInput" in hub)) return false;
  return !hub.captureDescriptionInput?.enabled;
}
