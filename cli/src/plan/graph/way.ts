import { isIP } from "node:net";
import { isPrivate } from "../../address.js";
import { UNKNOWN } from "../../rules/index.js";
import { type Attributes, oneOf, typeOf } from "../terraform/index.js";
import { type Graph, isIn, type Node } from "./graph.js";
import { isBeside, isService, isShared } from "./harmless.js";
import {
  domainsOf,
  hostsIn,
  isAside,
  isDelegation,
  isHost,
  isRecord,
  recordNames,
} from "./hosts.js";
import { isNetwork, networksIn, partsOf } from "./networks.js";

/**
 * The part of a resource on a way:
 *
 * - `owner`: it has the host, or what a record of the host leads to
 * - `domain`: it has a domain that the host is in, such as a zone
 * - `user`: it refers to an owner, or is in one
 * - `reached`: one on the way refers to it, or it is in such a one
 */
export type Part = "owner" | "domain" | "user" | "reached";

/** A resource on a way. */
export interface Place {
  readonly part: Part;
  /** The host or the address that an owner has; undefined if a record leads to it by its ID. */
  readonly of?: string | undefined;
}

/**
 * The resources on the way to a host, or to the app of a function.
 *
 * @param host in lower case; for a function the ID of its app
 * @param named what the webhook's configuration refers to, for a host that no resource has
 */
export function wayTo(host: string, graph: Graph, named: readonly Node[]): Map<Node, Place> {
  const found = new Map<Node, Place>();
  const queue: Node[] = [];
  /** Found as what another one is in, so that nothing else in it is on the way. */
  const around = new Set<Node>();
  const reach = (node: Node, part: Part, of?: string) => {
    const known = found.get(node)?.part;
    if (
      isBeside(node.change) ||
      isAside(node.change) ||
      (known !== undefined && RANK[known] <= RANK[part])
    )
      return;
    found.set(node, { part, of });
    around.delete(node);
    if (!isShared(node.change)) queue.push(node);
    for (const each of isNetwork(node.change) ? rulesOf(node, graph) : []) {
      if (!found.has(each)) reach(each, "reached");
    }
  };
  const domains = domainsOf(host);
  for (const name of [host, ...domains.map((domain) => `*.${domain}`)]) {
    for (const node of graph.withHost(name)) reach(node, "owner", host);
  }
  for (const node of graph.withNameIn([host, ...domains])) {
    if (isNameOf(node, host, graph)) reach(node, "owner", host);
  }
  for (const node of graph.withId(host)) reach(node, "owner");
  for (const domain of domains) {
    for (const node of graph.withHost(domain)) {
      if (!isRecord(node.change) && isDomain(node, domain)) reach(node, "domain");
    }
  }
  if (![...found.values()].some(({ part }) => part === "owner")) {
    for (const node of named) reach(node, "reached");
  }
  for (let node = queue.shift(); node !== undefined; node = queue.shift()) {
    const part = found.get(node)?.part;
    if (part === "owner" || (part === "domain" && /zone/i.test(typeOf(node.change)))) {
      for (const each of [...graph.usersOf(node), ...graph.childrenOf(node)]) {
        if (part === "owner" || !isRecord(each.change)) reach(each, "user");
      }
    } else if (!around.has(node)) {
      // A new slot can be swapped in at once.
      const isEnd = part === "user" && !isService(node.change);
      const inner = isEnd ? [] : graph.newUsersOf(node);
      for (const each of [...graph.childrenOf(node), ...inner]) reach(each, "reached");
    }
    if (part === "domain") continue;
    if (part === "user") for (const each of siblingsOf(node, graph)) reach(each, "reached");
    const isOfHost = part === "owner" && isRecord(node.change);
    for (const each of [...graph.parentsOf(node), ...graph.referencesOf(node)]) {
      if (each === node || isBeside(each.change)) continue;
      const isOuter = isIn(node, each);
      if (isOuter && !found.has(each)) around.add(each);
      if (isOuter && found.has(each)) continue;
      const isTarget = isOfHost && !isOuter && !isZoneOf(each, host);
      if (isOuter) found.set(each, { part: "reached" });
      if (isOuter && !isShared(each.change)) queue.push(each);
      if (!isOuter) reach(each, isTarget ? "owner" : "reached");
    }
    for (const target of isOfHost ? targetsOf(node) : placesIn(node)) {
      for (const each of target === host ? [] : graph.withHost(target)) {
        if (isHolder(each, target)) reach(each, isOfHost ? "owner" : "reached", target);
      }
    }
  }
  return found;
}

/** The rules and routes of a subnet. */
const rulesOf = ({ before }: Node, graph: Graph): Node[] =>
  before
    .flatMap(networksIn)
    .filter((id) => /\/(subnets|networksecuritygroups|routetables)\//.test(id))
    .flatMap((id) => partsOf(id, graph));

/** The routes beside one, which may be more specific: those of its kind, also new ones. */
function siblingsOf(node: Node, graph: Graph): Node[] {
  const type = typeOf(node.change);
  return graph
    .parentsOf(node)
    .filter(({ ids }) => ids.some((id) => /\/providers(\/[^/]*){5}/.test(id)))
    .flatMap((parent) => [...graph.childrenOf(parent), ...graph.newUsersOf(parent)])
    .filter(({ change }) => typeOf(change) === type);
}

const RANK: Readonly<Record<Part, number>> = { owner: 0, user: 1, reached: 2, domain: 3 };

/** These say where a name is served, and not where a request goes. */
const HOLDS = oneOf(`(**[._])?(id|fqdn|url|uri|endpoint|ip|ip_?address|default_?host_?name)
  (**[._])?(host|host_?name|domain|domain_?name|dns_?name)s?`);

/** True of a resource that has a host itself, and does not only mention it. */
export const isHolder = ({ leaves, change }: Pick<Node, "leaves" | "change">, host: string) =>
  isRecord(change) ||
  host.startsWith(`${String((change.before ?? change.after)?.name)}.`) ||
  leaves.some(({ path, value }) => HOLDS.test(path) && hostsIn(value).includes(host));

/** A URL without more is as often one that is called. */
const CALLS = oneOf("(**.)?(*callback_?|*webhook_?|target_?)?(url|uri|endpoint)");

export const isServing = ({ leaves, change }: Node, host: string) =>
  isHolder({ change, leaves: leaves.filter(({ path }) => !CALLS.test(path)) }, host);

/** True of a resource that has a domain as such, and not as the name of one host. */
const isDomain = ({ leaves }: Node, domain: string) =>
  leaves.some(
    ({ path, value }) => isHost(value, domain) && !/host|fqdn|url|uri|origin/i.test(path),
  );

const isZoneOf = (node: Node, host: string) =>
  isShared(node.change) || domainsOf(host).some((domain) => isDomain(node, domain));

/** The hosts that a resource on the way passes requests on to. */
const placesIn = ({ leaves }: Node) =>
  leaves
    .filter(({ path }) => /host|fqdn|url|uri|target|backend|address/i.test(path))
    .flatMap(({ value }) => hostsIn(value));

/**
 * True if the name of a resource and the domain of what it refers to make the host: a record that is for
 * the host or a wildcard, or delegates what the host is in; or an app in an environment.
 */
function isNameOf(node: Node, host: string, graph: Graph): boolean {
  const { change } = node;
  const domains = domainsOf(host);
  const zones = [...graph.referencesOf(node)].flatMap((zone) =>
    domains.filter((domain) => isDomain(zone, domain)),
  );
  const covering = [host, ...domains.map((domain) => `*.${domain}`)];
  const above = isRecord(change) && isDelegation(change) ? domains : [];
  const isZoneLater = (side: Attributes) =>
    zones.length === 0 &&
    isRecord(change) &&
    [side.zone_name, side.zone_id, side.zone, side.parent_id].includes(UNKNOWN);
  return [change.before, change.after]
    .flatMap((side) => (side ? recordNames(side, isZoneLater(side) ? domains : zones) : []))
    .some((name) => covering.includes(name) || above.includes(name));
}

/** The host names, and the addresses that only one network has, that a DNS record leads to. */
const targetsOf = ({ leaves }: Node): string[] =>
  leaves
    .filter(({ path }) => !oneOf("id name zone* fqdn hostname parent_id").test(path))
    .flatMap(({ value }) => [...hostsIn(value), ...(isIP(String(value)) ? [String(value)] : [])])
    .filter((target) => !isPrivate(target));
