import { Token } from "cdktf";
import { parseScope, type Scope } from "cloud-eventgrid-binding-runtime/binding";
import { systemEventTypes } from "cloud-eventgrid-binding-runtime/events";
import type { IConstruct } from "constructs";
import { functionArgument, identityOf } from "../terraform/index.js";

/**
 * The event types to write for a scope when the props ask for all types.
 *
 * The provider never changes `included_event_types` that are left out, so that types which were
 * removed from the props would stay in Azure. For topics, an empty list means all types. For the
 * resources of Azure, the service replaces an empty list by its default types, which would be a
 * difference at every plan: their types are named instead.
 *
 * @returns undefined for resources whose types are not known here
 */
export function allEventTypes(construct: IConstruct, scope: string): string[] | undefined {
  if (!Token.isUnresolved(scope)) return typesOf(parseScope(scope));
  const reference = /^\/\$\{trim\((?:data\.)?(azurerm_\w+)\.[\w-]+\.id, "\/"\)\}$/;
  const type = reference.exec(identityOf(construct, scope))?.[1] ?? "";
  const known = typesByTerraformType[type];
  if (known !== undefined) return [...known];
  const id = functionArgument(scope);
  const isTopic = `can(regex("/providers/microsoft[.]eventgrid/(topics|domains)/", lower(${id})))`;
  return Token.asList(`\${${isTopic} ? tolist([]) : null}`);
}

function typesOf(scope: Scope): string[] | undefined {
  switch (scope.kind) {
    case "topic":
      return [];
    case "subscription":
    case "resourceGroup":
      return [...resourceManagerEventTypes];
    case "resource": {
      const type = `${scope.resourceProviderNamespace}/${scope.resourceType}`.toLowerCase();
      const known = typesByResourceType[type];
      return known && [...known];
    }
  }
}

/** @see https://learn.microsoft.com/azure/event-grid/event-schema-subscriptions#available-event-types */
const resourceManagerEventTypes = ["Write", "Delete", "Action"].flatMap((operation) =>
  ["Success", "Failure", "Cancel"].map(
    (outcome) => `Microsoft.Resources.Resource${operation}${outcome}`,
  ),
);

const typesByResourceType: Readonly<Record<string, readonly string[]>> = {
  "microsoft.eventgrid/domains": [],
  "microsoft.cache/redis": systemEventTypes.cache,
  "microsoft.devices/iothubs": systemEventTypes.iotHub,
  "microsoft.eventhub/namespaces": systemEventTypes.eventStreaming,
  "microsoft.servicebus/namespaces": systemEventTypes.messageQueue,
  "microsoft.signalrservice/signalr": systemEventTypes.realTimeMessaging,
  "microsoft.storage/storageaccounts": systemEventTypes.objectStorage,
};

const typesByTerraformType: Readonly<Record<string, readonly string[]>> = {
  azurerm_eventgrid_domain: [],
  azurerm_eventgrid_topic: [],
  azurerm_eventhub_namespace: systemEventTypes.eventStreaming,
  azurerm_iothub: systemEventTypes.iotHub,
  azurerm_redis_cache: systemEventTypes.cache,
  azurerm_resource_group: resourceManagerEventTypes,
  azurerm_servicebus_namespace: systemEventTypes.messageQueue,
  azurerm_signalr_service: systemEventTypes.realTimeMessaging,
  azurerm_storage_account: systemEventTypes.objectStorage,
  azurerm_subscription: resourceManagerEventTypes,
};
