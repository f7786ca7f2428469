import {
  isDescriptive,
  isPatch,
  kindOf,
  type PlannedChange,
  typeOf,
  type Use,
} from "../terraform/index.js";

/** Stands for the creation and the destruction of a resource. */
export const EXISTENCE = "its existence";
/** Stands for the creation only. */
export const CREATION = "its creation";

/** Destinations of their own, which configure nothing of the namespace that they are in. */
export const ENTITY =
  /^azurerm_(servicebus_(queue|topic)|eventhub)$|^Microsoft\.(ServiceBus|EventHub)\/namespaces\/(queues|topics|eventhubs)$/i;
/** A file system of Data Lake is a container. */
export const CONTAINER = /^azurerm_storage_(container|data_lake_gen2_filesystem)$|\/containers$/i;
export const LOCK = /^azurerm_management_lock$|\/locks$/i;

const CONSUMER_GROUP = /^azurerm_eventhub_consumer_group$|\/consumerGroups$/i;

/** No request depends on these. */
const ANYWHERE = /^(id|resource_group_name|identity\.(principal_id|tenant_id))(\.|$)/;

/** Settings of what runs behind the way: images, their environment and their number. */
const RUNNING =
  /(^|\.)(image|image_?tag|tag|digest|replicas|replica_?count|env|env_?from|environment|extra_?env\w*|resources|autoscaling|node_?selector|tolerations|affinity|labels|pod_?annotations|log_?level)(\.|$)/i;
const CHART = /^(helm_|kubernetes_|kubectl_|k8s_)/;

/** Services that can be clients of a topic. */
export const CLIENT =
  /(container|function|web|logic)_?app(?!_function)|container_?group|managedEnvironments|Microsoft\.Web\/sites/i;

export const EVENT_HUB = /^azurerm_eventhub$|^Microsoft\.EventHub\/namespaces\/eventhubs$/i;

/** A use that deliveries make of a resource, or the way to a webhook. */
type Purpose = Use | "way";

/**
 * Attributes whose change is harmless, by types, and by purposes if it is not for all. Names of azurerm or
 * azuread, and of Resource Manager for azapi; on the way, paths of names.
 */
const HARMLESS: readonly (readonly [RegExp, RegExp, (readonly Purpose[])?])[] = [
  [
    /^azurerm_storage_account$|^Microsoft\.Storage\/storageAccounts$/i,
    /^(access_tier|accessTier|account_replication_type|sku|(primary|secondary)_\w+|allow_nested_items_to_be_public|allowBlobPublicAccess|allowed_copy_scope|allowedCopyScope|azure_files_\w+|blob_properties|queue_properties|share_properties|static_website|cross_tenant_replication_enabled|allowCrossTenantReplication|default_to_oauth_authentication|defaultToOAuthAuthentication|https_traffic_only_enabled|supportsHttpsTrafficOnly|large_file_share_enabled|largeFileSharesState|local_user_enabled|isLocalUserEnabled|sftp_enabled|isSftpEnabled)$/,
  ],
  // A storage account raises its events whatever is done to it; containers and policies have events of their own.
  [
    /^azurerm_storage_account|^Microsoft\.Storage\/storageAccounts/i,
    /^(?!its existence)/,
    ["origin", "source"],
  ],
  [
    /^azurerm_(storage_(?!account$|container$|data_lake_gen2_filesystem$|management_policy$|blob_inventory_policy$)|private_endpoint$|security_center_)|^Microsoft\.(Storage\/storageAccounts\/(?!.*(containers|Policies)$)|Network\/privateEndpoints$|Security\/)/i,
    /^its existence$/,
    ["origin", "source"],
  ],
  [
    /^azurerm_storage_(container|queue)$|\/(containers|queues)$/i,
    /^(metadata|container_access_type|publicAccess|has_\w+|url)$/,
  ],
  [/^azurerm_storage_data_lake_gen2_filesystem$/, /^(properties|ace|owner|group)$/],
  [
    /^azurerm_(servicebus|eventhub)_namespace$|^Microsoft\.(ServiceBus|EventHub)\/namespaces$/i,
    /^(default_\w+|auto_inflate_enabled|isAutoInflateEnabled|maximum_throughput_units|maximumThroughputUnits|minimum_tls_version|minimumTlsVersion|endpoint)$/,
  ],
  [
    /^azurerm_servicebus_(queue|topic|subscription)$|^Microsoft\.ServiceBus\/namespaces\/(queues|topics|topics\/subscriptions)$/i,
    /^(batched_operations_enabled|enableBatchedOperations|forward_dead_lettered_messages_to)$/,
  ],
  [
    /^azurerm_(servicebus|eventhub|relay)_|^Microsoft\.(ServiceBus|EventHub|Relay)\//i,
    /^user_?metadata$/i,
  ],
  [EVENT_HUB, /^partition_ids$/],
  // A source of any size raises its events; the rules judge its tier.
  [
    /^azurerm_((servicebus|eventhub)_namespace|signalr_service|iothub|service_plan)$|^Microsoft\.((ServiceBus|EventHub)\/namespaces|SignalRService\/SignalR|Devices\/IotHubs|Web\/serverfarms)$/i,
    /^(capacity|sku|sku_name|worker_count|premium_messaging_partitions)$/,
    ["origin", "source"],
  ],
  // As a source, it raises an event for each file of Capture.
  [
    EVENT_HUB,
    /^(its creation|partition_count|partitionCount|message_retention|messageRetentionInDays|retention_description|retentionDescription)$/,
    ["origin", "source"],
  ],
  // Topics, namespaces and system topics.
  [
    /^azurerm_eventgrid_|^Microsoft\.EventGrid\//i,
    /^(endpoint|metric_\w+|\w+_access_key|dataResidencyBoundary|auto_create_topic_\w+|autoCreateTopic\w+)$/,
    ["source"],
  ],
  [/^azurerm_user_assigned_identity$/, /^(isolation_scope)$/],
  [
    /^azuread_(application|application_registration|service_principal)$/,
    /^(owners|password|logo_\w+|\w+_url|web|single_page_application|public_client|required_resource_access|feature_tags|features|fallback_public_client_enabled|group_membership_claims|implicit_\w+|app_role_ids|app_roles|oauth2_\w+|service_management_reference|prevent_duplicate_names|alternative_names|login_url|notification_email_addresses|preferred_single_sign_on_mode|saml_\w+|service_principal_names|redirect_uris|use_existing|publisher_domain|device_only_auth_enabled)$/,
  ],
  [
    /^azuread_application_(password|certificate|owner|redirect_uris|api_access|from_template|known_clients|fallback_public_client|permission_scope|pre_authorized)$|^azuread_service_principal_(password|certificate|delegated_\w+)$|federated_?identity_?credentials?$/i,
    /./,
  ],
  [/^azuread_application_optional_claims$/, /^(id_token|saml2_token)$/],
  [
    /^azurerm_private_endpoint$|^Microsoft\.Network\/privateEndpoints$/i,
    /^(custom_dns_configs|network_interface|private_dns_zone_configs|custom_network_interface_name)$/,
  ],
  // Only the network of a client matters.
  [
    CLIENT,
    /^(?!.*(subnet|v(irtual_?)?net(work)?_|environment_?id|vnetConfiguration))/i,
    ["access"],
  ],
  [
    /^azurerm_(virtual_network|subnet)$/,
    /^(its creation|address_\w+|bgp_community|ddos_\w+|default_outbound_\w+|delegation|encryption|flow_timeout_in_minutes|guid|ip_address_pool|service_endpoint\w*|private_link_service_\w+)$/,
    ["access"],
  ],
  [/^azurerm_virtual_network_peering$/, /^its creation$/, ["access"]],
  [/^azurerm_private_dns_zone$/, /^(max_number_of_\w+|number_of_record_sets|soa_record)$/],
  [/^azurerm_private_dns_zone_virtual_network_link$/, /^(registration_enabled|resolution_policy)$/],
  // Neighbours of a queue or a container, and resources that look on or are only kept.
  [
    /^azurerm_storage_(queue|share|share_file|share_directory|table|table_entity|blob|data_lake_gen2_path)$|^azurerm_storage_account_(queue_properties|static_website)$|^azurerm_monitor_\w+$|^azurerm_eventgrid_|\/(queues|fileServices|tables|diagnosticSettings)$/i,
    /^its existence$/,
  ],
  [CONSUMER_GROUP, /^its existence$/, ["origin", "source"]],
  [CONSUMER_GROUP, /^its creation$/],
  [
    /^azurerm_storage_(container|data_lake_gen2_filesystem|blob_inventory_policy|account_local_user)$|\/(containers|inventoryPolicies|localUsers)$/i,
    /^its existence$/,
    ["target"],
  ],
  [CONTAINER, /^its creation$/],
  [/^azurerm_monitor_\w+$/, /./],
  [/^azurerm_key_vault_(secret|certificate\w*)$/, /^its existence$/, ["origin", "source"]],
  // Encrypted accounts are found from their key.
  [/^azurerm_key_vault_(\w+_)?(key|access_policy)$/, /./],
  [
    /^azurerm_(private_endpoint|storage_encryption_scope|servicebus_subscription|(servicebus|eventhub|relay)_\w*authorization_rule)$/,
    /^its creation$/,
    ["target"],
  ],
  // No request depends on these.
  [CHART, RUNNING, ["way"]],
  [
    CHART,
    /^(metadata$|metadata\.(?!annotations)|status|manifest\.metadata\.(?!annotations)|manifest\.spec\.template|wait\w*|timeout|atomic)/,
    ["way"],
  ],
  [
    /^azurerm_container_app$|^Microsoft\.App\/containerApps$/i,
    /^(template|secret|configuration\.(secrets|registries|dapr|activeRevisionsMode|ingress\.traffic)|registry|dapr|revision_mode|max_inactive_revisions|workload_?profile_?name|latest_\w+|outbound_\w+|custom_domain_verification_id|ingress\.(traffic_weight|allow_insecure_connections|cors|fqdn|custom_domain))/i,
    ["way"],
  ],
  [
    /^azurerm_container_app_environment$/,
    /^(dapr_\w+|log_analytics_\w+|logs_destination|workload_profile|static_ip_address|custom_domain_verification_id|identity)/,
    ["way"],
  ],
  [
    /^azurerm_(linux|windows)_(function|web)_app(_slot)?$|^azurerm_function_app_flex_consumption$/,
    /^(app_settings\.(?!AzureWebJobs[._].+Disabled$|FUNCTIONS_EXTENSION_VERSION$)|connection_string|backup|logs|sticky_settings|storage_\w+|zip_deploy_file|https_only|client_affinity_enabled|\w*publish_basic_authentication_enabled|builtin_logging_enabled|content_share_force_disabled|daily_memory_time_quota|key_vault_reference_identity_id|outbound_\w+|possible_outbound_\w+|site_credential|custom_domain_verification_id|kind|runtime_\w+|instance_memory_in_mb|maximum_instance_count|always_ready|virtual_network_\w+|vnet_image_pull_enabled|site_config\.(always_on|application_\w+|app_command_line|app_scale_limit|app_service_logs|auto_heal_\w+|container_registry_\w+|cors|default_documents|detailed_error_logging_enabled|elastic_instance_minimum|ftps_state|health_check_\w+|http2_enabled|linux_fx_version|load_balancing_mode|local_mysql_enabled|pre_warmed_instance_count|remote_debugging_\w+|runtime_scale_monitoring_enabled|scm_\w+|use_32_bit_worker|vnet_route_all_enabled|websockets_enabled|worker_count))/,
    ["way"],
  ],
  [
    /^azurerm_function_app_function$/,
    /^(test_data|file|language|(config|invocation|script|script_root_path|secrets_file|test_data)_url)/,
    ["way"],
  ],
  [
    /^azurerm_service_plan$/,
    /^(worker_count|sku_name|\w*scal\w+|maximum_elastic_worker_count|zone_balancing_enabled)/,
    ["way"],
  ],
  [
    /dns|record/i,
    /^(ttl|soa_record|name_servers|\w*number_of_record_sets|comment|(created|modified)_on)/,
    ["way"],
  ],
  [
    /^azurerm_(public_ip|lb|application_gateway)$/,
    /^(sku(_tier)?|zones|autoscale_configuration|\w*http2\w*|idle_timeout_in_minutes|ip_tags|reverse_fqdn|ddos_protection_\w+)/,
    ["way"],
  ],
];

/** True if the change of an attribute does nothing; on the way, of anything below a path. */
export function isHarmless(change: PlannedChange, path: string, purpose: Purpose): boolean {
  const isWay = purpose === "way";
  if (isWay && isPatch(change) && /^(name|parent_id|resource_id)$/.test(path)) return true;
  if (isWay && ANYWHERE.test(path)) return true;
  if (isDescriptive(isWay ? path.replace(/\..*$/, "") : path)) return true;
  return harmlessOf(typeOf(change)).some(
    ([, paths, purposes]) =>
      (purposes === undefined || purposes.includes(purpose)) && paths.test(path),
  );
}

/** The rows of the types of the plans so far: every value of a plan is looked up in them. */
const rows = new Map<string, typeof HARMLESS>();

function harmlessOf(type: string): typeof HARMLESS {
  const known = rows.get(type);
  if (known !== undefined) return known;
  const found = HARMLESS.filter(([types]) => types.test(type));
  rows.set(type, found);
  return found;
}

/** Resources that only pass values on, look on, or are judged by other rules. */
const BESIDE =
  /^(terraform_data|null_resource|random_\w+|time_\w+|tls_\w+|local_\w+|azuread_\w+|azurerm_(monitor|management_lock|application_insights|log_analytics|role|key_vault|storage|servicebus|eventhub|user_assigned|federated_identity|consumption|policy|resource_group_policy)\w*)$|^Microsoft\.(Insights|Authorization|Storage|ServiceBus|EventHub|KeyVault|OperationalInsights|ManagedIdentity|Network\/private)/i;

export const isBeside = (change: PlannedChange) =>
  kindOf(change) !== undefined || change.address.startsWith("data.") || BESIDE.test(typeOf(change));

/** Shared by many services, so that nothing else is found through it. */
const SHARED =
  /resource_?groups?$|virtual_?networks?$|subnets?$|registry$|registries$|kubernetes_cluster|managedClusters$|network_?security_?(group|rule)|perimeters?$|_namespace(_v1)?$/i;

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
  !isPatch(change) && SERVICE.test(typeOf(change)) && !/_active_slot$/.test(change.type);

export const isRunning = (path: string) => RUNNING.test(path);
