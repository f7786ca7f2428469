import { systemEventTypes } from "cloud-eventgrid-binding-runtime/events";
import { unchecked } from "../validation/index.js";
import { exactly, SourceDraft } from "./draft.js";
import type {
  EventSource,
  EventSourceOptions,
  SourcePart,
  SourceResource,
} from "./event-source.js";

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
 * @throws {EventSourceError} for a namespace or hub that would never raise them
 */
export function eventStreaming(
  namespace: EventHubsNamespaceSource,
  options: EventStreamingOptions = {},
): EventSource {
  const draft = new SourceDraft(kind, namespace);
  const { events, hub } = draft.validate(options, { events: unchecked, hub: unchecked });
  const types = draft.chosen(events) ?? kind.types;
  draft.refuseIf(
    typeof namespace !== "string" && namespace.skuInput === "Basic",
    "resource",
    "silent-resource",
    'must not be of the "Basic" tier, which has no Capture and raises no events',
  );
  if (hub === undefined) return draft.finish(types);
  draft.refuseIf(
    isWithoutCapture(hub),
    "hub",
    "silent-resource",
    "must have a captureDescription that is enabled: otherwise it raises no events",
  );
  return draft.finish(types, exactly(`eventhubs/${draft.nameOf(hub, "hub")}`));
}

const kind = {
  resource: "namespace of Event Hubs",
  resourceType: "Microsoft.EventHub/namespaces",
  types: systemEventTypes.eventStreaming,
};

/** Only a construct that creates the hub shows its Capture settings, not one that looks it up. */
function isWithoutCapture(hub: EventHubPart): boolean {
  if (typeof hub === "string" || hub.terraformResourceType !== "azurerm_eventhub") return false;
  if (!("captureDescriptionInput" in hub)) return false;
  return !hub.captureDescriptionInput?.enabled;
}
