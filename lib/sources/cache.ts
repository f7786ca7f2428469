import { systemEventTypes } from "cloud-eventgrid-binding-runtime/events";
import { unchecked } from "../validation/index.js";
import { SourceDraft } from "./draft.js";
import type { EventSource, EventSourceOptions, SourceResource } from "./event-source.js";

/** Options of {@link cache}. */
export type CacheOptions = EventSourceOptions<"cache">;

/**
 * The events of a cache (Azure Cache for Redis): patching, scaling, import or export has ended. There
 * are no events about single keys or messages.
 *
 * - Check `data.status`: the events also report failed operations.
 * - Redis Enterprise and Azure Managed Redis are resources of other types, and raise none of these.
 *
 * @throws {EventSourceError} for a resource of another type, and event types that a cache does not raise
 */
export function cache(resource: SourceResource, options: CacheOptions = {}): EventSource {
  const draft = new SourceDraft(kind, resource);
  const { events } = draft.validate(options, { events: unchecked });
  return draft.finish(draft.chosen(events) ?? kind.types);
}

const kind = {
  resource: "cache",
  resourceType: "Microsoft.Cache/Redis",
  types: systemEventTypes.cache,
};
