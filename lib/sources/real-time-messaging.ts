import { systemEventTypes } from "cloud-eventgrid-binding-runtime/events";
import { unchecked } from "../validation/index.js";
import { exactly, SourceDraft } from "./draft.js";
import type { EventSource, EventSourceOptions, SourceResource } from "./event-source.js";

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
 * @throws {EventSourceError} for a service that would never raise them
 */
export function realTimeMessaging(
  service: SignalrServiceSource,
  options: RealTimeMessagingOptions = {},
): EventSource {
  const draft = new SourceDraft(kind, service);
  const { events, hub } = draft.validate(options, { events: unchecked, hub: unchecked });
  const types = draft.chosen(events) ?? kind.types;
  draft.refuseIf(
    isInDefaultMode(service),
    "resource",
    "silent-resource",
    'must not be in the service mode "Default", which raises no events: set serviceMode to "Serverless"',
  );
  if (hub === undefined) return draft.finish(types);
  return draft.finish(types, exactly(`/hub/${draft.nameOf(hub, "hub")}`));
}

const kind = {
  resource: "SignalR service",
  resourceType: "Microsoft.SignalRService/SignalR",
  types: systemEventTypes.realTimeMessaging,
};

/** Only a construct that creates the service shows its mode, not one that looks it up. */
function isInDefaultMode(service: SignalrServiceSource): boolean {
  if (typeof service === "string" || !("serviceModeInput" in service)) return false;
  return (service.serviceModeInput ?? "Default") === "Default";
}
