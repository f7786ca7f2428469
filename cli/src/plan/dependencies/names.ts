import { isIP } from "node:net";
import { isObject } from "cloud-eventgrid-binding-runtime/internal";
import { get } from "../../rules/index.js";
import {
  type Attributes,
  idOf,
  isPatch,
  isWithin,
  kindOf,
  type PlannedChange,
  typeOf,
} from "../terraform/index.js";
import { isHarmless } from "./harmless.js";

/** A name, and those of everything that it is in. */
export function around(name: string): string[] {
  const parts = name.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 2).join("/"));
}

/** Large plans ask for the same names thousands of times. */
const known = new WeakMap<PlannedChange, readonly string[]>();

/** What event subscriptions and other resources call a resource. */
export function namesOf(change: PlannedChange): readonly string[] {
  const names = known.get(change) ?? namesIn(change);
  known.set(change, names);
  return names;
}

function namesIn(change: PlannedChange): string[] {
  const { before, type } = change;
  // The rules of an account's network, and what azapi changes of a resource, have the ID of that.
  if (before === undefined || /_network_rules$/.test(type) || isPatch(change)) return [];
  const isEntra = type.startsWith("azuread_");
  const reached = Object.entries(before).filter(
    ([name]) => name === "output" || !isHarmless(change, name, "receiver"),
  );
  const bound = /custom_?domain/i.test(type) ? { host: before.name } : {};
  const isHost = kindOf(change) !== "subscription";
  const hosts = isHost ? hostsIn({ ...Object.fromEntries(reached), ...bound }) : [];
  const entra = [before.client_id, before.application_id, before.object_id, before.identifier_uris];
  const principals = [/identit/.test(type) && before.principal_id, ...hosts];
  const all = [
    before.id,
    before.resource_manager_id,
    before.versionless_id,
    ...(isEntra ? entra : principals),
  ].flat();
  const texts = all.map((name) => idOf(name)).filter((name) => typeof name === "string");
  return [...new Set(texts.filter((name) => name !== "/"))];
}

const HOST = /^[\w-]+(\.[\w-]+)*\.[a-z][\w-]+\.?$/i;

/** The host names that a resource has, in texts whose attributes are called so. */
function hostsIn(value: unknown, isNamed = false, depth = 0): (string | undefined)[] {
  if (typeof value === "string") return isNamed ? [hostOf(value)] : [];
  if (typeof value !== "object" || value === null || depth > 8) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const isOwn =
      /(fqdn|hosts?|host_?names?|domains?|domain_?names?|url|(^|_)ip|ip_?address)$/i.test(name) ||
      (depth === 0 && /(^|_)(uri|endpoint|dns_name)$/i.test(name)) ||
      (isNamed && /^\d+$/.test(name));
    return hostsIn(inner, isOwn, depth + 1);
  });
}

/** Addresses that several networks have. */
const PRIVATE = /^(10|127|169\.254|172\.(1[6-9]|2\d|3[01])|192\.168)\.|^(f[cd]|fe80|::)/i;

export function hostOf(text: unknown): string | undefined {
  if (typeof text !== "string" || text === "") return undefined;
  if (isIP(text)) return PRIVATE.test(text) ? undefined : text;
  const url = text.includes("://") ? text : `https://${text}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, "") : undefined;
}

/** The attributes that name what a resource configures, besides its own ID, which is often in that. */
const PARENTS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^azapi_|^azurerm_network_security_perimeter_association$/, ["parent_id", "resource_id"]],
  [/^azurerm_storage_/, ["storage_account_id", "storage_container_resource_manager_id"]],
  [/^azurerm_(servicebus|eventhub)_/, ["namespace_id", "topic_id"]],
  [/^azurerm_management_lock$/, ["scope"]],
  [/^azurerm_private_dns_/, ["private_dns_zone_id"]],
  [/^azurerm_federated_identity/, ["parent_id", "user_assigned_identity_id"]],
  [
    /^azuread_/,
    ["application_id", "application_object_id", "service_principal_id", "group_object_id"],
  ],
];

/** What answers at a public address, which its blocks name. */
const FRONTEND =
  /^azurerm_(lb|application_gateway|firewall|network_interface|kubernetes_cluster)$|^Microsoft\.Network\/(loadBalancers|applicationGateways|azureFirewalls|networkInterfaces)$/i;
const PUBLIC_IP = /\/publicipaddresses\/[^/]+$/;

/** The ID of the resource that azapi writes a part of. */
export function partOf(change: PlannedChange): unknown {
  if (!isPatch(change)) return undefined;
  const { resource_id: id, parent_id: parent, name } = change.after ?? change.before ?? {};
  const folder = typeOf(change).split("/").at(-1);
  return idOf(typeof id === "string" ? id : `${parent}/${folder}/${name}`);
}

export function parentsOf(change: PlannedChange): Set<string> {
  const names = PARENTS.filter(([pattern]) => pattern.test(change.type)).flatMap(([, all]) => all);
  const found = new Set<string>();
  for (const side of [change.before, change.after]) {
    const connections = connectionsOf(side);
    const outer = [...outerOf(side?.id), ...outerOf(side?.resource_id)];
    const direct = [...names.map((name) => side?.[name]), ...connections].map((id) => idOf(id));
    const own = /_network_rules?/.test(change.type) ? [idOf(side?.id)] : [partOf(change)];
    const isFrontend = FRONTEND.test(typeOf(change));
    const addresses = isFrontend ? textsIn(side).filter((text) => PUBLIC_IP.test(text)) : [];
    for (const each of [...outer, ...direct, ...own, ...addresses])
      if (typeof each === "string") found.add(each);
  }
  return found;
}

/** What a resource is in, up to a queue or a topic, which is nothing of its namespace. */
function outerOf(id: unknown): string[] {
  const [, ...outer] = around(String(idOf(id) ?? "")).reverse();
  const end = outer.findIndex((each) => /\/(queues|topics|eventhubs)\/[^/]+$/.test(each));
  return end < 0 ? outer : outer.slice(0, end + 1);
}

/** What a private endpoint leads to. */
function connectionsOf(side: Attributes | undefined): unknown[] {
  return [side?.private_service_connection, side?.privateLinkServiceConnections]
    .flat()
    .flatMap((connection) => [
      get(connection, "private_connection_resource_id"),
      get(connection, "properties", "privateLinkServiceId"),
    ]);
}

/** All texts of a value that can be names, as names are compared. */
export function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === "string") {
    const isHost = HOST.test(value) || value.includes("://") || isIP(value);
    const host = isHost ? hostOf(value) : undefined;
    const isId = /^\/|:\/\/|^[\da-f-]{36}$/i.test(value);
    return [...(isId ? [String(idOf(value))] : []), ...(host ? [String(idOf(host))] : [])];
  }
  if (!isObject(value) && !Array.isArray(value)) return [];
  return depth > 8 ? [] : Object.values(value).flatMap((inner) => textsIn(inner, depth + 1));
}

export function isNamed(place: unknown, change: PlannedChange): boolean {
  return namesOf(change).some((name) => isWithin(place, name));
}
