import type { Dependency } from "./dependencies.js";
import { azapiProperties, blocksOf, UNKNOWN } from "./filters/index.js";
import type { Finding } from "./finding.js";
import { EXISTENCE } from "./harmless.js";
import type { Attributes } from "./read-plan.js";
import { audienceOf, comparable, get, idOf, same, type Use } from "./resources.js";

/** One side of a resource; undefined where it does not exist. */
type Side = Attributes | undefined;

/** Whether what arrived before a change arrives afterwards, too; undefined if nobody can tell. */
type Keeps = (before: Side, after: Side, dependency: Dependency) => boolean | undefined;

/** What deliveries make of a setting of a resource that they depend on. */
export interface Neighbour {
  readonly types: RegExp;
  /** The names of the setting: those of azurerm or azuread, and those of Resource Manager for azapi. */
  readonly attributes: readonly string[];
  readonly uses: readonly Use[];
  readonly keeps: Keeps;
  /** The check, where it is not that of what needs the resource. */
  readonly check?: Finding["check"];
  /** What is wrong when it does not. */
  readonly says: string;
  /** Whether it is only possible then that events are lost: whom it cuts off is not in the plan. */
  readonly isOpen?: true;
}

const ACCOUNT = /^azurerm_storage_account$|^Microsoft\.Storage\/storageAccounts$/i;
const ACCOUNT_RULES = /^azurerm_storage_account_network_rules$/;
const BROKER =
  /^azurerm_(servicebus|eventhub|relay)_namespace$|^Microsoft\.(ServiceBus|EventHub|Relay)\/namespaces$/i;
const BROKER_RULES =
  /^azurerm_servicebus_namespace_network_rule_set$|^Microsoft\.(ServiceBus|EventHub)\/namespaces\/networkRuleSets$/i;
const ENTITY =
  /^azurerm_(servicebus_(queue|topic)|eventhub)$|^Microsoft\.(ServiceBus|EventHub)\/namespaces\/(queues|topics|eventhubs)$/i;
const TOPIC = /^azurerm_eventgrid_|^Microsoft\.EventGrid\//i;
const CONTAINER_APP = /^azurerm_container_app$/;
const WEB_APP = /^azurerm_(linux|windows)_(function|web)_app(_slot)?$|^azurerm_function_app_flex_/;
const APP_ROLE = "AzureEventGridSecureWebhookSubscriber";

const NETWORK = [
  ...["public_network_access_enabled", "public_network_access", "publicNetworkAccess"],
  ...["default_action", "defaultAction", "bypass", "ip_rules", "ipRules", "network_rules"],
  ...["virtual_network_subnet_ids", "virtualNetworkRules", "private_link_access", "networkAcls"],
  ...["network_rule_set", "network_rulesets", "trusted_services_allowed"],
  "trustedServiceAccessEnabled",
];
const KEYS = [
  ...["shared_access_key_enabled", "allowSharedKeyAccess", "local_auth_enabled"],
  ...["local_authentication_enabled", "disableLocalAuth"],
];

/** The table. What neither it nor the list of harmless settings has is unknown. */
export const NEIGHBOURS: readonly Neighbour[] = [
  ...[ACCOUNT, BROKER].map((types) => ({
    types,
    attributes: NETWORK,
    uses: ["target"] as const,
    keeps: passing(isLetIn(types === ACCOUNT)),
    says: "its network rules refuse Event Grid",
  })),
  ...[ACCOUNT_RULES, BROKER_RULES].map((types) => ({
    types,
    attributes: [EXISTENCE, ...NETWORK],
    uses: ["target"] as const,
    keeps: passing(isLetIn(types === ACCOUNT_RULES)),
    says: "they refuse Event Grid",
  })),
  ...[ACCOUNT, BROKER].map((types) => ({
    types,
    attributes: KEYS,
    uses: ["target"] as const,
    keeps: passing((side, { identity }) => areKeysOn(side) || Boolean(identity)),
    says: "access keys are switched off, and events are written without an identity",
  })),
  {
    types: ACCOUNT,
    attributes: ["min_tls_version", "minimumTlsVersion"],
    uses: ["target"],
    keeps: passing(
      (side) => !/1_3/.test(String(value(side, "min_tls_version", "minimumTlsVersion"))),
    ),
    says: "it demands TLS 1.3",
    isOpen: true,
  },
  {
    types: ENTITY,
    attributes: ["status"],
    uses: ["target"],
    keeps: passing(
      (side, { place }) =>
        place !== "itself" || !/^(Send)?Disabled$/i.test(String(value(side, "status"))),
    ),
    says: "it is disabled",
  },
  {
    types: ENTITY,
    attributes: [
      ...["default_message_ttl", "defaultMessageTimeToLive", "max_size_in_megabytes"],
      ...["maxSizeInMegabytes", "message_retention", "messageRetentionInDays", "partition_count"],
    ],
    uses: ["target"],
    keeps: isLarger(
      ["default_message_ttl", "defaultMessageTimeToLive"],
      ["max_size_in_megabytes", "maxSizeInMegabytes"],
      ["message_retention", "messageRetentionInDays"],
      ["partition_count"],
    ),
    says: "it holds fewer events, or for a shorter time",
    isOpen: true,
  },
  {
    types: TOPIC,
    attributes: KEYS,
    uses: ["source"],
    keeps: passing(areKeysOn),
    says: "access keys are switched off: publishers that use them are refused",
    isOpen: true,
  },
  {
    types: TOPIC,
    attributes: [...NETWORK, "inbound_ip_rule", "inboundIpRules"],
    uses: ["source"],
    keeps(before, after) {
      if (!isPublic(before)) return true;
      const rules = [before, after].map((side) =>
        blocksOf(value(side, "inbound_ip_rule", "inboundIpRules")),
      );
      const [old = [], next = []] = rules;
      if (!isPublic(after)) return false;
      if (next.length === 0) return true;
      return old.length > 0 && old.every((rule) => next.some((other) => same(other, rule)));
    },
    says: "network rules change: publishers outside of them are refused",
    isOpen: true,
  },
  {
    types: TOPIC,
    attributes: ["minimum_tls_version", "minimumTlsVersionAllowed"],
    uses: ["source"],
    keeps: isLarger(["minimum_tls_version", "minimumTlsVersionAllowed", -1]),
    says: "a later version of TLS is demanded: publishers with an older one are refused",
    isOpen: true,
  },
  {
    types: TOPIC,
    attributes: ["event_retention_in_days", "eventRetentionInDays"],
    uses: ["source"],
    keeps: isLarger(["event_retention_in_days", "eventRetentionInDays"]),
    check: "retries",
    says: "events are kept for a shorter time",
  },
  {
    types: TOPIC,
    attributes: ["capacity"],
    uses: ["source"],
    keeps: isLarger(["capacity"]),
    says: "it takes fewer events in a second",
    isOpen: true,
  },
  {
    types: TOPIC,
    attributes: ["identity"],
    uses: ["source"],
    keeps(before, after, { subscription: { after: one } = {} }) {
      if (one === undefined) return hasAll(before, after) || undefined;
      const used = [one.destination.identity, one.deadLetters?.identity].filter(Boolean);
      const ids = used.map(
        (each) => idOf(get(each, "userAssignedIdentity") ?? undefined) ?? SYSTEM,
      );
      return hasAll(before, after, ids);
    },
    check: "identity",
    says: "what is delivered with an identity that it loses fails",
  },
  {
    types: CONTAINER_APP,
    attributes: ["identity"],
    uses: ["receiver", "identity"],
    keeps: (before, after) => hasAll(before, after),
    says: "what it does with an identity that it loses fails",
    isOpen: true,
  },
  {
    types: WEB_APP,
    attributes: ["identity"],
    uses: ["receiver", "identity"],
    keeps: (before, after) => hasAll(before, after),
    says: "what it does with an identity that it loses fails",
    isOpen: true,
  },
  {
    types: /^azuread_application$/,
    attributes: ["identifier_uris"],
    uses: ["application"],
    keeps: passing((side, dependency) => {
      const names = [side?.identifier_uris, side?.client_id].flat();
      return (
        names.map(idOf).includes(audienceFor(dependency)) ||
        (names.includes(UNKNOWN) ? undefined : false)
      );
    }),
    says: "it loses the identifier that tokens are requested for",
  },
  {
    types: /^azuread_application_identifier_uri$/,
    attributes: [EXISTENCE, "identifier_uri"],
    uses: ["application"],
    keeps: (before, after, dependency) =>
      idOf(before?.identifier_uri) !== audienceFor(dependency) ||
      same(idOf(before?.identifier_uri), idOf(after?.identifier_uri)),
    says: "it is the identifier that tokens are requested for, and is removed or changes",
  },
  {
    types: /^azuread_application$/,
    attributes: ["app_role"],
    uses: ["application"],
    keeps: passing(
      (side) => blocksOf(side?.app_role).some(isSubscriberRole) || isLater(side?.app_role),
    ),
    says: "the app role of Event Grid's tokens is removed or disabled",
  },
  {
    types: /^azuread_application_app_role$/,
    attributes: [EXISTENCE, "value", "role_id", "allowed_member_types"],
    uses: ["application"],
    keeps: (before, after) =>
      before?.value !== APP_ROLE ||
      same([before.value, before.role_id], [after?.value, after?.role_id]),
    says: "the app role of Event Grid's tokens is removed or changes",
  },
  {
    types: /^azuread_service_principal$/,
    attributes: ["account_enabled"],
    uses: ["application"],
    keeps: passing((side) => side?.account_enabled !== false),
    says: "it is disabled: Event Grid gets no tokens for it",
  },
  {
    types: CONTAINER_APP,
    attributes: ["ingress"],
    uses: ["receiver"],
    keeps(before, after) {
      const [old, next] = [before, after].map((side) => blocksOf(side?.ingress)[0]);
      const isOpen = (one: unknown) =>
        get(one, "external_enabled") === true &&
        !/^require$/i.test(String(get(one, "client_certificate_mode")));
      if (!isOpen(old)) return true;
      if (!isOpen(next)) return isLater([get(next, "external_enabled")]);
      const names = ["target_port", "transport", "exposed_port", "ip_security_restriction"];
      return (
        same(
          ...([old, next].map((one) => names.map((name) => get(one, name))) as [unknown, unknown]),
        ) || undefined
      );
    },
    says: "its ingress no longer takes requests from Event Grid",
  },
  {
    types: /^azurerm_container_app_environment$/,
    attributes: ["public_network_access"],
    uses: ["receiver"],
    keeps: passing((side) => side?.public_network_access !== "Disabled"),
    says: "it is no longer public",
  },
  {
    types: WEB_APP,
    attributes: ["enabled", "public_network_access_enabled"],
    uses: ["receiver"],
    keeps: passing(
      (side) => side?.enabled !== false && side?.public_network_access_enabled !== false,
    ),
    says: "it is switched off, or no longer public",
  },
  {
    types: WEB_APP,
    attributes: ["client_certificate_enabled", "client_certificate_mode"],
    uses: ["receiver"],
    keeps: passing(
      (side) =>
        side?.client_certificate_enabled !== true ||
        /^Optional/.test(String(side.client_certificate_mode)),
    ),
    says: "it demands client certificates, and Event Grid has none",
  },
  {
    types: WEB_APP,
    attributes: ["site_config"],
    uses: ["receiver"],
    keeps(before, after) {
      const [old, next] = [before, after].map((side) =>
        blocksOf(side?.site_config).map((block) =>
          block === UNKNOWN
            ? block
            : Object.entries(block).filter(([name]) => /^ip_restriction/.test(name)),
        ),
      );
      return same(old, next);
    },
    says: "its access restrictions change",
    isOpen: true,
  },
  {
    types: /^azurerm_private_endpoint$|^Microsoft\.Network\/privateEndpoints$/i,
    attributes: [EXISTENCE, "private_dns_zone_group", "private_service_connection", "properties"],
    uses: ["access"],
    keeps(before, after, dependency) {
      const leads = (side: Side) => [
        get(blocksOf(side?.private_service_connection)[0], "private_connection_resource_id"),
        get(blocksOf(side?.private_dns_zone_group)[0], "private_dns_zone_ids"),
      ];
      if (before === undefined || (after && same(leads(before), leads(after)))) return true;
      return isElsewhereReached(dependency);
    },
    says: "publishers and consumers no longer reach the topic through it",
  },
  {
    types: /private_?dns_?zone|^azurerm_private_dns_/i,
    attributes: [EXISTENCE, "records", "record"],
    uses: ["access"],
    keeps(before, after, dependency) {
      const old = [before?.records ?? [], before?.record ?? []].flat();
      const next = [after?.records ?? [], after?.record ?? []].flat();
      if (before === undefined || (after && old.every((one) => next.includes(one)))) return true;
      return isElsewhereReached(dependency);
    },
    says: "publishers and consumers no longer find the private address of the topic",
  },
  {
    types: /./,
    attributes: [EXISTENCE],
    uses: ["origin"],
    keeps: (_, after) => after !== undefined,
    says: "it is destroyed, and its events end",
  },
  {
    types: /^azurerm_management_lock$|\/locks$/i,
    attributes: [EXISTENCE, "lock_level", "level"],
    uses: ["source", "target", "receiver", "identity", "origin"],
    keeps: (_, after) =>
      after === undefined || /^CanNotDelete$/i.test(String(value(after, "lock_level", "level"))),
    says: "it is locked against what needs its keys",
    isOpen: true,
  },
];

/** Compares by a question that each side answers: whoever was refused before loses nothing. */
function passing(passes: (side: Side, dependency: Dependency) => boolean | undefined): Keeps {
  return (before, after, dependency) =>
    passes(before, dependency) === false || passes(after, dependency);
}

/** A number or a duration of each pair of names must not become smaller; with -1, not larger. */
function isLarger(...pairs: readonly (readonly (string | -1)[])[]): Keeps {
  return (before, after) => {
    const verdicts = pairs.map((names) => {
      const sign = names.includes(-1) ? -1 : 1;
      const texts = names.filter((name) => typeof name === "string");
      const [old, next] = [before, after].map((side) => value(side, ...texts));
      if (same(old, next)) return true;
      const [a, b] = [comparable(old), comparable(next)];
      return a === undefined || b === undefined ? undefined : sign * b >= sign * a;
    });
    return verdicts.includes(false) ? false : verdicts.includes(undefined) ? undefined : true;
  };
}

/** The first of these attributes, or of azapi's properties, that is there. */
function value(side: Side, ...names: readonly string[]): unknown {
  const all = settingsOf(side);
  return names.map((name) => all[name]).find((each) => each != null);
}

function settingsOf(side: Side): Attributes {
  const properties = side?.body == null ? undefined : azapiProperties(side.body);
  return { ...side, ...(properties === UNKNOWN ? {} : Object(properties)) };
}

const isLater = (part: unknown) => ([part].flat().includes(UNKNOWN) ? undefined : false);

/** Whether Event Grid may come in, by the network rules of a resource, or of one that has only these. */
function isLetIn(isAccount: boolean) {
  return (side: Side, { identity, check }: Dependency): boolean | undefined => {
    const own = settingsOf(side);
    const nested = isAccount
      ? [own.network_rules, own.networkAcls]
      : [own.network_rule_set, own.network_rulesets];
    const [rules = own] = nested.flatMap(blocksOf);
    if (rules === UNKNOWN) return undefined;
    const names = ["public_network_access_enabled", "public_network_access", "publicNetworkAccess"];
    const access = [own, rules].flatMap((one) => names.map((name) => one[name]));
    const action = rules.default_action ?? rules.defaultAction;
    const trusted =
      rules.trusted_services_allowed ??
      rules.trusted_service_access_enabled ??
      rules.trustedServiceAccessEnabled ??
      rules.bypass ??
      (isAccount && "AzureServices");
    if ([action, ...access, trusted].flat().includes(UNKNOWN)) return undefined;
    const isOff = access.some(isClosed);
    if (!isOff && !/^Deny$/i.test(String(action))) return true;
    const isTrusted = [trusted]
      .flat()
      .some((one) => one === true || /AzureServices/i.test(String(one)));
    if (!isTrusted) return false;
    // Without an identity, only publishing to storage queues is documented.
    if (!identity && !isAccount) return false;
    if (!identity && check !== "destination") return undefined;
    // User-assigned identities do not pass, by some pages. Nor is it documented everywhere whether the
    // exception outlives public access.
    return isOff || get(identity, "userAssignedIdentity") ? undefined : true;
  };
}

const isClosed = (access: unknown) =>
  access === false || /^(Disabled|SecuredByPerimeter)$/i.test(String(access));

/** Whether clients may use keys; undefined if the plan does not say. */
export function areKeysOn(side: Side): boolean | undefined {
  const own = settingsOf(side);
  const switches = KEYS.slice(0, -1).map((name) => own[name]);
  if ([...switches, own.disableLocalAuth].includes(UNKNOWN)) return undefined;
  return !switches.includes(false) && own.disableLocalAuth !== true;
}

function isPublic(side: Side): boolean {
  const own = settingsOf(side);
  const { public_network_access_enabled: enabled, public_network_access: access } = own;
  return ![enabled, access, own.publicNetworkAccess].some(isClosed);
}

/** Without public access nothing else leads to a topic; with it, nobody knows what a client resolves. */
function isElsewhereReached({ source }: Dependency): boolean | undefined {
  return source?.after === undefined || isPublic(source.after) ? undefined : false;
}

const SYSTEM = "system";

/** Whether the needed identities, or all, are still there; undefined if they are not known. */
function hasAll(before: Side, after: Side, needed?: readonly unknown[]): boolean | undefined {
  const [old, next] = [before, after].map((side) => {
    const [block] = [side?.identity ?? []].flat();
    const ids = get(block, "identity_ids") ?? get(block, "userAssignedIdentities") ?? [];
    const list = Array.isArray(ids) ? ids : Object.keys(Object(ids));
    const type = get(block, "type");
    if ([block, type, ids, ...list].includes(UNKNOWN)) return undefined;
    return [...(/SystemAssigned/i.test(String(type)) ? [SYSTEM] : []), ...list.map(idOf)];
  });
  if (old === undefined || next === undefined) return undefined;
  return (needed ?? old).every((one) => !old.includes(one) || next.includes(one));
}

const isSubscriberRole = (role: unknown) =>
  get(role, "value") === APP_ROLE && get(role, "enabled") !== false;

function audienceFor({ subscription }: Dependency): unknown {
  return idOf(subscription?.after && audienceOf(subscription.after.destination));
}
