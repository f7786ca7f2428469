import { cached, Groups } from "../../collections.js";
import { UNKNOWN } from "../../rules/index.js";
import {
  attributes,
  idOf,
  keyOf,
  kindOf,
  oneOf,
  type PlannedChange,
  plain,
  withoutIndices,
} from "../terraform/index.js";
import { isBeside, isHarmless, isService, isUser } from "./harmless.js";
import { hostsIn } from "./hosts.js";
import { type Leaf, leavesOf } from "./leaves.js";
import { idsOf, namedParents, nameIn, parentsOf } from "./names.js";

/** The values that say what a resource is, although no request depends on them. */
const SHOWN = attributes("id output **fqdn");

/** A resource of the plan, with what it says of others. */
export class Node {
  #before: readonly Leaf[] | undefined;
  #after: readonly Leaf[] | undefined;
  #leaves: readonly Leaf[] | undefined;

  constructor(
    readonly change: PlannedChange,
    /** The names that event subscriptions and other resources use, in lower case. */
    readonly ids: readonly string[],
  ) {}

  /** The values before the apply. Most resources of a large plan are never asked. */
  get before(): readonly Leaf[] {
    this.#before ??= leavesOf(this.change.before);
    return this.#before;
  }

  get after(): readonly Leaf[] {
    this.#after ??= leavesOf(this.change.after);
    return this.#after;
  }

  /** The values of both that can say something of the way to a webhook. */
  get leaves(): readonly Leaf[] {
    this.#leaves ??= [...this.before, ...this.after].filter(
      ({ path }) => SHOWN.test(plain(path)) || !isHarmless(this.change, path, "way"),
    );
    return this.#leaves;
  }
}

/** Returns the parts of a value that may be IDs. */
function idsIn({ value }: Leaf): string[] {
  if (typeof value !== "string") return [];
  return value
    .split("|")
    .filter((text) => text.length >= 8 || text.includes("/"))
    .map((text) => String(idOf(text)));
}

/** The resources of a plan, and how they refer to each other: by IDs, hosts and in the configuration. */
export class Graph {
  readonly nodes: readonly Node[];
  readonly #byId = new Groups<string, Node>();
  readonly #byParent = new Groups<string, Node>();
  readonly #byAddress = new Groups<string, Node>();
  readonly #references = new Map<Node, ReadonlySet<Node>>();
  #hosts:
    | { readonly byHost: Groups<string, Node>; readonly byName: Groups<string, Node> }
    | undefined;
  #users: Groups<Node, Node> | undefined;
  #byNamed: Groups<string, Node> | undefined;

  constructor(changes: readonly PlannedChange[]) {
    this.nodes = changes.map((change) => new Node(change, idsOf(change)));
    for (const node of this.nodes) {
      this.#byAddress.add(withoutIndices(node.change.address), node);
      for (const id of node.ids) this.#byId.add(id, node);
      if (isJudgedItself(node.change)) continue;
      for (const parent of parentsOf(node.change)) this.#byParent.add(parent, node);
    }
    const byName = new Groups<string, Node>();
    for (const node of this.nodes) byName.add(nameIn(node.change.before, "name"), node);
    for (const node of this.nodes) {
      if (node.change.before !== undefined || isJudgedItself(node.change)) continue;
      for (const [kind, name] of namedParents(node.change)) {
        const parents = byName.of(name).filter(({ change }) => change.type.endsWith(kind));
        for (const id of parents.flatMap(({ ids }) => ids)) this.#byParent.add(id, node);
      }
    }
  }

  /** The resources that have an ID, or are called so. */
  withId(id: string): readonly Node[] {
    return this.#byId.of(id);
  }

  /** The resources that are in something, configure it, or write a part of it. */
  within(id: string): readonly Node[] {
    return this.#byParent.of(id);
  }

  childrenOf({ ids }: Node): Node[] {
    // A group or a subscription has everything in it.
    const own = ids.filter((id) => !id.startsWith("/subscriptions") || id.includes("/providers/"));
    return own.flatMap((id) => this.within(id));
  }

  /** The resources that one is in, configures, or writes a part of. */
  parentsOf({ change }: Node): Node[] {
    return [...parentsOf(change)].flatMap((id) => this.withId(id));
  }

  /** The resources of Azure that name an ID in a value, and do more than use what has it. */
  naming(id: string): readonly Node[] {
    if (this.#byNamed === undefined) {
      this.#byNamed = new Groups();
      const others = this.nodes.filter(({ change }) => !isJudgedItself(change) && !isUser(change));
      for (const node of others) {
        const leaves = [...node.before, ...node.after].filter(({ path }) => isNaming(path));
        const ids = leaves.flatMap(idsIn).flatMap((each) => [each, ...entitiesAround(each)]);
        for (const each of new Set(ids)) this.#byNamed.add(each, node);
      }
    }
    return this.#byNamed.of(id);
  }

  /** The resources whose ID is in a value. */
  namedBy(leaf: Leaf): Node[] {
    return idsIn(leaf).flatMap((id) => this.withId(id));
  }

  /** The resources at an address; only that with the same key if there is one. */
  instances(address: string, from: PlannedChange): readonly Node[] {
    const key = keyOf(from.address);
    const all = this.#byAddress.of(address);
    const own = all.filter(({ change }) => keyOf(change.address) === key);
    return own.length > 0 ? own : all;
  }

  /** The resources that a resource refers to: by their IDs, or in the configuration. */
  referencesOf(node: Node): ReadonlySet<Node> {
    return cached(this.#references, node, () => this.#referencesIn(node));
  }

  #referencesIn(node: Node): ReadonlySet<Node> {
    const { change } = node;
    const found = new Set<Node>();
    for (const leaf of node.leaves) {
      if (isFollowed(change, leaf.path)) for (const each of this.namedBy(leaf)) found.add(each);
    }
    for (const name of new Set(Object.keys({ ...change.before, ...change.after }))) {
      if (!isFollowed(change, name)) continue;
      for (const address of change.origins(name)) {
        for (const each of this.instances(address, change)) found.add(each);
      }
    }
    found.delete(node);
    return found;
  }

  /** The resources on ways that refer to one. */
  usersOf(node: Node): readonly Node[] {
    if (this.#users === undefined) {
      this.#users = new Groups();
      for (const user of this.nodes) {
        if (isBeside(user.change)) continue;
        for (const used of this.referencesOf(user)) this.#users.add(used, user);
      }
    }
    return this.#users.of(node);
  }

  /** New resources that refer to one, except services of their own. */
  newUsersOf(node: Node): Node[] {
    return this.usersOf(node).filter(
      ({ change }) => change.before === undefined && !isService(change),
    );
  }

  /** The resources in whose values a host name, a wildcard or an address occurs. */
  withHost(host: string): readonly Node[] {
    return this.#named.byHost.of(host);
  }

  /** The resources whose name can be the beginning of one of the hosts, in a domain, or stand for any. */
  withNameIn(hosts: readonly string[]): Set<Node> {
    const names = hosts.flatMap((host) => {
      const labels = host.split(".");
      return labels.flatMap((_, index) => {
        const name = labels.slice(0, index + 1).join(".");
        return [name, ["*", ...labels.slice(1, index + 1)].join("."), `${name}.`];
      });
    });
    const all = new Set(["@", ...names]);
    return new Set([...all].flatMap((name) => this.#named.byName.of(name)));
  }

  get #named() {
    if (this.#hosts !== undefined) return this.#hosts;
    const [byHost, byName] = [new Groups<string, Node>(), new Groups<string, Node>()];
    for (const node of this.nodes) {
      const { before, after } = node.change;
      if (isBeside(node.change)) continue;
      // A name that is known later can be any.
      const names = [before?.name, after?.name].flatMap((name) =>
        typeof name === "string" ? [name.toLowerCase()] : name === UNKNOWN ? ["*"] : [],
      );
      for (const name of new Set(names)) byName.add(name, node);
      const hosts = node.leaves.flatMap(({ value }) => hostsIn(value));
      for (const host of new Set(hosts)) byHost.add(host, node);
    }
    this.#hosts = { byHost, byName };
    return this.#hosts;
  }
}

/** Event subscriptions and roles configure nothing of what they are in. */
export const isJudgedItself = (change: PlannedChange) =>
  oneOf("subscription role").test(String(kindOf(change))) || change.address.startsWith("data.");

export const isIn = (inner: Node, outer: Node) =>
  inner.ids.some((id) => outer.ids.some((each) => id !== each && id.startsWith(`${each}/`)));

const OWN = attributes("id identity source_storage_account_id");
const OF_IDENTITY = attributes("identity principal_id client_id object_id");

/**
 * The ID of a resource is its own, its identities are what it works with, and what it copies stays as it is.
 *
 * @see https://learn.microsoft.com/azure/storage/blobs/object-replication-overview
 */
const isNaming = (path: string) => !OWN.test(plain(path));

/** The queue or the topic that an ID is in: what configures a subscription of it configures it. */
const entitiesAround = (id: string) =>
  /.*\/(queues|topics|eventhubs)\/[^/]*(?=\/)/.exec(id)?.slice(0, 1) ?? [];

/** An attribute that says nothing of the way: which registry, group or identity a service has. */
const isFollowed = (change: PlannedChange, path: string) =>
  !isHarmless(change, path, "way") && !OF_IDENTITY.test(plain(path));
