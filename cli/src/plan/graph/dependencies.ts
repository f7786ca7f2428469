import { split } from "cloud-eventgrid-binding-runtime/internal";
import { audienceOf, get } from "../../rules/index.js";
import type { Finding } from "../finding.js";
import {
  type Attributes,
  canonical,
  idOf,
  kindOf,
  oneOf,
  type PlannedChange,
  plain,
  type Subscription,
  type SubscriptionChange,
  typeOf,
  type Use,
} from "../terraform/index.js";
import { type Graph, isJudgedItself, type Node } from "./graph.js";
import { ENTITY, isHarmless, isShared, LOCK } from "./harmless.js";
import type { Leaf } from "./leaves.js";
import { around, namesOf, partOf } from "./names.js";
import { Clients, isNetwork, networksIn, partsOf } from "./networks.js";

/** Something that a subscription needs. */
export interface Need {
  readonly check: Finding["check"];
  readonly use: Use;
  /** The attributes whose references lead to it, where its ID does not. */
  readonly from: RegExp;
  /** The resource ID or another name of it. */
  readonly of: (side: Subscription) => unknown;
  /** The consequence when `what` is destroyed, where that is not judged. */
  readonly lost?: (what: string) => string;
  /** Lost with it although the subscription no longer needs it. */
  readonly content?: (side: Subscription) => string | undefined;
}

export const NEEDS: readonly Need[] = [
  {
    check: "destroyed",
    use: "source",
    from: /scope|system_topic|parent_id/,
    of: ({ scope }) => scope,
    lost: (what) => `${what}, and its event subscriptions with it`,
  },
  {
    check: "destination",
    use: "target",
    from: oneOf("*_endpoint *_id body"),
    // The way to a webhook is found, and not judged.
    of: ({ destination: { type, place } }) => (type === "WebHook" ? undefined : place),
    lost: (what) => `its destination ${what}`,
    content: ({ destination: { type } }) =>
      /Queue|Topic|EventHub/.test(type) ? "the events in it" : undefined,
  },
  {
    check: "dead-letters",
    use: "target",
    from: oneOf("storage_blob_dead_letter* body"),
    of: ({ deadLetters }) => deadLetters?.place,
    lost: (what) => `${what}, where its dead letters are`,
    content: () => "the dead letters in it",
  },
  {
    check: "identity",
    use: "identity",
    from: oneOf("delivery_identity body"),
    of: ({ destination }) => get(destination.identity, "userAssignedIdentity"),
  },
  {
    check: "identity",
    use: "identity",
    from: oneOf("dead_letter_identity body"),
    of: ({ deadLetters }) => get(deadLetters?.identity, "userAssignedIdentity"),
  },
  {
    check: "identity",
    use: "application",
    from: oneOf("webhook_endpoint body"),
    of: ({ destination }) => audienceOf(destination),
  },
];

/** A use that deliveries make of a resource. */
export interface Dependency {
  readonly use: Use;
  readonly check: Finding["check"];
  /** The names of the event subscriptions, or of the source, that need it. */
  readonly by: readonly string[];
  /** One of the event subscriptions, after the apply. */
  readonly subscription?: Subscription;
  /** The topic that clients reach through it. */
  readonly source?: PlannedChange;
  /** `itself` is what a subscription names, or around it; `below` configures that; `behind` serves it. */
  readonly place: "itself" | "below" | "behind";
}

export interface Dependencies {
  /** The resources of the plan that deliveries depend on. */
  readonly found: ReadonlyMap<PlannedChange, readonly Dependency[]>;
  /** The names of these, and of others that are followed without being in the plan. */
  readonly names: ReadonlySet<string>;
}

/** Event subscriptions that stay, and need the same for events of the same subjects: one, and all of them. */
export interface AlikeSubscriptions {
  readonly before: Subscription;
  readonly after: Subscription;
  readonly by: (readonly [name: string, change: PlannedChange])[];
}

/** Groups event subscriptions, so that what they need is followed and judged once. */
export function alikeSubscriptions(
  subscriptions: readonly SubscriptionChange[],
): AlikeSubscriptions[] {
  const groups = new Map<unknown, AlikeSubscriptions>();
  for (const { change, before, after } of subscriptions) {
    if (before === undefined || after === undefined) continue;
    const key = canonical([before, after].map(neededBy));
    const group = groups.get(key) ?? { before, after, by: [] };
    group.by.push([after.name, change]);
    groups.set(key, group);
  }
  return [...groups.values()];
}

const neededBy = ({ scope, destination, deadLetters, filter }: Subscription) => [
  ...[destination.type, destination.place, destination.identity, audienceOf(destination)],
  ...[scope, deadLetters, get(filter, "subjectBeginsWith")],
];

/** References are followed over this many resources. */
const MAX_DISTANCE = 6;

/** Follows what deliveries depend on through the plan, by IDs and by the references of the configuration. */
export function dependenciesOf(
  graph: Graph,
  subscriptions: readonly SubscriptionChange[],
  groups: readonly AlikeSubscriptions[],
): Dependencies {
  const found = new Following(graph);
  const zones = graph.nodes.filter(
    ({ change }) => PRIVATE_ZONE.test(typeOf(change)) && isTopicZone(change.before),
  );
  const clients = new Clients(graph);
  for (const node of graph.nodes) {
    const { change: source } = node;
    if (kindOf(source) !== "source" || source.before === undefined) continue;
    const way = { check: "publishers", by: [source.address], source } as const;
    found.add(node, { ...way, use: "source", place: "itself" });
    // The zone need not be that of a private endpoint's group.
    for (const zone of zones) found.add(zone, { ...way, use: "access", place: "behind" });
    for (const client of clients.of(node)) {
      found.add(client, { ...way, use: "access", place: "below" });
    }
  }
  for (const { change } of subscriptions) {
    for (const name of namesOf(change)) found.names.add(name);
  }
  for (const { before, after, by: all } of groups) {
    const by = all.map(([name]) => name);
    for (const need of NEEDS) {
      const side = need.of(after) === undefined ? before : after;
      const name = idOf(need.of(side));
      // Changes of a function are found on the way to it.
      const isFunction = need.check === "destination" && side.destination.type === "AzureFunction";
      if (name === undefined || isFunction) continue;
      const way = { check: need.check, use: need.use, by, subscription: after };
      if (typeof name === "string" && found.follow(name, way)) continue;
      for (const [own, change] of all) found.refer(change, need, { ...way, by: [own] });
    }
  }
  return found;
}

/** Clients look for the private addresses of topics in this zone. */
const isTopicZone = (side: Attributes | undefined) =>
  oneOf("**/privatelink.(*.)?eventgrid.azure.(net|us|cn)").test(String(side?.id));

const PRIVATE_ZONE = oneOf("**private_?dns_?zones?");
const HUB = oneOf("**event_?hubs?");
const PEERING = oneOf("**peerings?");
const LEADING_ON = oneOf("**(customer_managed_key|_association|Associations|_policy_assignment)");

const OF_AZURE = oneOf("/(subscriptions|providers)(/**)?");

/** A subscription, a resource group or a provider, in which there is more than what is needed. */
const isGroup = (id: string) => OF_AZURE.test(id) && !/\/providers\/[^/]*\/[^/]*\/[^/]/.test(id);

/** What uses an identity or a source of Azure's own events changes nothing of it. */
const IS_NAMED = oneOf("source target access");

type Way = Omit<Dependency, "place">;

class Following implements Dependencies {
  readonly found = new Map<PlannedChange, Dependency[]>();
  readonly names = new Set<string>();

  constructor(private readonly graph: Graph) {}

  /** Follows what has the name, what it is in, and what configures these. Whether there is any. */
  follow(name: string, way: Way): boolean {
    let isFound = false;
    this.names.add(name);
    for (const each of around(name).reverse()) {
      for (const node of this.graph.withId(each)) {
        if (node.change.before === undefined) continue;
        isFound ||= each === name || !isGroup(each);
        this.add(node, { ...way, place: "itself" });
      }
      this.#below(each, way);
    }
    return isFound;
  }

  /** Follows the references of a subscription, where its IDs lead nowhere. */
  refer(subscription: PlannedChange, { use, from }: Need, way: Way): void {
    const names = [...Object.keys(subscription.before ?? {}), "body"].filter((name) =>
      from.test(name),
    );
    for (const address of names.flatMap((name) => [...subscription.origins(name)])) {
      for (const node of this.graph.instances(address, subscription)) {
        if (useOf(node.change) === use) this.add(node, { ...way, place: "behind" });
      }
    }
  }

  add(node: Node, dependency: Dependency, distance = 0): void {
    const { change } = node;
    if (isJudgedItself(change)) return;
    const known = this.found.get(change) ?? [];
    const { use, by, check } = dependency;
    // Through a private endpoint come the clients of a topic, whatever subscriptions it has.
    const isKnown = (one: Dependency) =>
      one.use === use && (use === "access" || (one.by === by && one.check === check));
    const other = known.find(isKnown);
    // What a subscription names can have been reached from something in it.
    if (other && !(other.place === "behind" && dependency.place === "itself")) return;
    this.found.set(change, [...known.filter((one) => one !== other), dependency]);
    for (const name of namesOf(change)) this.names.add(name);
    if (distance < MAX_DISTANCE) this.#expand(node, dependency, distance + 1);
  }

  #below(parent: string, way: Way, distance = 0): void {
    const isOfGroup = isGroup(parent);
    const isNamed = !isOfGroup && IS_NAMED.test(way.use);
    const naming = isNamed ? this.graph.naming(parent) : [];
    for (const node of new Set([...this.graph.within(parent), ...naming])) {
      const { before, after } = node.change;
      const type = typeOf(node.change);
      const isPart = partOf(node.change) === parent;
      const isAtParent = [before, after].some(
        (side) => idOf(side?.scope ?? side?.parent_id) === parent,
      );
      // Resources of the same group configure nothing, except a lock of the group.
      if (isOfGroup && !isPart && !(isAtParent && LOCK.test(type))) continue;
      // Event hubs raise the events of their namespace, when Capture has written a file.
      const isSource = way.use === "source" || way.use === "origin";
      const isOther = ENTITY.test(type) && !(isSource && HUB.test(type));
      if (!isOfGroup && !isPart && isOther) continue;
      const isOwn = way.use === "source" && /private_?endpoint/i.test(type);
      const use = isOwn ? "access" : way.use;
      // azapi can write a part of a resource that something else has created.
      const place = isOwn ? "behind" : isPart ? "itself" : "below";
      this.add(node, { ...way, use, place }, distance + 1);
    }
  }

  /** The queue or the topic of the same namespace to which one forwards what it gets. */
  #forwardedTo({ ids: [id] }: Node, { path, value: name }: Leaf): Node[] {
    if (plain(path) !== "forwardto") return [];
    const namespace = String(id).replace(/\/(queues|topics)\/.*/, "");
    const names = ["queues", "topics"].map((kind) => `${namespace}/${kind}/${String(name)}`);
    return names.flatMap((each) => this.graph.withId(each.toLowerCase()));
  }

  #expand(node: Node, { place, ...way }: Dependency, distance: number): void {
    const { change } = node;
    const type = typeOf(change);
    if (place === "itself" || way.use === "origin") {
      for (const name of namesOf(change)) this.#below(name, way, distance);
    }
    const isOuter = IS_NAMED.test(way.use) && !isShared(change) && !isNetwork(change);
    if (place === "behind" && isOuter) {
      this.#below(String(idOf(change.before?.id)), way, distance);
    }
    // Capture writes the files whose events are delivered.
    const leadsOn =
      way.use === "access" || (way.use === "origin" && ENTITY.test(type)) || LEADING_ON.test(type);
    // Beyond a peering lies another team's network.
    if ((place === "below" && !leadsOn) || PEERING.test(type)) return;
    for (const leaf of node.before) {
      const [attribute] = split(leaf.path, ".");
      if (isHarmless(change, attribute, way.use)) continue;
      if (way.use === "access") {
        for (const part of networksIn(leaf).flatMap((id) => partsOf(id, this.graph))) {
          this.add(part, { ...way, place: "behind" }, distance);
        }
      }
      if (attribute === "id") continue;
      for (const other of [...this.graph.namedBy(leaf), ...this.#forwardedTo(node, leaf)]) {
        if (other === node || kindOf(other.change) === "source") continue;
        const isOrigin =
          oneOf("source source_(arm_)?resource_id").test(attribute) && way.use === "source";
        const next = isOrigin ? "origin" : useBehind(way.use, other.change);
        this.add(other, { ...way, use: next, place: "behind" }, distance);
      }
    }
  }
}

const USES: readonly (readonly [Use, RegExp])[] = [
  ["application", /azuread_(application|service_principal)/],
  ["identity", /user_?assigned_?identit/i],
  ["target", /storage_?(account|queue|container)|servicebus|event_?hub|relay/i],
];

/** The use of a resource whose part in a subscription only the configuration tells. */
function useOf(change: PlannedChange): Use | undefined {
  if (kindOf(change) === "source") return "source";
  const type = typeOf(change);
  return USES.find(([, pattern]) => pattern.test(type))?.[0];
}

function useBehind(use: Use, other: PlannedChange): Use {
  if (use === "application" || use === "access") return use;
  return /user_?assigned_?identit/i.test(typeOf(other)) ? "identity" : use;
}

/** True of a resource that is destroyed, replaced, or changed in an unknown way. */
export const isDestroyed = ({ action }: PlannedChange) => /delete|unknown/.test(action);
