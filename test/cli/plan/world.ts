import { explainPlan, readPlan } from "../../../cli/src/plan/index.js";

/**
 * A deployment in which a delivery depends on each kind of resource: a topic that is reached through a
 * private endpoint, with a webhook in a container app and one in a web app, a queue, a Service Bus queue
 * and an event hub, dead letters, identities and applications.
 */
const GROUP = "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop";
const id = (type: string, name: string) => `${GROUP}/providers/${type}/${name}`;
export const TOPIC = id("Microsoft.EventGrid/topics", "shop");
export const NAMESPACE = id("Microsoft.EventGrid/namespaces", "shop");
export const ACCOUNT = id("Microsoft.Storage/storageAccounts", "letters");
const PLAIN = id("Microsoft.Storage/storageAccounts", "plain");
const FILES = id("Microsoft.Storage/storageAccounts", "files");
const KEPT = id("Microsoft.Storage/storageAccounts", "kept");
const BUS = id("Microsoft.ServiceBus/namespaces", "bus");
const QUEUES = id("Microsoft.ServiceBus/namespaces", "queues");
const LIVE = id("Microsoft.SignalRService/SignalR", "live");
const FILES_TOPIC = id("Microsoft.EventGrid/systemTopics", "files");
const HUBS = id("Microsoft.EventHub/namespaces", "hubs");
const SENDER = id("Microsoft.ManagedIdentity/userAssignedIdentities", "sender");
const ENVIRONMENT = id("Microsoft.App/managedEnvironments", "shop");
const ZONE = id("Microsoft.Network/privateDnsZones", "privatelink.eventgrid.azure.net");
const PRINCIPAL = "55555555-5555-4555-8555-555555555555";
export const SYSTEM = "66666666-6666-4666-8666-666666666666";
const CLIENT = "44444444-4444-4444-8444-444444444444";
export const EVENT_GRID = "77777777-7777-4777-8777-777777777777";
const APPLICATION = "/applications/88888888-8888-4888-8888-888888888888";
const SERVICE = "99999999-9999-4999-8999-999999999999";

export type Attributes = Readonly<Record<string, unknown>>;

const withSender = [{ type: "UserAssigned", user_assigned_identity: SENDER }];
const withSystem = [{ type: "SystemAssigned" }];
const deadLetters = (account: string) => [
  { storage_account_id: account, storage_blob_container_name: "dead" },
];
const subscription = (name: string, settings: Attributes) => ({
  id: `${TOPIC}/providers/Microsoft.EventGrid/eventSubscriptions/${name}`,
  name,
  scope: TOPIC,
  event_delivery_schema: "CloudEventSchemaV1_0",
  included_event_types: ["shop.order.placed"],
  ...settings,
});
const webhook = (url: string, application?: string) => [
  { url, ...(application && { active_directory_app_id_or_uri: application }) },
];
const role = (name: string, scope: string, principal: string) => ({
  id: `${scope}/providers/Microsoft.Authorization/roleAssignments/${name}`,
  scope,
  role_definition_name: name,
  principal_id: principal,
});

export const world: Readonly<Record<string, Attributes>> = {
  "azurerm_resource_group.shop": { id: GROUP, name: "shop" },
  "azurerm_eventgrid_topic.shop": {
    id: TOPIC,
    name: "shop",
    input_schema: "CloudEventSchemaV1_0",
    local_auth_enabled: true,
    public_network_access_enabled: false,
    inbound_ip_rule: [],
    identity: [
      { type: "SystemAssigned, UserAssigned", identity_ids: [SENDER], principal_id: SYSTEM },
    ],
  },
  "azurerm_eventgrid_namespace.shop": {
    id: NAMESPACE,
    name: "shop",
    capacity: 2,
    public_network_access: "Enabled",
    inbound_ip_rule: [{ ip_mask: "20.0.0.0/8", action: "Allow" }],
  },
  "azurerm_eventgrid_namespace_topic.orders": {
    id: `${NAMESPACE}/topics/orders`,
    name: "orders",
    event_retention_in_days: 3,
  },
  "azurerm_eventgrid_event_subscription.app": subscription("app", {
    webhook_endpoint: webhook("https://app.shop.example.io/events?code=1", "api://orders"),
    dead_letter_identity: withSystem,
    storage_blob_dead_letter_destination: deadLetters(ACCOUNT),
  }),
  "azurerm_eventgrid_event_subscription.web": subscription("web", {
    webhook_endpoint: webhook("https://web.example.net/events", CLIENT),
    storage_blob_dead_letter_destination: deadLetters(PLAIN),
  }),
  "azurerm_eventgrid_event_subscription.queue": subscription("queue", {
    delivery_identity: withSystem,
    storage_queue_endpoint: [{ storage_account_id: ACCOUNT, queue_name: "orders" }],
  }),
  "azurerm_eventgrid_event_subscription.bus": subscription("bus", {
    delivery_identity: withSystem,
    service_bus_queue_endpoint_id: `${BUS}/queues/orders`,
  }),
  "azurerm_eventgrid_event_subscription.hub": subscription("hub", {
    eventhub_id: `${HUBS}/eventhubs/orders`,
    dead_letter_identity: withSender,
    storage_blob_dead_letter_destination: deadLetters(KEPT),
  }),
  ...Object.fromEntries(
    [FILES_TOPIC, QUEUES, LIVE].map((scope) => {
      const name = `of-${scope.split("/").at(-1)}`;
      const settings = {
        scope,
        included_event_types: [],
        webhook_endpoint: webhook("https://of.example.org"),
      };
      return [`azurerm_eventgrid_event_subscription.${name}`, subscription(name, settings)];
    }),
  ),
  "azurerm_servicebus_namespace.queues": { id: QUEUES, sku: "Premium" },
  "azurerm_signalr_service.live": { id: LIVE, service_mode: "Serverless" },
  "azurerm_storage_account.files": {
    id: FILES,
    account_kind: "StorageV2",
    shared_access_key_enabled: true,
    network_rules: [{ default_action: "Allow" }],
  },
  "azurerm_storage_container.files": {
    id: `${FILES}/blobServices/default/containers/in`,
    name: "in",
  },
  "azurerm_eventgrid_system_topic.files": {
    id: FILES_TOPIC,
    source_resource_id: FILES,
    topic_type: "Microsoft.Storage.StorageAccounts",
  },
  "azurerm_storage_account.letters": {
    id: ACCOUNT,
    account_kind: "StorageV2",
    min_tls_version: "TLS1_2",
    shared_access_key_enabled: true,
    public_network_access_enabled: true,
    primary_access_key: "before",
  },
  "azurerm_storage_account.kept": { id: KEPT, network_rules: [{ default_action: "Allow" }] },
  "azurerm_storage_account.plain": {
    id: PLAIN,
    shared_access_key_enabled: true,
    public_network_access_enabled: true,
    network_rules: [],
  },
  "azurerm_storage_account_network_rules.letters": {
    id: ACCOUNT,
    storage_account_id: ACCOUNT,
    default_action: "Deny",
    bypass: ["AzureServices"],
    ip_rules: [],
  },
  "azurerm_storage_container.dead": {
    id: `${ACCOUNT}/blobServices/default/containers/dead`,
    name: "dead",
    metadata: {},
  },
  "azurerm_storage_queue.other": {
    id: `${ACCOUNT}/queueServices/default/queues/other`,
    metadata: {},
  },
  "azurerm_servicebus_namespace.bus": {
    id: BUS,
    sku: "Premium",
    local_auth_enabled: true,
    public_network_access_enabled: true,
    network_rule_set: [{ default_action: "Allow", trusted_services_allowed: true }],
  },
  "azurerm_servicebus_namespace_network_rule_set.bus": {
    id: `${BUS}/networkRuleSets/default`,
    namespace_id: BUS,
    default_action: "Deny",
    trusted_services_allowed: true,
  },
  "azurerm_servicebus_queue.orders": {
    id: `${BUS}/queues/orders`,
    status: "Active",
    default_message_ttl: "P14D",
    dead_lettering_on_message_expiration: true,
    max_size_in_megabytes: 2048,
    lock_duration: "PT1M",
    max_delivery_count: 10,
  },
  "azurerm_servicebus_queue.other": { id: `${BUS}/queues/other`, status: "Active" },
  "azurerm_eventhub_namespace.hubs": {
    id: HUBS,
    sku: "Standard",
    capacity: 2,
    local_authentication_enabled: true,
    public_network_access_enabled: true,
    network_rulesets: [{ default_action: "Allow", trusted_service_access_enabled: false }],
  },
  "azurerm_eventhub.orders": {
    id: `${HUBS}/eventhubs/orders`,
    status: "Active",
    partition_count: 2,
    retention_description: [{ cleanup_policy: "Delete", retention_time_in_hours: 168 }],
  },
  "azurerm_user_assigned_identity.sender": { id: SENDER, principal_id: PRINCIPAL, tags: {} },
  "azurerm_role_assignment.queue": role("Storage Queue Data Message Sender", ACCOUNT, SYSTEM),
  "azurerm_role_assignment.dead": role("Storage Blob Data Contributor", ACCOUNT, SYSTEM),
  "azurerm_role_assignment.bus": role(
    "Azure Service Bus Data Sender",
    `${BUS}/queues/orders`,
    SYSTEM,
  ),
  "azurerm_role_assignment.publisher": role("EventGrid Data Sender", TOPIC, EVENT_GRID),
  "azurerm_role_assignment.reader": role("Reader", TOPIC, EVENT_GRID),
  "azurerm_role_assignment.consumer": role("EventGrid Data Receiver", NAMESPACE, EVENT_GRID),
  "azuread_application.orders": {
    id: APPLICATION,
    client_id: CLIENT,
    identifier_uris: ["api://orders", "api://other"],
    app_role: [
      { value: "AzureEventGridSecureWebhookSubscriber", enabled: true, id: "1" },
      { value: "reader", enabled: true, id: "2" },
    ],
  },
  "azuread_application_app_role.subscriber": {
    id: `${APPLICATION}/appRoles/1`,
    application_id: APPLICATION,
    role_id: "1",
    value: "AzureEventGridSecureWebhookSubscriber",
  },
  "azuread_application_app_role.reader": {
    id: `${APPLICATION}/appRoles/2`,
    application_id: APPLICATION,
    role_id: "2",
    value: "reader",
  },
  "azuread_application_identifier_uri.orders": {
    id: `${APPLICATION}/identifierUris/orders`,
    application_id: APPLICATION,
    identifier_uri: "api://orders",
  },
  "azuread_application_identifier_uri.other": {
    id: `${APPLICATION}/identifierUris/other`,
    application_id: APPLICATION,
    identifier_uri: "api://other",
  },
  "azuread_service_principal.orders": {
    id: `/servicePrincipals/${SERVICE}`,
    object_id: SERVICE,
    client_id: CLIENT,
    account_enabled: true,
    app_role_assignment_required: false,
  },
  "azuread_app_role_assignment.event_grid": {
    id: `/servicePrincipals/${SERVICE}/appRoleAssignedTo/1`,
    app_role_id: "1",
    principal_object_id: EVENT_GRID,
    principal_display_name: "Microsoft.EventGrid",
    resource_object_id: SERVICE,
    resource_display_name: "orders",
  },
  "azurerm_container_app.app": {
    id: id("Microsoft.App/containerApps", "app"),
    container_app_environment_id: ENVIRONMENT,
    identity: [{ type: "SystemAssigned", identity_ids: [] }],
    ingress: [{ external_enabled: true, target_port: 9000, fqdn: "app.shop.example.io" }],
    template: [{ container: [{ image: "shop:1" }] }],
  },
  "azurerm_container_app_environment.shop": { id: ENVIRONMENT, public_network_access: "Enabled" },
  "azurerm_linux_web_app.web": {
    id: id("Microsoft.Web/sites", "web"),
    default_hostname: "web.example.net",
    enabled: true,
    public_network_access_enabled: true,
    client_certificate_enabled: false,
    client_certificate_mode: "Required",
    identity: [{ type: "SystemAssigned" }],
    site_config: [{ always_on: false, ip_restriction: [] }],
    app_settings: { A: "1" },
  },
  "azurerm_dns_a_record.web": {
    id: id("Microsoft.Network/dnsZones", "example.net/A/web"),
    fqdn: "web.example.net.",
    records: ["20.9.2.3", "20.9.2.4"],
  },
  "azurerm_private_endpoint.topic": {
    id: id("Microsoft.Network/privateEndpoints", "topic"),
    private_service_connection: [{ private_connection_resource_id: TOPIC }],
    private_dns_zone_group: [{ private_dns_zone_ids: [ZONE] }],
  },
  "azurerm_private_dns_zone.topic": { id: ZONE, tags: {} },
  "azurerm_private_dns_zone_virtual_network_link.topic": {
    id: `${ZONE}/virtualNetworkLinks/topic`,
    registration_enabled: false,
  },
  "azurerm_private_dns_a_record.topic": { id: `${ZONE}/A/topic`, records: ["10.0.0.4"], ttl: 300 },
};

/** What a plan does to one resource: new values of attributes, its destruction, or its creation. */
export type Change = Attributes | "destroyed" | "replaced";

/** A plan of that world with some changes; a resource that is not in the world is created. */
export function planOf(changes: Readonly<Record<string, Change>>, configuration?: object): string {
  const addresses = new Set([...Object.keys(world), ...Object.keys(changes)]);
  return JSON.stringify({
    format_version: "1.2",
    configuration,
    resource_changes: [...addresses].map((address) => {
      const before = world[address] ?? null;
      const change = changes[address];
      const [type, name] = address.split(".");
      const after =
        change === "destroyed" ? null : { ...before, ...(typeof change === "object" && change) };
      const actions =
        change === undefined
          ? ["no-op"]
          : change === "destroyed"
            ? ["delete"]
            : change === "replaced"
              ? ["delete", "create"]
              : [before === null ? "create" : "update"];
      return { address, type, name, mode: "managed", change: { actions, before, after } };
    }),
  });
}

/** The findings of such a plan that may lose events: `lost` or `unknown`, and where it says so. */
export async function effects(plan: string): Promise<string[]> {
  const { resources } = await explainPlan(readPlan(plan), [], []);
  return resources.flatMap(({ address, findings }) =>
    findings
      .filter(({ effect }) => effect !== "none")
      .map(({ effect, check, message }) => `${effect} ${check} ${address}: ${message}`),
  );
}
