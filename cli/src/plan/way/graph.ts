import { isIP } from "node:net";
import { idOf, isPatch, keyOf, type PlannedChange, withoutIndices } from "../terraform/index.js";
import { isBeside, isHarmless, isService } from "./harmless.js";
import { hostsIn } from "./hosts.js";
import { type Leaf, leavesOf } from "./leaves.js";

/** A resource of the plan, with what it says of others. */
export interface Node {
  readonly change: PlannedChange;
  readonly before: readonly Leaf[];
  readonly after: readonly Leaf[];
  /** Both, without what is said in harmless attributes. */
  readonly leaves: readonly Leaf[];
  /** Resource IDs in lower case. */
  readonly ids: readonly string[];
}

/** The resources of a plan that can be on a way, and how they refer to each other. */
export class Graph {
  readonly nodes: readonly Node[];
  readonly #byHost = new Map<string, Set<Node>>();
  readonly #byId = new Map<string, Set<Node>>();
  readonly #byName = new Map<string, Set<Node>>();
  readonly #byParent = new Map<string, Set<Node>>();
  readonly #byAddress = new Map<string, Set<Node>>();
  readonly #references = new Map<Node, ReadonlySet<Node>>();
  #users: Map<Node, Set<Node>> | undefined;

  constructor(changes: readonly PlannedChange[]) {
    this.nodes = changes.filter((change) => !isBeside(change)).map(nodeOf);
    for (const node of this.nodes) {
      add(this.#byAddress, withoutIndices(node.change.address), node);
      for (const side of [node.change.before, node.change.after]) {
        if (typeof side?.name === "string") add(this.#byName, side.name.toLowerCase(), node);
      }
      for (const id of node.ids) add(this.#byId, id, node);
      for (const parent of parentsOf(node)) add(this.#byParent, parent, node);
      for (const host of node.leaves.flatMap(({ value }) => hostsIn(value))) {
        add(this.#byHost, host, node);
      }
    }
  }

  /** The resources in whose values a host name, a wildcard or an address occurs. */
  withHost(host: string): Iterable<Node> {
    return this.#byHost.get(host) ?? [];
  }

  /** The resources whose name can be the beginning of one of the hosts, in a domain, or stand for any. */
  withNameIn(hosts: readonly string[]): Set<Node> {
    const names = hosts.flatMap((host) => {
      const labels = host.split(".");
      return labels.flatMap((_, index) => {
        const name = labels.slice(0, index + 1).join(".");
        return [name, `*.${labels.slice(1, index + 1).join(".")}`, `${name}.`];
      });
    });
    const all = new Set(["*", "@", ...names.map((name) => name.replace(/^\*\.$/, "*"))]);
    return new Set([...all].flatMap((name) => [...(this.#byName.get(name) ?? [])]));
  }

  /** The resources of an ID in lower case. */
  withId(id: string): Iterable<Node> {
    return this.#byId.get(id) ?? [];
  }

  /** What is in a resource by its ID, or writes a part of it. */
  childrenOf({ ids }: Node): Node[] {
    // A group or a subscription has everything in it.
    const own = ids.filter((id) => !id.startsWith("/subscriptions") || id.includes("/providers/"));
    return own.flatMap((id) => [...(this.#byParent.get(id) ?? [])]);
  }

  /** What a resource is in by its ID, except groups and subscriptions. */
  parentsOf(node: Node): Node[] {
    return [...parentsOf(node)].flatMap((id) => [...(this.#byId.get(id) ?? [])]);
  }

  /** The resources that a resource refers to: by their IDs, or in the configuration. */
  referencesOf(node: Node): ReadonlySet<Node> {
    const known = this.#references.get(node);
    if (known !== undefined) return known;
    const found = new Set<Node>();
    for (const { path, value } of node.leaves) {
      if (!isFollowed(node.change, path) || typeof value !== "string") continue;
      for (const text of value.toLowerCase().split("|")) {
        for (const each of this.#byId.get(String(idOf(text))) ?? []) found.add(each);
        for (const each of this.#byId.get(text) ?? []) found.add(each);
      }
    }
    const { change } = node;
    for (const name of new Set(Object.keys({ ...change.before, ...change.after }))) {
      if (!isFollowed(change, name)) continue;
      for (const address of change.origins(name)) {
        for (const each of this.instances(address, change)) found.add(each);
      }
    }
    found.delete(node);
    this.#references.set(node, found);
    return found;
  }

  /** The resources at an address; only that with the same key if there is one. */
  instances(address: string, from: PlannedChange): Node[] {
    const key = keyOf(from.address);
    const all = [...(this.#byAddress.get(address) ?? [])];
    const own = all.filter(({ change }) => keyOf(change.address) === key);
    return own.length > 0 ? own : all;
  }

  /** The resources that refer to one. */
  usersOf(node: Node): Iterable<Node> {
    if (this.#users === undefined) {
      this.#users = new Map();
      for (const user of this.nodes) {
        for (const used of this.referencesOf(user)) add(this.#users, used, user);
      }
    }
    return this.#users.get(node) ?? [];
  }

  /** New resources that refer to one, except services of their own. */
  newUsersOf(node: Node): Node[] {
    return [...this.usersOf(node)].filter(
      ({ change }) => change.before === undefined && !isService(change),
    );
  }
}

/** Whether a resource is in another one, by its ID. */
export const isIn = (inner: Node, outer: Node) =>
  inner.ids.some((id) => outer.ids.some((each) => id !== each && id.startsWith(`${each}/`)));

/** An attribute that says nothing of the way: which registry, group or identity a service has. */
const isFollowed = (change: PlannedChange, path: string) =>
  !isHarmless(change, path) && !/^(identity|principal_id|client_id|object_id)(\.|$)/.test(path);

function nodeOf(change: PlannedChange): Node {
  const [before, after] = [change.before, change.after].map(leavesOf);
  const leaves = [...(before ?? []), ...(after ?? [])].filter(
    ({ path }) => /^(id|output)(\.|$)|(^|[._])fqdn$/.test(path) || !isHarmless(change, path),
  );
  const ids = [change.before, change.after]
    .flatMap((side) => [side?.id, side?.resource_manager_id])
    .filter((id) => typeof id === "string" && (id.length >= 8 || id.includes("/")))
    .map((id) => (String(id).startsWith("/") ? String(idOf(id)) : String(id).toLowerCase()));
  // What azapi writes a part of has the ID.
  return {
    change,
    before: before ?? [],
    after: after ?? [],
    leaves,
    ids: isPatch(change) ? [] : ids,
  };
}

/** The IDs of what a resource is in, or writes a part of. */
function parentsOf({ change, ids }: Node): Set<string> {
  const outer = ids.flatMap((id) => {
    const parts = id.split("/");
    return parts.slice(2, -1).map((_, index) => parts.slice(0, index + 2).join("/"));
  });
  const isAzapi = change.type.startsWith("azapi_");
  const written = [change.before, change.after].flatMap((side) =>
    isAzapi ? [side?.parent_id, isPatch(change) ? side?.resource_id : undefined] : [],
  );
  const named = written.filter((id) => typeof id === "string").map((id) => String(idOf(id)));
  return new Set([...outer, ...named].filter((id) => id !== ""));
}

function add<K, V>(map: Map<K, Set<V>>, key: K, value: V): void {
  const set = map.get(key) ?? new Set();
  map.set(key, set.add(value));
}

/** The addresses and host names that a DNS record leads to. */
export function targetsOf({ leaves }: Node): string[] {
  return leaves
    .filter(({ path }) => !/^(id|name|zone\w*|fqdn|hostname|parent_id)$/.test(path))
    .flatMap(({ value }) => [...hostsIn(value), ...(isIP(String(value)) ? [String(value)] : [])])
    .filter((target) => !PRIVATE.test(target));
}

/** Addresses that several networks have. */
const PRIVATE = /^(10|127|169\.254|172\.(1[6-9]|2\d|3[01])|192\.168)\./;
