import { groupsOf, isObject } from "cloud-eventgrid-binding-runtime/internal";
import { itemsOf } from "../../collections.js";
import { get, isNotPublic, isOneOf, UNKNOWN } from "../../rules/index.js";
import type { Finding } from "../finding.js";
import {
  ACCOUNT,
  CONTAINER,
  type Dependency,
  ENTITY,
  EVENT_HUB,
  EXISTENCE,
  LOCK,
} from "../graph/index.js";
import {
  blocksOf,
  camelCase,
  comparable,
  oneOf,
  type Side,
  same,
  type Use,
} from "../terraform/index.js";
import { identitiesOf } from "../worlds/index.js";

/**
 * Tells whether events still arrive after an attribute has changed as they did before; undefined if nobody
 * can. For {@link EXISTENCE}, the values are the sides of the resource.
 */
type Keeps = (old: unknown, next: unknown, dependency: Dependency) => boolean | undefined;

/** A setting that matters to deliveries, of a resource that they depend on. */
export interface Neighbour {
  readonly types: RegExp;
  /** Names of azurerm or azuread, and those of Resource Manager where they are not the same in another case. */
  readonly attributes: readonly string[];
  readonly uses: readonly Use[];
  readonly keeps: Keeps;
  /** The check, where it is not that of what needs the resource. */
  readonly check?: Finding["check"];
  /** The consequence when it does not. */
  readonly says: string;
  /** The plan does not say whom it cuts off, so a loss is only possible. */
  readonly isOpen?: true;
}

/** Whether a row is about an attribute, in either spelling. */
export const isAbout = ({ attributes }: Neighbour, name: string) =>
  attributes.some((each) => each === name || camelCase(each) === name);

/** All of several; one that is not decides, then one that is not known. */
export const every = (verdicts: readonly (boolean | undefined)[]) =>
  verdicts.includes(false) ? false : verdicts.includes(undefined) ? undefined : true;

/** No number or duration in a value becomes smaller, and nothing else in it changes. */
function isMore(old: unknown, next: unknown): boolean | undefined {
  const [a, b] = [comparable(old), comparable(next)];
  if (same(old, next)) return true;
  if (a !== undefined && b !== undefined) return b >= a;
  const [was, is] = [blocksOf(old)[0], blocksOf(next)[0]];
  if (!isObject(was) || !isObject(is)) return undefined;
  return every(Object.keys({ ...was, ...is }).map((name) => isMore(was[name], is[name])));
}

const isClosed = (access: unknown) => access === false || isNotPublic(access);

const isPublic = (side: Side) =>
  !["public_network_access_enabled", "public_network_access", "publicNetworkAccess"].some((name) =>
    isClosed(side?.[name]),
  );

/** That a resource or a block exists, and what it leads to: what an endpoint is for, a zone, addresses. */
function endsOf(value: unknown): unknown[] {
  const [block] = blocksOf(value);
  if (block === undefined) return [value].flat();
  const ids = ["private_connection_resource_id", "private_dns_zone_ids"];
  return ["it", ...ids.map((name) => get(block, name))];
}

/** Keeps each way to a topic. Only without public access is it certain that there is no other. */
const leading: Keeps = (old, next, { source }) => {
  const ends = endsOf(next);
  if (endsOf(old).every((one) => one == null || ends.some((each) => same(one, each)))) return true;
  return source?.after === undefined || isPublic(source.after) ? undefined : false;
};

/** The lifecycle rules of an account that are on: of a resource, or of its attribute. */
function lifecycleRules(from: unknown): unknown[] {
  const rules = get(from, "rule") ?? get(from, "policy", "rules") ?? get(from, "rules") ?? from;
  const list: readonly unknown[] = Array.isArray(rules) || rules === UNKNOWN ? [rules].flat() : [];
  return list.filter((rule) => get(rule, "enabled") !== false);
}

/** The beginnings of the blobs, with their container, that a lifecycle rule is for; an empty one is any. */
function prefixesOf(rule: unknown): unknown[] {
  const [filters] = blocksOf(get(rule, "filters") ?? get(rule, "definition", "filters"));
  const prefixes = itemsOf(get(filters, "prefix_match") ?? get(filters, "prefixMatch"));
  return prefixes.length > 0 ? prefixes : [""];
}

const BROKER = oneOf(`azurerm_(servicebus|eventhub|relay)_namespace
  Microsoft.(ServiceBus|EventHub|Relay)/namespaces`);
const READER = oneOf(`azurerm_servicebus_subscription
  Microsoft.ServiceBus/namespaces/topics/subscriptions`);
const TOPIC = oneOf("azurerm_eventgrid_* Microsoft.EventGrid/**");
const anyOf = (...types: readonly RegExp[]) =>
  new RegExp(types.map(({ source }) => source).join("|"), "i");
/** @see https://learn.microsoft.com/azure/event-grid/event-retention */
const MAX_RETENTION_DAYS = 7;

/** The table. What neither it nor the list of harmless settings has is unknown. */
export const NEIGHBOURS: readonly Neighbour[] = [
  {
    types: oneOf("azuread_application"),
    attributes: ["api", "optional_claims"],
    uses: ["application"],
    // Entra issues mapped claims only to an application that accepts them or has a signing key of its own.
    keeps: (...sides) => {
      const [old, next] = sides.map((api) => [
        get(blocksOf(api)[0], "requested_access_token_version") ?? 1,
        get(blocksOf(api)[0], "mapped_claims_enabled") ?? false,
        get(blocksOf(api)[0], "access_token"),
      ]);
      return same(old, next) || undefined;
    },
    says: "tokens are of another version or have other claims, or their mapped claims are not accepted",
  },
  {
    types: oneOf("azuread_service_principal"),
    attributes: ["app_role_assignment_required"],
    uses: ["application"],
    keeps: (_, next) => next !== true || undefined,
    says: "Event Grid and the writers have an app role, without which they get no tokens",
  },
  {
    types: ACCOUNT,
    attributes: ["min_tls_version", "minimum_tls_version"],
    uses: ["target"],
    keeps: (old, next) => /1_3/.test(String(old)) || !/1_3/.test(String(next)),
    says: "it demands TLS 1.3",
    isOpen: true,
  },
  {
    types: anyOf(ENTITY, READER, BROKER, TOPIC),
    attributes: [
      ...["default_message_ttl", "default_message_time_to_live", "max_size_in_megabytes"],
      ...["message_retention", "message_retention_in_days", "retention_description"],
      ...["partition_count", "max_message_size_in_kilobytes", "capacity", "sku"],
      ...["lock_duration", "max_delivery_count"],
    ],
    uses: ["source", "target"],
    keeps: isMore,
    says: "it takes fewer or smaller events, or gives up or drops them earlier",
    isOpen: true,
  },
  {
    types: ENTITY,
    attributes: ["dead_lettering_on_message_expiration"],
    uses: ["target"],
    keeps: (old, next) => old !== true || next === true,
    says: "it drops expired events instead of keeping them as dead letters",
    isOpen: true,
  },
  {
    types: TOPIC,
    attributes: ["minimum_tls_version", "minimum_tls_version_allowed"],
    uses: ["source"],
    keeps: (old, next) => isMore(next, old),
    says: "a later version of TLS is demanded: clients with an older one are refused",
    isOpen: true,
  },
  {
    types: TOPIC,
    attributes: ["event_retention_in_days"],
    uses: ["source"],
    keeps: (old, next) => next === MAX_RETENTION_DAYS || isMore(old, next),
    check: "retries",
    says: "events are kept for a shorter time",
  },
  {
    types: anyOf(ACCOUNT, BROKER),
    attributes: ["identity"],
    uses: ["target", "identity"],
    keeps(old, next) {
      const [was, is] = [identitiesOf(old), identitiesOf(next)];
      return was && is && was.every((one) => is.includes(one));
    },
    says: "what it does with an identity that it loses fails",
    isOpen: true,
  },
  {
    types: oneOf("azurerm_private_endpoint Microsoft.Network/privateEndpoints"),
    attributes: [EXISTENCE, "private_dns_zone_group", "private_service_connection"],
    uses: ["access"],
    keeps: leading,
    says: "clients no longer reach the topic through it",
  },
  {
    types: /private_?dns_?zone|_private_dns_/i,
    attributes: [EXISTENCE, "records", "record"],
    uses: ["access"],
    keeps: leading,
    says: "clients no longer find the private address of the topic",
  },
  {
    types: EVENT_HUB,
    attributes: ["capture_description"],
    uses: ["source", "origin", "target"],
    keeps(...sides) {
      const [old, next] = sides.map((side) => blocksOf(side)[0]);
      const isSame = (name: string) => same(get(old, name), get(next, name));
      return get(old, "enabled") !== true || ["enabled", "destination"].every(isSame);
    },
    says: "Capture writes its files elsewhere, or none",
    isOpen: true,
  },
  {
    types: CONTAINER,
    attributes: [EXISTENCE],
    uses: ["source", "origin"],
    keeps(old, next, { subscription }) {
      const place = `/blobServices/default/containers/${String(get(old, "name"))}/`.toLowerCase();
      const begin = String(get(subscription?.filter, "subjectBeginsWith")).toLowerCase();
      const isOther = begin.startsWith("/blobservices/") && !begin.startsWith(place);
      const isKept = next !== undefined || subscription === undefined;
      return isKept || (isOther && !place.startsWith(begin)) || undefined;
    },
    says: "events are of its blobs, and end with it",
  },
  {
    types: new RegExp(`^(?!${anyOf(CONTAINER, LOCK, EVENT_HUB).source})`, "i"),
    attributes: [EXISTENCE],
    uses: ["origin"],
    // Most sources raise their events without what configures them.
    keeps: (_, next, { place }) => next !== undefined || (place === "below" ? undefined : false),
    says: "its events end",
  },
  {
    types: EVENT_HUB,
    attributes: [EXISTENCE],
    uses: ["origin"],
    keeps: (_, next) => next !== undefined,
    says: "its events end",
  },
  {
    types: oneOf("azurerm_storage_management_policy **/managementPolicies"),
    attributes: [EXISTENCE, "rule", "policy"],
    uses: ["target"],
    keeps(old, next, { check, subscription }) {
      const [container] = groupsOf(/\/containers\/(.*)/, String(subscription?.deadLetters?.place));
      if (check !== "dead-letters") return true;
      const [was, is] = [lifecycleRules(old), lifecycleRules(next)];
      const prefixes = is.filter((rule) => !was.some((one) => same(one, rule))).flatMap(prefixesOf);
      if (prefixes.length === 0) return true;
      if (container === "" || prefixes.includes(UNKNOWN)) return undefined;
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
    keeps(_, next) {
      const level = get(next, "lock_level") ?? get(next, "level") ?? next;
      return next === undefined || isOneOf(level, "CanNotDelete");
    },
    says: "it is locked against what needs its keys",
    isOpen: true,
  },
];
