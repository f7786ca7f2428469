import { isObject, withoutEnd } from "cloud-eventgrid-binding-runtime/internal";
import { deliveryOf, get, UNKNOWN } from "../../rules/index.js";
import { azurermFilter, blocksOf, filterIn, isEventSubscription, parsed } from "./filter.js";
import { attributes, oneOf, plain } from "./matching.js";
import type { Attributes, PlannedChange } from "./read-plan.js";
import { camelCase, idOf, type Side, value } from "./values.js";

/** An event subscription before or after the apply, whichever provider writes it. */
export type Subscription = ReturnType<typeof subscriptionOf>;

/** A change of an event subscription, with what it is before and after. */
export interface SubscriptionChange {
  readonly change: PlannedChange;
  readonly before: Subscription | undefined;
  readonly after: Subscription | undefined;
}

/** What a resource of a plan is to the routing of events. */
export type Kind = "subscription" | "source" | "role" | "opaque" | "template" | undefined;

const KINDS: readonly (readonly [Kind, RegExp])[] = [
  [
    "role",
    oneOf(`azurerm_(pim_active_)?role_assignment azuread_app_role_assignment
      azapi_resource:Microsoft.Authorization/roleAssignments`),
  ],
  [
    "source",
    oneOf(`azurerm_eventgrid_(topic|domain|domain_topic|system_topic|namespace|namespace_topic)
      azapi_resource:Microsoft.EventGrid/(topics|(domains|namespaces)(/topics)?|systemTopics)`),
  ],
  ["opaque", oneOf("azurerm_eventgrid_* azapi_*:Microsoft.EventGrid/**")],
  [
    "template",
    oneOf(`azurerm_*template_deployment azurerm_*deployment_script_*
      azapi_*:Microsoft.Resources/deployment(s|Stacks|Scripts)`),
  ],
];

/**
 * What a resource is to deliveries: the topic or another source, the Azure resource whose events a
 * system topic has, where events or dead letters are stored, an identity that delivers, the application
 * of the tokens, or what clients reach a topic through.
 */
export type Use = "source" | "origin" | "target" | "identity" | "application" | "access";

const DESCRIPTIVE =
  attributes(`tags tags_all timeouts labels description display_name notes location
  type output retry locks ignore* *_headers *_query_parameters schema_validation_enabled
  (sensitive_)?response_export_values sensitive_body_version replace_triggers*
  skip_service_principal_aad_check`);

/** Says nothing of what a resource does, whatever it is. */
export const isDescriptive = (attribute: string) => DESCRIPTIVE.test(plain(attribute));

/** azapi writes a part of a resource by these, and destroys none. */
export const isPatch = ({ type }: PlannedChange) =>
  type === "azapi_update_resource" || type === "azapi_resource_action";

/** Says what azapi writes to. */
export const isPlace = (attribute: string) =>
  ["id", "name", "parent_id", "resource_id"].includes(attribute);

export const isChanging = ({ action }: PlannedChange) => action !== "no-op" && action !== "forget";

/** The type of a resource; for azapi, that of Resource Manager without its version. */
export function typeOf({ type, before, after }: PlannedChange): string {
  return type.startsWith("azapi_") ? azapiTypeOf(before, after).replace(/@.*/, "") : type;
}

const azapiTypeOf = (...sides: readonly (Attributes | undefined)[]) =>
  String(sides.map((side) => side?.type).findLast((each) => typeof each === "string"));

const IDENTITY = oneOf(`azurerm_user_assigned_identity
  Microsoft.ManagedIdentity/userAssignedIdentities`);

/** The ID of the resource whose events a system topic has. */
export const monitoredBy = (topic: Side) =>
  idOf(value(topic, "source_resource_id", "source_arm_resource_id", "source"));

/** The object ID of an identity that users manage; undefined if it is something else, or not shown. */
export function principalOf(change: PlannedChange, side: Attributes | undefined): unknown {
  if (!IDENTITY.test(typeOf(change)) || isPatch(change)) return undefined;
  return side?.principal_id ?? shownBy(change, side, "properties", "principalId");
}

/** The object ID of a resource's own identity, where its body names none. */
export function systemPrincipalOf(change: PlannedChange, side: Attributes | undefined): unknown {
  const [block] = blocksOf(side?.identity);
  if (!/SystemAssigned/i.test(String(get(block, "type")))) return undefined;
  return get(block, "principal_id") || shownBy(change, side, "identity", "principalId");
}

/**
 * A value that azapi reads from Azure. Each update makes its output unknown, although what Azure has set stays.
 *
 * @see https://registry.terraform.io/providers/Azure/azapi/latest/docs/resources/resource#response_export_values
 */
function shownBy(change: PlannedChange, side: Attributes | undefined, ...path: readonly string[]) {
  const isKept = change.action === "update" && side === change.after;
  for (const each of isKept ? [side, change.before] : [side]) {
    const outputs = [each?.output, each?.sensitive_output].flatMap((output) =>
      blocksOf(parsed(output)),
    );
    const names = [each?.response_export_values, each?.sensitive_response_export_values]
      .flatMap((exported) => Object.entries(Object(exported)))
      .flatMap(([name, query]) => (query === path.join(".") ? [[name]] : []));
    const found = outputs.flatMap((output) => [path, ...names].map((one) => get(output, ...one)));
    const value = found.find((one) => typeof one === "string" && one !== "");
    if (value !== undefined) return value;
  }
  return undefined;
}

export function kindOf(change: PlannedChange): Kind {
  const { type, before, after } = change;
  if (isEventSubscription(type, azapiTypeOf(before, after))) return "subscription";
  const name = type.startsWith("azapi_") ? `${type}:${typeOf(change)}` : type;
  return KINDS.find(([, pattern]) => pattern.test(name))?.[0];
}

export function subscriptionChange(change: PlannedChange): SubscriptionChange {
  const [before, after] = [change.before, change.after].map(
    (side) => side && subscriptionOf(change, side),
  );
  return { change, before, after };
}

/** One side of a change of an event subscription. */
function subscriptionOf(change: PlannedChange, attributes: Attributes) {
  const isAzapi = change.type === "azapi_resource";
  const isNamespace = isAzapi && /\/namespaces\//i.test(String(attributes.type));
  const written = attributes.body === UNKNOWN ? UNKNOWN : attributes;
  const properties = isAzapi ? written : azurermProperties(change, attributes);
  return {
    name: typeof attributes.name === "string" ? attributes.name : change.address,
    /** Resource ID in lower case; {@link UNKNOWN} for that of a new resource. */
    scope: idOf(isAzapi ? attributes.parent_id : azurermScope(attributes)),
    /** Whether it is in a namespace. */
    isNamespace,
    filter: filterIn(properties),
    ...deliveryOf(properties, isNamespace),
  };
}

function azurermScope(attributes: Attributes): unknown {
  const { scope, system_topic: topic, resource_group_name: group, id } = attributes;
  if (topic === undefined) return scope;
  if (topic === UNKNOWN || group === UNKNOWN) return UNKNOWN;
  const [, , subscription = "?"] = oneOf("/subscriptions/**").test(String(id))
    ? String(id).split("/")
    : [];
  return `/subscriptions/${subscription}/resourceGroups/${group}/providers/Microsoft.EventGrid/systemTopics/${topic}`;
}

/** Azure's names of azurerm's settings, where they are not the same in another case. */
const NAMES: Readonly<Record<string, string>> = {
  url: "endpointUrl",
  base_url: "endpointBaseUrl",
  function_id: "resourceId",
  storage_account_id: "resourceId",
  storage_blob_container_name: "blobContainerName",
  active_directory_app_id_or_uri: "azureActiveDirectoryApplicationIdOrUri",
  active_directory_tenant_id: "azureActiveDirectoryTenantId",
  event_time_to_live: "eventTimeToLiveInMinutes",
};

/** The types of destinations, by the beginning of the attribute or block that azurerm has them in. */
const DESTINATIONS: Readonly<Record<string, string>> = {
  webhook: "WebHook",
  azure_function: "AzureFunction",
  storage_queue: "StorageQueue",
  eventhub: "EventHub",
  hybrid_connection: "HybridConnection",
  service_bus_queue: "ServiceBusQueue",
  service_bus_topic: "ServiceBusTopic",
};

/** Returns azurerm's attributes in the form of Resource Manager's properties. */
function azurermProperties(change: PlannedChange, attributes: Attributes): Attributes {
  const settings = (name: string): unknown => {
    const [block] = blocksOf(attributes[name]);
    if (block === undefined || block === UNKNOWN) return block;
    return Object.fromEntries(
      Object.entries(block).map(([field, value]) => [NAMES[field] ?? camelCase(field), value]),
    );
  };
  const destinations = Object.keys(attributes).flatMap((name) => {
    const endpointType = DESTINATIONS[destinationIn(name)];
    const value = attributes[name];
    const isId = name.endsWith("_id");
    const given = !isId
      ? settings(name)
      : isConfigured(change, name, value) && { resourceId: value };
    const headers = attributes.delivery_property;
    const properties = isObject(given) ? { ...given, deliveryAttributeMappings: headers } : given;
    return endpointType && given ? [{ endpointType, properties }] : [];
  });
  const container = settings("storage_blob_dead_letter_destination");
  const filter = azurermFilter(attributes);
  const types = filter.includedEventTypes;
  const isDefault = types === UNKNOWN && !isConfigured(change, "included_event_types", types);
  return {
    deliveryWithResourceIdentity: {
      destination: destinations[0],
      identity: settings("delivery_identity"),
    },
    deadLetterWithResourceIdentity: {
      deadLetterDestination: isObject(container) ? { properties: container } : container,
      identity: settings("dead_letter_identity"),
    },
    retryPolicy: settings("retry_policy"),
    eventDeliverySchema: attributes.event_delivery_schema,
    expirationTimeUtc: attributes.expiration_time_utc,
    // Which types are delivered if none is named depends on the source.
    filter: isDefault ? { ...filter, includedEventTypes: [] } : filter,
  };
}

const destinationIn = (name: string) => withoutEnd(withoutEnd(name, "_id"), "_endpoint");

export const isDestination = (name: string) => Object.hasOwn(DESTINATIONS, destinationIn(name));

/**
 * Whether a value is set. The provider computes an unknown one that the configuration does not name, unless
 * it can be of dynamic blocks, which no plan names.
 *
 * @see https://github.com/hashicorp/terraform/issues/28346
 */
export function isConfigured(change: PlannedChange, attribute: string, value: unknown): boolean {
  if (value !== UNKNOWN) return Boolean(value);
  const old = change.before?.[attribute];
  const isBlock = Array.isArray(old) && old.length === blocksOf(old).length;
  return isBlock || change.references(attribute)?.length !== 0;
}
