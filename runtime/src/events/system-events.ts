import { ConfigurationError, problem } from "../errors.js";
import { nearName, showValue } from "../validation/index.js";
import { type PayloadType, type } from "./catalogue.js";
import { type SystemEventPayloads, type SystemEventType, systemEventTypes } from "./event-types.js";

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
 * @throws {ConfigurationError} for a name that is not among `systemEventTypes`
 */
export function systemEvents<Type extends SystemEventType>(
  ...types: Type[]
): { readonly [Name in Type]: SystemEvent<Name> };
export function systemEvents(...types: string[]): Record<string, PayloadType<unknown>> {
  const known: readonly string[] = Object.values(systemEventTypes).flat();
  const problems = types
    .filter((name) => !known.includes(name))
    .map((name) => {
      const near = nearName(name, known);
      const advice =
        near === undefined ? "define a new one with type<…>()" : `did you mean ${near}?`;
      return problem(showValue(name), {
        "event-type": `is no known event type of Azure: ${advice}`,
      });
    });
  if (problems.length > 0) throw new ConfigurationError("The system events are invalid", problems);
  return Object.fromEntries(types.map((name) => [name, type()]));
}

/**
 * The types that a subscription and a resource group raise.
 *
 * @see https://learn.microsoft.com/azure/event-grid/event-schema-subscriptions#available-event-types
 */
export const resourceManagerEventTypes: readonly string[] = systemEventTypes.resourceManager;

const PLAN_UPDATED = "Microsoft.Web.AppServicePlanUpdated";

/**
 * All types of the events that a resource raises, by its type. Those of a topic or a domain are its
 * publishers'.
 */
export const eventTypesByResourceType: Readonly<Record<string, readonly string[]>> = {
  "microsoft.eventgrid/topics": [],
  "microsoft.eventgrid/domains": [],
  "microsoft.apicenter/services": systemEventTypes.apiCenter,
  "microsoft.apimanagement/service": systemEventTypes.apiManagement,
  "microsoft.appconfiguration/configurationstores": systemEventTypes.appConfiguration,
  "microsoft.avs/privateclouds": systemEventTypes.vmware,
  "microsoft.cache/redis": systemEventTypes.cache,
  "microsoft.communication/communicationservices": systemEventTypes.communication,
  "microsoft.containerregistry/registries": systemEventTypes.containerRegistry,
  "microsoft.containerservice/managedclusters": systemEventTypes.containerService,
  "microsoft.databox/jobs": systemEventTypes.dataBox,
  "microsoft.devices/iothubs": systemEventTypes.iotHub,
  "microsoft.eventgrid/namespaces": systemEventTypes.eventGrid.filter((type) =>
    type.startsWith("Microsoft.EventGrid.MQTT"),
  ),
  "microsoft.eventhub/namespaces": systemEventTypes.eventStreaming,
  "microsoft.healthcareapis/workspaces": systemEventTypes.healthcare,
  "microsoft.keyvault/vaults": systemEventTypes.keyVault,
  "microsoft.machinelearningservices/workspaces": systemEventTypes.machineLearning,
  "microsoft.maps/accounts": systemEventTypes.maps,
  "microsoft.servicebus/namespaces": systemEventTypes.messageQueue,
  "microsoft.signalrservice/signalr": systemEventTypes.realTimeMessaging,
  "microsoft.storage/storageaccounts": systemEventTypes.objectStorage,
  "microsoft.web/serverfarms": [PLAN_UPDATED],
  "microsoft.web/sites": systemEventTypes.appService.filter((type) => type !== PLAN_UPDATED),
};
