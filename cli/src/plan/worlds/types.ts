import { get, UNKNOWN } from "../../rules/index.js";
import {
  type Attributes,
  blocksOf,
  oneOf,
  type PlannedChange,
  principalOf,
  systemPrincipalOf,
  typeOf,
} from "../terraform/index.js";

/** Sets values of a resource, by their paths in Resource Manager's form. */
type Values = Readonly<Record<string, unknown>>;

/** Turns an attribute of a provider into Resource Manager's form. */
type Turn = string | ((value: unknown) => Values);

/** The values of a type that the rules read, by the provider's attributes. */
interface Table {
  readonly types: RegExp;
  readonly attributes: Readonly<Record<string, Turn>>;
  /** Further attributes that the rules read. */
  readonly others?: RegExp;
}

const switched =
  (path: string, on: unknown, off: unknown) =>
  (value: unknown): Values => ({ [path]: value === false ? off : value === true ? on : value });
const enabled = switched("properties.publicNetworkAccess", "Enabled", "Disabled");
const disableLocalAuth = switched("properties.disableLocalAuth", false, true);

const identity = (value: unknown): Values => {
  const [block] = blocksOf(value);
  if (block === undefined) return {};
  const ids = get(block, "identity_ids");
  const list: readonly unknown[] = Array.isArray(ids) ? ids : [];
  const type = get(block, "type");
  const isSystem = type === UNKNOWN || /SystemAssigned/i.test(String(type));
  const users = Object.fromEntries(list.map((id) => [String(id), {}]));
  const isLater = block === UNKNOWN || ids === UNKNOWN || list.includes(UNKNOWN);
  return {
    "identity.type": type,
    // Terraform shows the principal only where the identity exists already.
    "identity.principalId": isSystem ? (text(get(block, "principal_id")) ?? UNKNOWN) : undefined,
    "identity.userAssignedIdentities": isLater ? UNKNOWN : users,
  };
};

/** The rules of an account's network, as a block or as a resource. */
const networkAcls = (rules: unknown): Values => {
  const [block] = blocksOf(rules);
  if (block === undefined) return {};
  if (block === UNKNOWN) return { "properties.networkAcls": UNKNOWN };
  const bypass = block.bypass;
  const resources = blocksOf(block.private_link_access).map((one) => ({
    resourceId: get(one, "endpoint_resource_id"),
  }));
  return {
    "properties.networkAcls.defaultAction": block.default_action,
    "properties.networkAcls.bypass": Array.isArray(bypass)
      ? bypass.includes(UNKNOWN)
        ? UNKNOWN
        : bypass.join(", ") || "None"
      : bypass,
    "properties.networkAcls.resourceAccessRules": resources,
  };
};

const trusted = "properties.trustedServiceAccessEnabled";

/** Service Bus has one name of the switch, Event Hubs another one. */
const RULE_SET: Readonly<Record<string, Turn>> = {
  default_action: "properties.defaultAction",
  trusted_services_allowed: trusted,
  trusted_service_access_enabled: trusted,
  public_network_access_enabled: enabled,
};

/** The types that the rules read. What they read of azapi has Resource Manager's names already. */
const TABLES: readonly Table[] = [
  {
    types: oneOf("azurerm_storage_account"),
    attributes: {
      account_kind: "kind",
      shared_access_key_enabled: "properties.allowSharedKeyAccess",
      public_network_access_enabled: enabled,
      network_rules: networkAcls,
    },
  },
  {
    types: oneOf("azurerm_storage_account_network_rules"),
    attributes: { "": networkAcls },
    others: oneOf("default_action bypass private_link_access"),
  },
  {
    types: oneOf("azurerm_(servicebus|eventhub)_namespace"),
    attributes: {
      sku: "sku.name",
      local_auth_enabled: disableLocalAuth,
      local_authentication_enabled: disableLocalAuth,
      public_network_access_enabled: enabled,
    },
    others: oneOf("network_rule_set network_rulesets"),
  },
  { types: oneOf("azurerm_servicebus_namespace_network_rule_set"), attributes: RULE_SET },
  {
    types: oneOf("azurerm_signalr_service"),
    attributes: {
      service_mode: (value) => ({ "properties.features": [{ flag: "ServiceMode", value }] }),
    },
  },
  {
    types: oneOf("azurerm_servicebus_(queue|topic) azurerm_eventhub"),
    attributes: { status: "properties.status" },
  },
  {
    types: oneOf("azurerm_eventgrid_(topic|domain|namespace|system_topic)"),
    attributes: {
      source_resource_id: "properties.source",
      source_arm_resource_id: "properties.source",
      local_auth_enabled: disableLocalAuth,
      public_network_access_enabled: enabled,
      public_network_access: "properties.publicNetworkAccess",
      inbound_ip_rule: (value) => ({
        "properties.inboundIpRules":
          value === UNKNOWN
            ? UNKNOWN
            : blocksOf(value).map((rule) => ({ ipMask: get(rule, "ip_mask") })),
      }),
      identity,
    },
  },
  {
    types: oneOf("azurerm_user_assigned_identity"),
    attributes: { principal_id: "properties.principalId" },
  },
];

/** The attributes of azapi's resources that the rules read. */
const OF_AZAPI =
  oneOf(`kind allowSharedKeyAccess disableLocalAuth publicNetworkAccess networkAcls status
  defaultAction trustedServiceAccessEnabled inboundIpRules`);

/** The attributes of Entra's objects that the rules read. */
const OF_ENTRA: readonly (readonly [RegExp, RegExp])[] = [
  [oneOf("azuread_application"), oneOf("identifier_uris app_role client_id")],
  [oneOf("azuread_application_(app_role|identifier_uri)"), /./],
  [oneOf("azuread_service_principal"), oneOf("account_enabled client_id")],
];

/** These decide more than the rules read: the limits of a destination, and which resource raises events. */
const DECIDING_MORE = oneOf("sku source_resource_id source_arm_resource_id");

export function isJudged(change: PlannedChange, attribute: string): boolean {
  if (DECIDING_MORE.test(attribute)) return false;
  const table = TABLES.find(({ types }) => types.test(change.type));
  if (table !== undefined) {
    return Object.hasOwn(table.attributes, attribute) || table.others?.test(attribute) === true;
  }
  const ofEntra = OF_ENTRA.some(
    ([types, names]) => types.test(change.type) && names.test(attribute),
  );
  if (!change.type.startsWith("azapi_")) return ofEntra;
  // Nothing says which services of Azure the network of a relay admits.
  if (/Microsoft\.Relay/i.test(typeOf(change))) return false;
  if (attribute === "features") return /Microsoft\.SignalRService/i.test(typeOf(change));
  const ofTopic = attribute === "identity" && /Microsoft\.EventGrid/i.test(typeOf(change));
  return ofTopic || OF_AZAPI.test(attribute);
}

/** One side of a change in Resource Manager's form. */
export function bodyOf(change: PlannedChange, side: Attributes): unknown {
  if (change.type.startsWith("azapi_")) {
    const { identity: own, kind, sku } = side;
    const properties = side.body === UNKNOWN ? UNKNOWN : side;
    // In a block it has the provider's names, in the body those of Resource Manager.
    const written = Array.isArray(own)
      ? valuesOf({ identity }, side, () => own)
      : { identity: own };
    return over(over(written, { kind, sku, properties }), shownIn(change, side));
  }
  const table = TABLES.find(({ types }) => types.test(change.type));
  return valuesOf(table?.attributes ?? {}, side, (name) => side[name]);
}

/** The principals that Azure has set, where azapi reads them. */
function shownIn(change: PlannedChange, side: Attributes): unknown {
  const [user, system] = [principalOf(change, side), systemPrincipalOf(change, side)];
  return {
    ...(user !== undefined && { properties: { principalId: user } }),
    ...(system !== undefined && { identity: { principalId: system } }),
  };
}

/** The rule set that a namespace has as a block. */
export function ruleSetOf(side: Attributes): unknown {
  const [block] = [side.network_rule_set, side.network_rulesets].flatMap(blocksOf);
  if (block === undefined) return undefined;
  if (block === UNKNOWN) return { properties: UNKNOWN };
  return valuesOf(RULE_SET, block, (name) => block[name]);
}

function valuesOf(
  attributes: Table["attributes"],
  side: Attributes,
  read: (name: string) => unknown,
): unknown {
  let body: unknown = {};
  for (const [name, turn] of Object.entries(attributes)) {
    const value = name === "" ? side : read(name);
    if (value == null) continue;
    const values = typeof turn === "string" ? { [turn]: value } : turn(value);
    for (const [path, each] of Object.entries(values)) {
      const names = path.split(".");
      body = over(
        body,
        names.reduceRight<unknown>((inner, outer) => ({ [outer]: inner }), each),
      );
    }
  }
  return body;
}

/** One body over another, as a later write leaves it. */
export function over(body: unknown, patch: unknown): unknown {
  const isObject = (value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject(body) || !isObject(patch)) return patch ?? body;
  const [old, next]: [Attributes, Attributes] = [Object(body), Object(patch)];
  return Object.fromEntries(
    Object.keys({ ...old, ...next }).map((name) => [name, over(old[name], next[name])]),
  );
}

const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
