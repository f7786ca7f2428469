import { nearName, type Problem, problem } from "../../validation/index.js";
import { EventCatalogueError, type PayloadType, type } from "../catalogue.js";
import { type SystemEventType, systemEventTypes } from "./event-types.js";
import type { SystemEventPayloads } from "./payloads/index.js";

const known: ReadonlySet<string> = new Set(Object.values(systemEventTypes).flat());

/**
 * The definition of an event that an Azure service raises. An interface, so that the declaration of a
 * catalogue names the event type instead of the types of its payload, which no entry point exports.
 */
export interface SystemEvent<Name extends SystemEventType>
  extends PayloadType<SystemEventPayloads[Name]> {}

/**
 * Defines events that Azure services raise, with the types of their payloads, for a catalogue.
 *
 * Payloads are typed like the JSON on the wire: times are strings.
 *
 * @example
 * ```ts
 * const uploads = defineEvents({
 *   "shop.order.placed": type<Order>(),
 *   ...systemEvents("Microsoft.Storage.BlobCreated", "Microsoft.Storage.BlobDeleted"),
 * });
 * const everythingOfTheVault = defineEvents(systemEvents(...systemEventTypes.keyVault));
 * ```
 *
 * @throws {EventCatalogueError} for a type that is not in `systemEventTypes`
 */
export function systemEvents<Type extends SystemEventType>(
  ...types: Type[]
): { readonly [Name in Type]: SystemEvent<Name> };
export function systemEvents(...types: string[]): Record<string, PayloadType<unknown>> {
  const problems = types.filter((name) => !known.has(name)).map(unknownType);
  if (problems.length > 0) throw new EventCatalogueError(problems);
  return Object.fromEntries(types.map((name) => [name, type()]));
}

function unknownType(name: string): Problem {
  const meant = nearName(name, [...known]);
  const hint =
    meant === undefined
      ? "define a type that is missing here with type<…>()"
      : `did you mean ${JSON.stringify(meant)}?`;
  const message = `is not a known event type of an Azure service: ${hint}`;
  return problem(JSON.stringify(name), "unknown", message);
}
