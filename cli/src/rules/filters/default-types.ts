import { resourceManagerEventTypes } from "cloud-eventgrid-binding-runtime/events";
import { sameId, subscriptionOf, trimmedId } from "../../resource-id.js";
import { UNKNOWN } from "../values.js";
import { includedTypes } from "./event-filter.js";

/**
 * What Azure delivers of a source when an event subscription names no types: everything (an empty list),
 * or a choice. {@link UNKNOWN} where nobody has written down which.
 *
 * @param source resource ID of the source, or a topic type such as `Microsoft.Storage.StorageAccounts`
 */
function defaultTypes(source: string): readonly string[] | typeof UNKNOWN {
  if (/\/Microsoft\.EventGrid\/(topics|domains|namespaces|partner\w*)\//i.test(source)) return [];
  // As recorded of the real service: of 14 types, two.
  if (/Microsoft\.Storage[./]StorageAccounts/i.test(source)) {
    return ["Microsoft.Storage.BlobCreated", "Microsoft.Storage.BlobDeleted"];
  }
  return sameId(subscriptionOf(source), trimmedId(source)) ? resourceManagerEventTypes : UNKNOWN;
}

/** A filter with the types that Azure chooses, if it names none. */
export function withDefaultTypes(
  filter: Readonly<Record<string, unknown>>,
  source: unknown,
): Readonly<Record<string, unknown>> {
  const { includedEventTypes: given } = filter;
  if ([given].flat().includes(UNKNOWN)) return filter;
  const isEvery = /"all"/i.test(JSON.stringify([given]));
  if (isEvery || includedTypes(filter).length > 0) return filter;
  const types = typeof source === "string" ? defaultTypes(source) : UNKNOWN;
  return { ...filter, includedEventTypes: types };
}
