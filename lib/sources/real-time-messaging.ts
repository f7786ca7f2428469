import {
  type RealTimeMessagingEvents,
  systemEventTypes,
} from "cloud-eventgrid-binding-runtime/events";
import type { All } from "../validation/index.js";
import type { EventSource, EventSourceOptions, SourceResource } from "./event-source.js";
import { exactly, SourceDraft } from "./source-draft.js";

/** A SignalR service, with what decides whether it raises events. */
export type SignalrServiceSource = SourceResource<{
  readonly serviceModeInput?: string | undefined;
}>;

/** What of a SignalR service's events is received. */
export interface RealTimeMessagingOptions
  extends EventSourceOptions<keyof RealTimeMessagingEvents> {
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
 * - They come only for clients that no hub server serves: in the service mode `Serverless`, or in
 *   `Classic` as long as no hub server is connected. The mode `Default`, which Terraform sets unless
 *   told otherwise, raises none.
 * - Web PubSub is a resource of another type.
 *
 * @throws {EventSourceError} for a service that would never raise them
 */
export function realTimeMessaging(
  service: SignalrServiceSource,
  options: RealTimeMessagingOptions = {},
): EventSource {
  const draft = new SourceDraft(kind, service, options);
  const types = draft.chosen(options.events) ?? kind.types;
  draft.refuseIf(
    isInDefaultMode(service),
    'a service in the mode "Default" raises no events: set serviceMode to "Serverless"',
  );
  const { hub } = options;
  if (hub === undefined) return draft.finish(types);
  return draft.finish(types, exactly(`/hub/${draft.nameOf(hub, "hub")}`));
}

const kind = {
  resource: "SignalR service",
  resourceType: "Microsoft.SignalRService/SignalR",
  terraformType: "azurerm_signalr_service",
  types: systemEventTypes.realTimeMessaging,
  options: { events: true, hub: true } satisfies All<RealTimeMessagingOptions>,
};

/** Whether the construct that makes the service says so; one that looks it up cannot tell. */
function isInDefaultMode(service: SignalrServiceSource): boolean {
  if (typeof service === "string" || !("serviceModeInput" in service)) return false;
  return (service.serviceModeInput ?? "Default") === "Default";
}
