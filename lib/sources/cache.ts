import { type CacheEvents, systemEventTypes } from "cloud-eventgrid-binding-runtime/events";
import type { All } from "../validation/index.js";
import type { EventSource, EventSourceOptions, SourceResource } from "./event-source.js";
import { SourceDraft } from "./source-draft.js";

/** What of a cache's events is received. */
export type CacheOptions = EventSourceOptions<keyof CacheEvents>;

/**
 * The events of a cache (Azure Cache for Redis) that a binding or pub/sub works upon: patching,
 * scaling, import and export have ended. Nothing tells of single keys or messages.
 *
 * - Look at `data.status`: an operation that failed has ended, too.
 * - Redis Enterprise and Azure Managed Redis are resources of other types, and raise none of these.
 *
 * @throws {EventSourceError} for a resource of another type, and types that a cache does not raise
 */
export function cache(resource: SourceResource, options: CacheOptions = {}): EventSource {
  const draft = new SourceDraft(kind, resource, options);
  return draft.finish(draft.chosen(options.events) ?? kind.types);
}

const kind = {
  resource: "cache",
  resourceType: "Microsoft.Cache/Redis",
  terraformType: "azurerm_redis_cache",
  types: systemEventTypes.cache,
  options: { events: true } satisfies All<CacheOptions>,
};
