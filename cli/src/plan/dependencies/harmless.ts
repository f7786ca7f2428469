import { isDescriptive, type PlannedChange, typeOf, type Use } from "../terraform/index.js";

/** Stands for the creation and the destruction of a resource. */
export const EXISTENCE = "its existence";
/** Stands for the creation only. */
export const CREATION = "its creation";

/** Destinations of their own, which configure nothing of the namespace that they are in. */
export const ENTITY =
  /^azurerm_(servicebus_(queue|topic)|eventhub)$|^Microsoft\.(ServiceBus|EventHub)\/namespaces\/(queues|topics|eventhubs)$/i;
export const LOCK = /^azurerm_management_lock$|\/locks$/i;

/**
 * Attributes whose change is harmless, by types and uses. Names of azurerm or azuread, and of Resource
 * Manager for azapi.
 */
const HARMLESS: readonly (readonly [RegExp, RegExp, (readonly Use[])?])[] = [
  [
    /^azurerm_storage_account$|^Microsoft\.Storage\/storageAccounts$/i,
    /^(access_tier|accessTier|account_replication_type|sku|(primary|secondary)_\w+|allow_nested_items_to_be_public|allowBlobPublicAccess|allowed_copy_scope|allowedCopyScope|azure_files_\w+|blob_properties|queue_properties|share_properties|static_website|cross_tenant_replication_enabled|allowCrossTenantReplication|default_to_oauth_authentication|defaultToOAuthAuthentication|https_traffic_only_enabled|supportsHttpsTrafficOnly|large_file_share_enabled|largeFileSharesState|local_user_enabled|isLocalUserEnabled|sftp_enabled|isSftpEnabled)$/,
  ],
  // Whatever is done to a storage account, it raises its events.
  [
    /^azurerm_storage_account|^Microsoft\.Storage\/storageAccounts/i,
    /^(?!its existence)/,
    ["origin", "source"],
  ],
  [
    /^azurerm_storage_(container|queue)$|\/(containers|queues)$/i,
    /^(metadata|container_access_type|publicAccess|has_\w+|url)$/,
  ],
  [
    /^azurerm_(servicebus|eventhub)_namespace$|^Microsoft\.(ServiceBus|EventHub)\/namespaces$/i,
    /^(default_\w+|auto_inflate_enabled|isAutoInflateEnabled|maximum_throughput_units|maximumThroughputUnits|minimum_tls_version|minimumTlsVersion|endpoint)$/,
  ],
  [
    /^azurerm_servicebus_(queue|topic)$|^Microsoft\.ServiceBus\/namespaces\/(queues|topics)$/i,
    /^(batched_operations_enabled|enableBatchedOperations|lock_duration|lockDuration|max_delivery_count|maxDeliveryCount|forward_dead_lettered_messages_to)$/,
  ],
  [
    /^azurerm_eventhub$|^Microsoft\.EventHub\/namespaces\/eventhubs$/i,
    /^(partition_ids|capture_description|captureDescription)$/,
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
    /^(owners|password|logo_\w+|\w+_url|web|single_page_application|public_client|required_resource_access|optional_claims|feature_tags|features|fallback_public_client_enabled|group_membership_claims|implicit_\w+|app_role_ids|app_roles|oauth2_\w+|service_management_reference|prevent_duplicate_names|alternative_names|login_url|notification_email_addresses|preferred_single_sign_on_mode|saml_\w+|service_principal_names|redirect_uris|use_existing|publisher_domain|device_only_auth_enabled)$/,
  ],
  [
    /^azuread_application_(password|certificate|owner|redirect_uris|optional_claims|api_access|from_template|known_clients|fallback_public_client|federated_identity_credential|permission_scope|pre_authorized)$|^azuread_service_principal_(password|certificate|delegated_\w+|claims_\w+)$/,
    /./,
  ],
  [/^azurerm_federated_identity_credential$/, /^its creation$/],
  [
    /^azurerm_private_endpoint$|^Microsoft\.Network\/privateEndpoints$/i,
    /^(custom_dns_configs|network_interface|private_dns_zone_configs|custom_network_interface_name)$/,
  ],
  [/^azurerm_private_dns_zone$/, /^(max_number_of_\w+|number_of_record_sets|soa_record)$/],
  [/^azurerm_private_dns_zone_virtual_network_link$/, /^(registration_enabled|resolution_policy)$/],
  // What is beside a queue or a container, looks on, or is only kept.
  [
    /^azurerm_storage_(container|queue|share|share_file|share_directory|table|table_entity|blob|data_lake_\w+|encryption_scope)$|^azurerm_storage_account_(queue_properties|static_website)$|^azurerm_eventhub_consumer_group$|^azurerm_monitor_\w+$|^azurerm_eventgrid_|\/(containers|queues|fileServices|tables|diagnosticSettings)$/i,
    /^its existence$/,
  ],
  [/^azurerm_monitor_\w+$/, /./],
  [
    /^azurerm_key_vault_(secret|key|certificate\w*|access_policy)$/,
    /^its existence$/,
    ["origin", "source"],
  ],
  [
    /^azurerm_(private_endpoint|servicebus_subscription|(servicebus|eventhub)_\w*authorization_rule)$/,
    /^its creation$/,
    ["target"],
  ],
];

/** Whether the change of an attribute does nothing to deliveries. */
export function isHarmless(change: PlannedChange, attribute: string, use: Use): boolean {
  if (isDescriptive(attribute)) return true;
  const type = typeOf(change);
  return HARMLESS.some(
    ([types, attributes, uses]) =>
      types.test(type) && attributes.test(attribute) && (uses === undefined || uses.includes(use)),
  );
}
