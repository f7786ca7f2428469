import { get, UNKNOWN } from "../../rules/index.js";
import { ENTITY, EXISTENCE, LOCK } from "../graph/index.js";
import { blocksOf, type Side, same, value } from "../terraform/index.js";
import { hasAll } from "../worlds/index.js";
import { isLarger, isLargerBesides, type Keeps, type Neighbour, passing } from "./keeps.js";

const isClosed = (access: unknown) =>
  access === false || /^(Disabled|SecuredByPerimeter)$/i.test(String(access));

function isPublic(side: Side): boolean {
  const own = side ?? {};
  const { public_network_access_enabled: enabled, public_network_access: access } = own;
  return ![enabled, access, own.publicNetworkAccess].some(isClosed);
}

/** Keeps each way to a topic. Only without public access is it certain that there is no other. */
function leading(places: (side: Side) => readonly unknown[]): Keeps {
  return (before, after, { source }) => {
    const next = places(after);
    const isKept = (one: unknown) => one == null || next.some((each) => same(one, each));
    if (before === undefined || (after && places(before).every(isKept))) return true;
    return source?.after === undefined || isPublic(source.after) ? undefined : false;
  };
}

/** The lifecycle rules of an account that are on. */
const lifecycleRules = (side: Side) =>
  [side?.rule ?? get(side?.policy, "rules") ?? []]
    .flat()
    .filter((rule: unknown) => get(rule, "enabled") !== false);

/** The beginnings of the blobs, with their container, that a lifecycle rule is for; an empty one is any. */
function prefixesOf(rule: unknown): unknown[] {
  if (rule === UNKNOWN) return [UNKNOWN];
  const [filters] = blocksOf(get(rule, "filters") ?? get(rule, "definition", "filters"));
  const prefixes = [get(filters, "prefix_match") ?? get(filters, "prefixMatch") ?? []].flat();
  return prefixes.length > 0 ? prefixes : [""];
}

const ACCOUNT = /^azurerm_storage_account$|^Microsoft\.Storage\/storageAccounts$/i;
const BROKER =
  /^azurerm_(servicebus|eventhub|relay)_namespace$|^Microsoft\.(ServiceBus|EventHub|Relay)\/namespaces$/i;
const TOPIC = /^azurerm_eventgrid_|^Microsoft\.EventGrid\//i;
/** @see https://learn.microsoft.com/azure/event-grid/event-retention */
const MAX_RETENTION_DAYS = 7;

/** The table. What neither it nor the list of harmless settings has is unknown. */
export const NEIGHBOURS: readonly Neighbour[] = [
  {
    types: /^azuread_application$/,
    attributes: ["api"],
    uses: ["application"],
    keeps(before, after) {
      const [old, next] = [before, after].map(
        (side) => get(blocksOf(side?.api)[0], "requested_access_token_version") ?? 1,
      );
      return same(old, next) || undefined;
    },
    says: "the receiver accepts tokens of another version",
  },
  {
    types: /^azuread_service_principal$/,
    attributes: ["app_role_assignment_required"],
    uses: ["application"],
    keeps: passing((side) => side?.app_role_assignment_required !== true || undefined),
    says: "Event Grid and the writers have an app role, without which they get no tokens",
  },
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
    attributes: [
      ...["default_message_ttl", "defaultMessageTimeToLive", "max_size_in_megabytes"],
      ...["maxSizeInMegabytes", "message_retention", "messageRetentionInDays", "partition_count"],
      ...["partitionCount", "max_message_size_in_kilobytes", "maxMessageSizeInKilobytes"],
    ],
    uses: ["target"],
    keeps: isLarger(
      ["default_message_ttl", "defaultMessageTimeToLive"],
      ["max_size_in_megabytes", "maxSizeInMegabytes"],
      ["message_retention", "messageRetentionInDays"],
      ["partition_count", "partitionCount"],
      ["max_message_size_in_kilobytes", "maxMessageSizeInKilobytes"],
    ),
    says: "it holds fewer events, or for a shorter time",
    isOpen: true,
  },
  {
    types: ENTITY,
    attributes: ["retention_description", "retentionDescription"],
    uses: ["target"],
    keeps: isLargerBesides((side) => {
      const [block] = blocksOf(value(side, "retention_description", "retentionDescription"));
      const {
        retention_time_in_hours: hours,
        retentionTimeInHours = hours,
        ...rest
      } = Object(block);
      return { number: retentionTimeInHours, rest };
    }),
    says: "it holds events for a shorter time",
    isOpen: true,
  },
  {
    types: ENTITY,
    attributes: ["dead_lettering_on_message_expiration", "deadLetteringOnMessageExpiration"],
    uses: ["target"],
    keeps: passing(
      (side) =>
        value(side, "dead_lettering_on_message_expiration", "deadLetteringOnMessageExpiration") ===
        true,
    ),
    says: "it drops expired events instead of keeping them as dead letters",
    isOpen: true,
  },
  {
    types: BROKER,
    attributes: ["capacity", "sku"],
    uses: ["target"],
    keeps: isLargerBesides((side) => ({
      number: side?.capacity ?? get(side?.sku, "capacity"),
      rest: get(side?.sku, "name") ?? side?.sku,
    })),
    says: "it takes fewer events in a second",
    isOpen: true,
  },
  {
    types: TOPIC,
    attributes: ["minimum_tls_version", "minimumTlsVersionAllowed"],
    uses: ["source"],
    keeps: isLarger(["minimum_tls_version", "minimumTlsVersionAllowed", -1]),
    says: "a later version of TLS is demanded: clients with an older one are refused",
    isOpen: true,
  },
  {
    types: TOPIC,
    attributes: ["event_retention_in_days", "eventRetentionInDays"],
    uses: ["source"],
    keeps(before, after, dependency) {
      const names = ["event_retention_in_days", "eventRetentionInDays"];
      return (
        value(after, ...names) === MAX_RETENTION_DAYS || isLarger(names)(before, after, dependency)
      );
    },
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
    types: new RegExp([ACCOUNT, BROKER].map(({ source }) => source).join("|"), "i"),
    attributes: ["identity"],
    uses: ["target", "identity"],
    keeps: hasAll,
    says: "what it does with an identity that it loses fails",
    isOpen: true,
  },
  {
    types: /^azurerm_private_endpoint$|^Microsoft\.Network\/privateEndpoints$/i,
    attributes: [EXISTENCE, "private_dns_zone_group", "private_service_connection", "properties"],
    uses: ["access"],
    keeps: leading((side) => [
      get(blocksOf(side?.private_service_connection)[0], "private_connection_resource_id"),
      get(blocksOf(side?.private_dns_zone_group)[0], "private_dns_zone_ids"),
    ]),
    says: "clients no longer reach the topic through it",
  },
  {
    types: /private_?dns_?zone|^azurerm_private_dns_/i,
    attributes: [EXISTENCE, "records", "record"],
    uses: ["access"],
    keeps: leading((side) => [side?.records ?? [], side?.record ?? []].flat()),
    says: "clients no longer find the private address of the topic",
  },
  {
    types: /./,
    attributes: [EXISTENCE],
    uses: ["origin"],
    keeps: (_, after) => after !== undefined,
    says: "it is destroyed, and its events end",
  },
  {
    types: /^azurerm_storage_management_policy$|\/managementPolicies$/i,
    attributes: [EXISTENCE, "rule", "policy"],
    uses: ["target"],
    keeps(before, after, { check, subscription }) {
      const [, container = ""] =
        /\/containers\/(.*)$/.exec(String(subscription?.after?.deadLetters?.place)) ?? [];
      if (check !== "dead-letters" || after === undefined) return true;
      const [old, next] = [before, after].map(lifecycleRules);
      const added = next?.filter((rule) => !old?.some((one) => same(one, rule))) ?? [];
      const prefixes = added.flatMap(prefixesOf);
      if (prefixes.includes(UNKNOWN)) return undefined;
      const isOf = (prefix: string) =>
        `${container}/`.startsWith(prefix) || prefix.startsWith(`${container}/`);
      return !prefixes.some((prefix) => isOf(String(prefix)));
    },
    says: "a lifecycle rule deletes or archives its blobs",
    isOpen: true,
  },
  {
    types: LOCK,
    attributes: [EXISTENCE, "lock_level", "level"],
    uses: ["source", "target", "identity", "origin"],
    keeps: (_, after) =>
      after === undefined || /^CanNotDelete$/i.test(String(value(after, "lock_level", "level"))),
    says: "it is locked against what needs its keys",
    isOpen: true,
  },
];
