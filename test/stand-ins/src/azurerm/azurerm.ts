import type { Environment } from "../cloud/account.js";
import type { Polling } from "../cloud/polling.js";
import { genericResource, type Shelf } from "../generic/generic-resource.js";
import { oneOf } from "../provider/checks.js";
import type { Provider, ResourceType } from "../provider/provider.js";
import { readProviderSchema } from "../schema/schema.js";
import { standInNotice } from "../stand-in-notice.js";
import { configure, registrationSets } from "./configure.js";
import { dataSources, shelvedDataSource } from "./data-sources.js";
import { eventSubscription } from "./event-subscription/event-subscription.js";
import { atScope, onSystemTopic } from "./event-subscription/place.js";
import { type AzurermAccount, providerRegistration } from "./provider-registration.js";
import { resourceGroup } from "./resource-group.js";
import { roleAssignment } from "./role-assignment.js";
import { storage } from "./storage.js";
import { systemTopic } from "./system-topic.js";
import { topic } from "./topic.js";
import { userAssignedIdentity } from "./user-assigned-identity.js";

/** The release whose schema is served. */
const RELEASE = "4.55.0";

/** The resource types that the local Azure serves. */
const inTheCloud: Readonly<Record<string, ResourceType<AzurermAccount>>> = {
  azurerm_eventgrid_event_subscription: eventSubscription(atScope),
  azurerm_eventgrid_system_topic: systemTopic,
  azurerm_eventgrid_system_topic_event_subscription: eventSubscription(onSystemTopic),
  azurerm_eventgrid_topic: topic,
  azurerm_resource_group: resourceGroup,
  azurerm_resource_provider_registration: providerRegistration,
  azurerm_role_assignment: roleAssignment,
};

/** A stand-in for the provider `hashicorp/azurerm`. */
export function azurerm(environment: Environment, polling: Polling): Provider<AzurermAccount> {
  const schema = readProviderSchema("azurerm", RELEASE);
  const shelf: Shelf = new Map();
  const blockOf = (schemas: typeof schema.resource_schemas, type: string) =>
    schemas[type]?.block ?? {};
  return {
    source: "hashicorp/azurerm",
    schema,
    check: (config) =>
      oneOf(config, "resource_provider_registrations", Object.keys(registrationSets)),
    async configure(config, signal) {
      const account = await configure(config, environment, { ...polling, signal });
      return { account, notices: [standInNotice(`hashicorp/azurerm ${RELEASE}`, environment)] };
    },
    resource(type) {
      const generic = genericResource(type, blockOf(schema.resource_schemas, type), shelf);
      if (type === "azurerm_user_assigned_identity") return userAssignedIdentity(generic);
      if (/^azurerm_storage_(account|container)$/.test(type)) return storage(generic);
      return inTheCloud[type] ?? generic;
    },
    dataSource: (type) =>
      dataSources[type] ??
      shelvedDataSource(type, blockOf(schema.data_source_schemas, type), shelf),
  };
}
