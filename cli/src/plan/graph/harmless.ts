import { cached } from "../../collections.js";
import {
  attributes,
  isDescriptive,
  isPatch,
  isPlace,
  kindOf,
  oneOf,
  type PlannedChange,
  plain,
  typeOf,
  type Use,
} from "../terraform/index.js";

/** Stands for the creation and the destruction of a resource. */
export const EXISTENCE = "@existence";
/** Stands for the creation only. */
export const CREATION = "@creation";

/** Destinations of their own, which configure nothing of the namespace that they are in. */
export const ENTITY = oneOf(`azurerm_servicebus_(queue|topic) azurerm_eventhub
  Microsoft.(ServiceBus|EventHub)/namespaces/(queues|topics|eventhubs)`);
/** A file system of Data Lake is a container. */
export const CONTAINER = oneOf(
  "azurerm_storage_(container|data_lake_gen2_filesystem) **/containers",
);
export const LOCK = oneOf("azurerm_management_lock **/locks");

export const ACCOUNT = oneOf("azurerm_storage_account Microsoft.Storage/storageAccounts");

const CONSUMER_GROUP = oneOf("azurerm_eventhub_consumer_group **/consumerGroups");

/** Settings of what runs behind the way: images, their environment and their number. */
const RUNNING = attributes(`(**.)?(image|image_tag|tag|digest|replicas|replica_count|env|env_from)
  (**.)?(environment|extra_env*|resources|autoscaling|node_selector|tolerations|affinity|labels)
  (**.)?(pod_annotations|log_level)`);
const CHART = oneOf("(helm|kubernetes|kubectl|k8s)_*");

/** Services that can be clients of a topic. */
export const CLIENT =
  /(container|function|web|logic)_?app(?!_function)|container_?group|managedEnvironments|Microsoft\.Web\/sites/i;

export const EVENT_HUB = oneOf("azurerm_eventhub Microsoft.EventHub/namespaces/eventhubs");

/** A use that deliveries make of a resource, or the way to a webhook. */
type Purpose = Use | "way";

const ANY = /./;
const APP = oneOf(`azurerm_(linux|windows)_(function|web)_app(_slot)?
  azurerm_function_app_flex_consumption`);

/** Attributes whose change is harmless, by types, and by purposes if it is not for all. */
const HARMLESS: readonly (readonly [RegExp, RegExp, (readonly Purpose[])?])[] = [
  [
    ACCOUNT,
    attributes(`access_tier account_replication_type sku (primary|secondary)*
      allow_nested_items_to_be_public allow_blob_public_access allowed_copy_scope azure_files*
      (blob|queue|share)_properties static_website
      cross_tenant_replication_enabled allow_cross_tenant_replication default_to_oauth_authentication
      https_traffic_only_enabled supports_https_traffic_only large_file_share_enabled
      large_file_shares_state local_user_enabled is_local_user_enabled sftp_enabled is_sftp_enabled`),
  ],
  // A storage account raises its events whatever is done to it; containers and policies have events of their own.
  [
    oneOf("azurerm_storage_account* Microsoft.Storage/storageAccounts(/**)?"),
    attributes("* @creation"),
    ["origin", "source"],
  ],
  [
    oneOf(`azurerm_(private_endpoint|security_center_*)
      azurerm_storage_(?!(account|container|data_lake_gen2_filesystem)$)(?!(management|blob_inventory)_policy$)*
      Microsoft.(Network/privateEndpoints|Security/**)
      Microsoft.Storage/storageAccounts/(?!**(containers|Policies)$)**`),
    attributes(EXISTENCE),
    ["origin", "source"],
  ],
  [
    oneOf("azurerm_storage_(container|queue) **/(containers|queues)"),
    attributes("metadata container_access_type public_access has* url"),
  ],
  [/_gen2_filesystem/, attributes("properties ace owner group")],
  [
    oneOf("azurerm_(servicebus|eventhub)_namespace Microsoft.(ServiceBus|EventHub)/namespaces"),
    attributes(`default* auto_inflate_enabled is_auto_inflate_enabled maximum_throughput_units
      minimum_tls_version endpoint`),
  ],
  [
    oneOf(`azurerm_servicebus_(queue|topic|subscription)
      Microsoft.ServiceBus/namespaces/(queues|topics|topics/subscriptions)`),
    attributes(
      "batched_operations_enabled enable_batched_operations forward_dead_lettered_messages_to",
    ),
  ],
  [
    oneOf("azurerm_(servicebus|eventhub|relay)_* Microsoft.(ServiceBus|EventHub|Relay)/**"),
    attributes("user_metadata"),
  ],
  [EVENT_HUB, attributes("partition_ids")],
  // A source of any size raises its events; the rules judge its tier.
  [
    oneOf(`azurerm_((servicebus|eventhub)_namespace|signalr_service|iothub|service_plan)
      Microsoft.(ServiceBus|EventHub)/namespaces Microsoft.SignalRService/SignalR
      Microsoft.Devices/IotHubs Microsoft.Web/serverfarms`),
    attributes("capacity sku sku_name worker_count premium_messaging_partitions"),
    ["origin", "source"],
  ],
  // As a source, it raises an event for each file of Capture.
  [
    EVENT_HUB,
    attributes(`@creation partition_count message_retention message_retention_in_days
      retention_description`),
    ["origin", "source"],
  ],
  // Topics, namespaces and system topics.
  [
    oneOf("azurerm_eventgrid_* Microsoft.EventGrid/**"),
    attributes("endpoint metric* *_access_key data_residency_boundary auto_create_topic*"),
    ["source"],
  ],
  [oneOf("azurerm_user_assigned_identity"), attributes("isolation_scope")],
  [
    oneOf("azuread_(application|application_registration|service_principal)"),
    attributes(`owners password logo* *_url web single_page_application public_client
      required_resource_access feature_tags features fallback_public_client_enabled
      group_membership_claims implicit* app_role_ids app_roles oauth2* service_management_reference
      prevent_duplicate_names alternative_names notification_email_addresses
      preferred_single_sign_on_mode saml* service_principal_names redirect_uris use_existing
      publisher_domain device_only_auth_enabled`),
  ],
  [
    oneOf(`azuread_application_(password|certificate|owner|redirect_uris|api_access|from_template)
      azuread_application_(known_clients|fallback_public_client|permission_scope|pre_authorized)
      azuread_service_principal_(password|certificate|delegated_*)
      **federated_?identity_?credentials?`),
    ANY,
  ],
  [oneOf("azuread_application_optional_claims"), attributes("id_token saml2_token")],
  [
    oneOf("azurerm_private_endpoint Microsoft.Network/privateEndpoints"),
    attributes(`custom_dns_configs network_interface private_dns_zone_configs
      custom_network_interface_name`),
  ],
  // Only the network of a client matters.
  [CLIENT, attributes("(?!**(subnet|virtual_network|vnet|environment_id))**"), ["access"]],
  [
    oneOf("azurerm_(virtual_network|subnet)"),
    attributes(`@creation address* bgp_community ddos* default_outbound* delegation encryption
      flow_timeout_in_minutes guid ip_address_pool service_endpoint* private_link_service*`),
    ["access"],
  ],
  [oneOf("azurerm_virtual_network_peering"), attributes(CREATION), ["access"]],
  [
    oneOf("azurerm_private_dns_zone"),
    attributes("max_number_of* number_of_record_sets soa_record"),
  ],
  [
    oneOf("azurerm_private_dns_zone_virtual_network_link"),
    attributes("registration_enabled resolution_policy"),
  ],
  // Neighbours of a queue or a container, and resources that look on or are only kept.
  [
    oneOf(`azurerm_storage_(queue|share|share_file|share_directory|table|table_entity|blob)
      azurerm_storage_data_lake_gen2_path azurerm_storage_account_(queue_properties|static_website)
      azurerm_eventgrid_* **/(queues|fileServices|tables|diagnosticSettings)`),
    attributes(EXISTENCE),
  ],
  [CONSUMER_GROUP, attributes(EXISTENCE), ["origin", "source"]],
  [CONSUMER_GROUP, attributes(CREATION)],
  [
    oneOf(`azurerm_storage_(container|data_lake_gen2_filesystem|blob_inventory_policy)
      azurerm_storage_account_local_user **/(containers|inventoryPolicies|localUsers)`),
    attributes(EXISTENCE),
    ["target"],
  ],
  [CONTAINER, attributes(CREATION)],
  [oneOf("azurerm_monitor_*"), ANY],
  [oneOf("azurerm_key_vault_(secret|certificate*)"), attributes(EXISTENCE), ["origin", "source"]],
  // Encrypted accounts are found from their key.
  [oneOf("azurerm_key_vault_(*_)?(key|access_policy)"), ANY],
  [
    oneOf(`azurerm_(private_endpoint|storage_encryption_scope|servicebus_subscription)
      azurerm_(servicebus|eventhub|relay)_*authorization_rule`),
    attributes(CREATION),
    ["target"],
  ],
  // No request depends on these.
  [ANY, attributes("id resource_group_name identity.(principal_id|tenant_id)"), ["way"]],
  [CHART, RUNNING, ["way"]],
  [
    CHART,
    attributes(`(manifest.)?metadata(?!.annotations) manifest.spec.template**
      (status|wait|timeout|atomic)**`),
    ["way"],
  ],
  [
    oneOf("azurerm_container_app Microsoft.App/containerApps"),
    attributes(`template secret* configuration.(secrets|registries|dapr|active_revisions_mode)
      configuration.ingress.traffic registry dapr revision_mode max_inactive_revisions
      workload_profile_name latest* outbound* custom_domain_verification_id
      ingress.(traffic_weight|allow_insecure_connections|cors|fqdn|custom_domain)`),
    ["way"],
  ],
  [
    oneOf("azurerm_container_app_environment"),
    attributes(`dapr* log_analytics* logs_destination workload_profile static_ip_address
      custom_domain_verification_id identity`),
    ["way"],
  ],
  [
    APP,
    attributes("app_settings.(?!azure_web_jobs**disabled$|functions_extension_version$)**"),
    ["way"],
  ],
  [
    APP,
    attributes(`connection_string backup logs sticky_settings storage* zip_deploy_file https_only
      client_affinity_enabled *publish_basic_authentication_enabled builtin_logging_enabled
      content_share_force_disabled daily_memory_time_quota key_vault_reference_identity_id outbound*
      possible_outbound* site_credential* custom_domain_verification_id kind runtime*
      instance_memory_in_mb maximum_instance_count always_ready virtual_network*
      vnet_image_pull_enabled
      site_config.(always_on|application*|app_command_line|app_scale_limit|app_service_logs|cors)
      site_config.(auto_heal*|container_registry*|default_documents|detailed_error_logging_enabled)
      site_config.(elastic_instance_minimum|ftps_state|health_check*|http2_enabled)
      site_config.(linux_fx_version|load_balancing_mode|local_mysql_enabled|scm*|worker_count)
      site_config.(pre_warmed_instance_count|remote_debugging*|runtime_scale_monitoring_enabled)
      site_config.(use_32_bit_worker|vnet_route_all_enabled|websockets_enabled)`),
    ["way"],
  ],
  [
    oneOf("azurerm_function_app_function"),
    attributes(`test_data file language
      (config|invocation|script|script_root_path|secrets_file|test_data)_url`),
    ["way"],
  ],
  [
    oneOf("azurerm_service_plan"),
    attributes("worker_count sku_name *scal* maximum_elastic_worker_count zone_balancing_enabled"),
    ["way"],
  ],
  [
    /dns|record/i,
    attributes("ttl soa_record name_servers *number_of_record_sets comment* (created|modified)_on"),
    ["way"],
  ],
  [
    oneOf("azurerm_(public_ip|lb|application_gateway)"),
    attributes(`sku sku_tier zones autoscale_configuration *http2* idle_timeout_in_minutes ip_tags
      reverse_fqdn ddos_protection*`),
    ["way"],
  ],
];

/** True if the change of an attribute does nothing; on the way, of anything below a path. */
export function isHarmless(change: PlannedChange, path: string, purpose: Purpose): boolean {
  const isWay = purpose === "way";
  if (isWay && isPatch(change) && isPlace(path)) return true;
  if (isDescriptive(path)) return true;
  const name = plain(path);
  return harmlessOf(typeOf(change)).some(
    ([, paths, purposes]) =>
      (purposes === undefined || purposes.includes(purpose)) && paths.test(name),
  );
}

/** The rows of the types of the plans so far: every value of a plan is looked up in them. */
const rows = new Map<string, typeof HARMLESS>();

function harmlessOf(type: string): typeof HARMLESS {
  return cached(rows, type, () => HARMLESS.filter(([types]) => types.test(type)));
}

/** Resources that only pass values on, look on, or are judged by other rules. */
const BESIDE = oneOf(`terraform_data null_resource (random|time|tls|local|azuread)_*
  azurerm_(monitor|management_lock|application_insights|log_analytics|role|key_vault|storage)*
  azurerm_(servicebus|eventhub|user_assigned|federated_identity|consumption|policy)*
  azurerm_resource_group_policy* Microsoft.(Insights|Authorization|Storage|ServiceBus|EventHub)**
  Microsoft.(KeyVault|OperationalInsights|ManagedIdentity|Network/private)**`);

export const isBeside = (change: PlannedChange) =>
  kindOf(change) !== undefined || change.address.startsWith("data.") || BESIDE.test(typeOf(change));

/** Shared by many services, so that nothing else is found through it. */
const SHARED = oneOf(`**(resource_?group|virtual_?network|subnet|managedCluster|perimeter)s?
  **(registry|registries|_namespace(_v1)?) **(kubernetes_cluster|network_?security_?(group|rule))**`);

export const isShared = (change: PlannedChange) => SHARED.test(typeOf(change));

/** Services of their own, which a plan or an environment is created for. */
const SERVICE =
  /container_?app(_job|s|\/jobs)?$|(web|function|logic)_?app\w*$|_slot$|Microsoft\.Web\/sites$|virtual_machine|node_pool|certificate|workload|private_?endpoint|_app_\w*storage$|dapr/i;

/**
 * Services that use an account, a namespace or a topic, observe or copy it, by parts of their types; whatever
 * they are of does not depend on them. A service that is missing here is an alarm.
 */
const USERS: readonly string[] = [
  // observe
  ...["monitor", "insights", "dashboard", "network_?watcher", "diagnostic", "consumption"],
  ...["cost_?management", "advanced_threat", "security_?cent", "purview", "policy_assignment"],
  ...["policy_exemption", "policy_remediation", "_pim_eligible_", "maintenance", "automation"],
  // copy
  ...["backup", "data_?protection", "recovery_?services", "site_recovery"],
  // analyse
  ...["analytics", "data_?factor", "data_?share", "databricks", "synapse", "kusto", "hdinsight"],
  ...["machine_?learning", "cognitive", "_ai_", "search", "digital_?twins", "healthcare"],
  ...["media", "video", "iot_?hub_", "batch"],
  // run
  ...["(logic|function|web|static|container|spring)_?app", "_slot$", "container_?(group|instance)"],
  ...["\\.(Web|App|Logic)/", "kubernetes", "virtual_?machine", "api_management", "cdn_"],
  // keep their own data
  ...["sql", "redis", "cosmosdb", "app_?configuration", "key_?vault"],
  // connect to it
  ...["managed_?private_?endpoint", "shared_?private_?link"],
];
/** Providers other than Azure's configure nothing there. */
const USER = new RegExp(`^(?!az(urerm|uread|api)_|Microsoft\\.)|${USERS.join("|")}`, "i");

export const isUser = (change: PlannedChange) => USER.test(typeOf(change));

export const isService = (change: PlannedChange) =>
  !isPatch(change) && SERVICE.test(typeOf(change)) && !change.type.endsWith("_active_slot");

export const isRunning = (path: string) => RUNNING.test(plain(path));
