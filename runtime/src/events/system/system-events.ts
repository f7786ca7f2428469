import { EventCatalogueError, type PayloadType, type } from "../catalogue.js";
import { type SystemEventPayloads, type SystemEventType, systemEventTypes } from "./families.js";

const known: ReadonlySet<string> = new Set(Object.values(systemEventTypes).flat());

/**
 * Takes events that Azure raises by itself into a catalogue, with their payloads' types.
 *
 * Payloads are typed as the JSON on the wire has them: times are strings.
 *
 * @example
 * ```ts
 * const uploads = defineEvents({
 *   "shop.order.placed": type<Order>(),
 *   ...systemEvents("Microsoft.Storage.BlobCreated", "Microsoft.Storage.BlobDeleted"),
 * });
 * const everythingOfTheCache = defineEvents(systemEvents(...systemEventTypes.cache));
 * ```
 *
 * @throws {EventCatalogueError} for a type that none of the six families raises
 */
export function systemEvents<Type extends SystemEventType>(
  ...types: Type[]
): { readonly [Name in Type]: PayloadType<SystemEventPayloads[Name]> };
export function systemEvents(...types: string[]): Record<string, PayloadType<unknown>> {
  const problems = types.filter((name) => !known.has(name)).map(unknownType);
  if (problems.length > 0) throw new EventCatalogueError(problems);
  return Object.fromEntries(types.map((name) => [name, type()]));
}

function unknownType(name: string): string {
  const meant = [...known].find((candidate) => candidate.toLowerCase() === name.toLowerCase());
  const hint = meant
    ? `did you mean "${meant}"?`
    : "a type of another source goes into defineEvents by itself, with type<…>()";
  return `"${name}" is no event type of the six families: ${hint}`;
}
