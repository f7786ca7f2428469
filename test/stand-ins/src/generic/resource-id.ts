import type { Account } from "../cloud/account.js";
import { type Attributes, text } from "../values/value.js";
import { uuidFrom } from "./plausible.js";

/** Resource types directly in a resource group, with their types in Resource Manager. */
const inResourceGroup: Readonly<Record<string, string>> = {
  azurerm_storage_account: "Microsoft.Storage/storageAccounts",
  azurerm_managed_redis: "Microsoft.Cache/redisEnterprise",
  azurerm_redis_cache: "Microsoft.Cache/redis",
  azurerm_eventhub_namespace: "Microsoft.EventHub/namespaces",
  azurerm_iothub: "Microsoft.Devices/iotHubs",
  azurerm_servicebus_namespace: "Microsoft.ServiceBus/namespaces",
  azurerm_signalr_service: "Microsoft.SignalRService/signalR",
  azurerm_container_app: "Microsoft.App/containerApps",
  azurerm_container_app_environment: "Microsoft.App/managedEnvironments",
  azurerm_user_assigned_identity: "Microsoft.ManagedIdentity/userAssignedIdentities",
  azurerm_key_vault: "Microsoft.KeyVault/vaults",
  azurerm_private_endpoint: "Microsoft.Network/privateEndpoints",
  azurerm_linux_web_app: "Microsoft.Web/sites",
  azurerm_service_plan: "Microsoft.Web/serverFarms",
};

/**
 * Resource types inside another resource: the attribute with the parent's ID, and the path below
 * it.
 */
const inResource: Readonly<Record<string, readonly [parent: string, path: string]>> = {
  azurerm_storage_container: ["storage_account_id", "blobServices/default/containers"],
  azurerm_eventhub: ["namespace_id", "eventhubs"],
  azurerm_servicebus_queue: ["namespace_id", "queues"],
  azurerm_servicebus_topic: ["namespace_id", "topics"],
  azurerm_servicebus_subscription: ["topic_id", "subscriptions"],
  azurerm_key_vault_secret: ["key_vault_id", "secrets"],
};

/**
 * The ID that the resource would have in Azure, or an invented one for a type that is not listed
 * above.
 */
export function resourceId(type: string, attributes: Attributes, account: Account): string {
  const name = text(attributes, "name");
  const subscription = `/subscriptions/${account.subscriptionId}`;
  const group = `${subscription}/resourceGroups/${text(attributes, "resource_group_name")}`;
  const place = inResourceGroup[type];
  if (place !== undefined) return `${group}/providers/${place}/${name}`;
  const [parent, path] = inResource[type] ?? ["", ""];
  if (text(attributes, parent) !== "") return `${text(attributes, parent)}/${path}/${name}`;
  return `${subscription}/providers/StandIn/${type}/${uuidFrom(JSON.stringify(attributes))}`;
}

/** The attributes that identify a resource of the type. Changing one replaces the resource. */
export function identifying(type: string): string[] {
  const parent = inResource[type]?.[0];
  const place = parent === undefined ? ["resource_group_name", "location"] : [parent];
  return ["name", ...place];
}
