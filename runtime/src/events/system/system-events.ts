import { type PayloadType, type } from "../catalogue.js";
import type { SystemEventType } from "./event-types.js";
import type { SystemEventPayloads } from "./payloads/index.js";

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
 */
export function systemEvents<Type extends SystemEventType>(
  ...types: Type[]
): { readonly [Name in Type]: SystemEvent<Name> };
export function systemEvents(...types: string[]): Record<string, PayloadType<unknown>> {
  return Object.fromEntries(types.map((name) => [name, type()]));
}
