import { isDescriptive, isPatch, kindOf, type PlannedChange, typeOf } from "../terraform/index.js";

/** What no request depends on, besides what no delivery does. */
const ANYWHERE = /^(id|resource_group_name|identity\.(principal_id|tenant_id))(\.|$)/;

/** What runs behind the way: images, their environment and how many there are. */
const RUNNING =
  /(^|\.)(image|image_?tag|tag|digest|replicas|replica_?count|env|env_?from|environment|extra_?env\w*|resources|autoscaling|node_?selector|tolerations|affinity|labels|pod_?annotations|log_?level)(\.|$)/i;
const CHART = /^(helm_|kubernetes_|kubectl_|k8s_)/;

/** Attributes whose change is harmless, by types. */
const HARMLESS: readonly (readonly [RegExp, RegExp])[] = [
  [CHART, RUNNING],
  [
    CHART,
    /^(metadata\.(?!annotations)|status|manifest\.metadata\.(?!annotations)|manifest\.spec\.template|wait\w*|timeout|atomic)/,
  ],
  [
    /^azurerm_container_app$|^Microsoft\.App\/containerApps$/i,
    /^(template|secret|configuration\.(secrets|registries|dapr|activeRevisionsMode|ingress\.traffic)|registry|dapr|revision_mode|max_inactive_revisions|workload_?profile_?name|latest_\w+|outbound_\w+|custom_domain_verification_id|ingress\.(traffic_weight|allow_insecure_connections|cors|fqdn|custom_domain))/i,
  ],
  [
    /^azurerm_container_app_environment$/,
    /^(dapr_\w+|log_analytics_\w+|logs_destination|workload_profile|static_ip_address|custom_domain_verification_id|identity)/,
  ],
  [
    /^azurerm_(linux|windows)_(function|web)_app(_slot)?$|^azurerm_function_app_flex_consumption$/,
    /^(app_settings\.(?!AzureWebJobs[._].+Disabled$)|connection_string|backup|logs|sticky_settings|storage_\w+|zip_deploy_file|https_only|client_affinity_enabled|\w*publish_basic_authentication_enabled|functions_extension_version|builtin_logging_enabled|content_share_force_disabled|daily_memory_time_quota|key_vault_reference_identity_id|outbound_\w+|possible_outbound_\w+|site_credential|custom_domain_verification_id|kind|runtime_\w+|instance_memory_in_mb|maximum_instance_count|always_ready|virtual_network_\w+|vnet_image_pull_enabled|site_config\.(always_on|application_\w+|app_command_line|app_scale_limit|app_service_logs|auto_heal_\w+|container_registry_\w+|cors|default_documents|detailed_error_logging_enabled|elastic_instance_minimum|ftps_state|health_check_\w+|http2_enabled|linux_fx_version|load_balancing_mode|local_mysql_enabled|pre_warmed_instance_count|remote_debugging_\w+|runtime_scale_monitoring_enabled|scm_\w+|use_32_bit_worker|vnet_route_all_enabled|websockets_enabled|worker_count))/,
  ],
  [
    /^azurerm_function_app_function$/,
    /^(test_data|file|language|(config|invocation|script|script_root_path|secrets_file|test_data)_url)/,
  ],
  [
    /^azurerm_service_plan$/,
    /^(worker_count|sku_name|\w*scal\w+|maximum_elastic_worker_count|zone_balancing_enabled)/,
  ],
  [
    /dns|record/i,
    /^(ttl|soa_record|name_servers|\w*number_of_record_sets|comment|(created|modified)_on)/,
  ],
  [
    /^azurerm_(public_ip|lb|application_gateway)$/,
    /^(sku(_tier)?|zones|autoscale_configuration|\w*http2\w*|idle_timeout_in_minutes|ip_tags|reverse_fqdn|ddos_protection_\w+)/,
  ],
];

/** Resources that only pass values on, look on, or are judged by other rules. */
const BESIDE =
  /^(terraform_data|null_resource|random_\w+|time_\w+|tls_\w+|local_\w+|azuread_\w+|azurerm_(monitor|management_lock|application_insights|log_analytics|role|key_vault|storage|servicebus|eventhub|user_assigned|federated_identity|consumption|policy|resource_group_policy)\w*)$|^Microsoft\.(Insights|Authorization|Storage|ServiceBus|EventHub|KeyVault|OperationalInsights|ManagedIdentity|Network\/private)/i;

export const isBeside = (change: PlannedChange) =>
  kindOf(change) !== undefined || change.address.startsWith("data.") || BESIDE.test(typeOf(change));

/** What many services share, so that nothing else is found through it. */
const SHARED =
  /resource_?groups?$|virtual_?networks?$|subnets?$|registry$|registries$|kubernetes_cluster|managedClusters$|network_security|_namespace(_v1)?$/i;

export const isShared = (change: PlannedChange) => SHARED.test(typeOf(change));

/** Services of their own, which a plan or an environment is created for. */
const SERVICE =
  /container_?app(_job|s|\/jobs)?$|(web|function|logic)_?app\w*$|_slot$|Microsoft\.Web\/sites|virtual_machine|node_pool|certificate|workload|private_?endpoint|_app_\w*storage$|dapr/i;

/** Whether a new resource is a service or a certificate beside the one that serves a webhook. */
export const isService = (change: PlannedChange) => SERVICE.test(typeOf(change));

/** Whether the change of what a path leads to does nothing to requests. */
export function isHarmless(change: PlannedChange, path: string): boolean {
  if (isPatch(change) && /^(name|parent_id|resource_id)$/.test(path)) return true;
  if (ANYWHERE.test(path) || isDescriptive(path.replace(/\..*$/, ""))) return true;
  const type = typeOf(change);
  return HARMLESS.some(([types, paths]) => types.test(type) && paths.test(path));
}

/** Whether a path in a text names what runs behind the way. */
export const isRunning = (path: string) => RUNNING.test(path);
