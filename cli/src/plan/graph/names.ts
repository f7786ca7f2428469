import { groupsOf, withoutEnd } from "cloud-eventgrid-binding-runtime/internal";
import { cached } from "../../collections.js";
import { get, UNKNOWN } from "../../rules/index.js";
import {
  type Attributes,
  idOf,
  isPatch,
  oneOf,
  type PlannedChange,
  principalOf,
  typeOf,
} from "../terraform/index.js";

/** The names of everything that something is in, its own, and the URL of a container or a queue. */
export function around(name: string): string[] {
  const outer: string[] = [];
  for (let end = name.indexOf("/"); end >= 0; ) {
    end = name.indexOf("/", end + 1);
    outer.push(end < 0 ? name : name.slice(0, end));
  }
  const [account, service, inner] = groupsOf(
    /\/storageaccounts\/([^/]*)\/(blob|queue)services\/default\/[^/]*\/([^/]*)$/,
    name,
  );
  return account === "" ? outer : [`/https://${account}.${service}/${inner}`, ...outer];
}

/** The ID of a container or a queue in azurerm before version 5, without the domain of its cloud. */
const shortUrl = (name: string) =>
  name.replace(/^(\/https:\/\/[^./]*\.(?:blob|queue))\.[^/]*(?=\/[^/]*$)/, "$1");

/** Large plans ask for the same names thousands of times. */
const known = new WeakMap<PlannedChange, readonly string[]>();

/** The names that event subscriptions and other resources use for a resource. */
export function namesOf(change: PlannedChange): readonly string[] {
  return cached(known, change, () => namesIn(change));
}

/** Part of a resource whose ID it has, such as the key or the network rules of an account. */
const hasIdOfOther = ({ type, before, after }: PlannedChange) =>
  /_(storage_account|(servicebus|eventhub)_namespace)_/.test(type) &&
  [before, after].some(
    (side) =>
      typeof side?.id === "string" &&
      Object.entries(side).some(([name, value]) => name.endsWith("_id") && value === side.id),
  );

function namesIn(change: PlannedChange): string[] {
  const { before, type } = change;
  if (before === undefined || hasIdOfOther(change) || isPatch(change)) return [];
  const isEntra = type.startsWith("azuread_");
  const entra = [before.client_id, before.application_id, before.object_id, before.identifier_uris];
  const all = [
    type === "azurerm_subscription" ? `/subscriptions/${before.subscription_id}` : before.id,
    before.resource_manager_id,
    before.versionless_id,
    ...(/_gen2_filesystem/.test(type)
      ? [`${before.storage_account_id}/blobServices/default/containers/${before.name}`]
      : []),
    ...(isEntra ? entra : [principalOf(change, before)]),
  ].flat();
  const texts = all.map((name) => idOf(name)).filter((name) => typeof name === "string");
  return [...new Set(texts.flatMap((name) => (name === "/" ? [] : [name, shortUrl(name)])))];
}

/** The names that others use for a resource, and the IDs that it gets. */
export function idsOf(change: PlannedChange): string[] {
  const later = [change.after?.id, change.after?.resource_manager_id].filter(
    (id) => typeof id === "string" && (id.length >= 8 || id.includes("/")),
  );
  const own = isPatch(change) || hasIdOfOther(change) ? [] : later.map((id) => String(idOf(id)));
  return [...new Set([...namesOf(change), ...own])];
}

/** The attributes that name what a resource is in, besides its own ID, which is often in that. */
const PARENTS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/azapi_/, ["parent_id", "resource_id"]],
  [/_management_lock/, ["scope"]],
  [/_storage_account_|_gen2_filesystem/, ["storage_account_id"]],
  [/_eventhub_namespace_/, ["eventhub_namespace_id"]],
  [/_servicebus_namespace_/, ["namespace_id"]],
  [/_active_slot/, ["slot_id"]],
  [
    /azuread_/,
    ["application_id", "application_object_id", "service_principal_id", "group_object_id"],
  ],
];

/** The ID of the resource that azapi writes a part of. */
export function partOf(change: PlannedChange): unknown {
  if (!isPatch(change)) return undefined;
  const { resource_id: id, parent_id: parent, name } = change.after ?? change.before ?? {};
  const folder = typeOf(change).split("/").at(-1);
  if (typeof id === "string") return idOf(id);
  const isKnown = typeof parent === "string" && typeof name === "string";
  return isKnown ? idOf(`${parent}/${folder}/${name}`) : UNKNOWN;
}

/** The attributes that name other resources, if all are known only after the apply. */
export function laterNames({ before, after }: PlannedChange): string[] {
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => oneOf("*_id scope").test(name) && name !== "tenant_id",
  );
  const isKnown = names.some((name) =>
    [before, after].some((side) => typeof side?.[name] === "string"),
  );
  return isKnown ? [] : names.filter((name) => after?.[name] === UNKNOWN);
}

export function parentsOf(change: PlannedChange): Set<string> {
  const names = PARENTS.filter(([pattern]) => pattern.test(change.type)).flatMap(([, all]) => all);
  const found = new Set<string>();
  for (const side of [change.before, change.after]) {
    const connections = connectionsOf(side);
    const named = names.map((name) => side?.[name]);
    const outer = [side?.id, ...named].flatMap(outerOf);
    const direct = [...named, ...connections].map((id) => idOf(id));
    const own = hasIdOfOther(change) ? [idOf(side?.id)] : [partOf(change)];
    for (const each of [...outer, ...direct, ...own]) if (typeof each === "string") found.add(each);
  }
  return found;
}

/** The name that an attribute of azurerm has, with the resource group that it is in. */
export const nameIn = (side: Attributes | undefined, attribute: string) =>
  `${side?.resource_group_name}/${side?.[attribute]}`.toLowerCase();

/** The parents of a new resource, which has no ID yet: the end of each parent's type, and its name. */
export const namedParents = ({ after }: PlannedChange) =>
  Object.keys(after ?? {})
    .filter((attribute) => attribute.endsWith("_name") && typeof after?.[attribute] === "string")
    .map((attribute) => [withoutEnd(attribute, "_name"), nameIn(after, attribute)] as const);

const ENTITIES = ["queues", "topics", "eventhubs"];

/** The outer resources, up to a queue or a topic, which is nothing of its namespace. */
function outerOf(id: unknown): string[] {
  const [, ...outer] = around(String(idOf(id))).reverse();
  const end = outer.findIndex((each) => ENTITIES.includes(String(each.split("/").at(-2))));
  return end < 0 ? outer : outer.slice(0, end + 1);
}

/** The IDs of what a private endpoint leads to, or a perimeter is around. */
export function connectionsOf(side: Attributes | undefined): unknown[] {
  return [side?.private_service_connection, side?.privateLinkServiceConnections]
    .flat()
    .flatMap((connection) => [
      get(connection, "private_connection_resource_id"),
      get(connection, "properties", "privateLinkServiceId"),
    ])
    .concat(get(side, "privateLinkResource", "id"));
}

/** The names by which a place, or something that it is in, can be known. */
export const placesAround = (place: unknown) =>
  typeof place === "string" ? around(String(idOf(place))) : [];

export const isAt = (places: readonly string[], change: PlannedChange) =>
  namesOf(change).some((name) => places.includes(name));
