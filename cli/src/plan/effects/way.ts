import { groupsOf, split, withoutEnd } from "cloud-eventgrid-binding-runtime/internal";
import { Groups } from "../../collections.js";
import { isOneOf, UNKNOWN } from "../../rules/index.js";
import { type Finding, lost, named, unknown } from "../finding.js";
import {
  difference,
  domainsOf,
  type Graph,
  hostsIn,
  isDestroyed,
  isHarmless,
  isHolder,
  isRecord,
  isRunning,
  isService,
  isServing,
  type Leaf,
  type Node,
  type Place,
  wayTo,
} from "../graph/index.js";
import {
  idOf,
  isChanging,
  isConfigured,
  type PlannedChange,
  type SubscriptionChange,
} from "../terraform/index.js";
import { hostStorageFindings, hostStorageOf } from "./host-storage.js";
import { doneTo } from "./resources.js";

/** A host to which webhooks deliver, with the names of their event subscriptions. */
interface Way {
  readonly host: string;
  readonly by: readonly string[];
  /** The names of the functions in it that get events, in lower case. */
  readonly functions: readonly (string | undefined)[];
  readonly node: Node;
  readonly place: Place;
}

/**
 * The ways from Event Grid to the webhooks of event subscriptions that stay. Whether a host answers depends
 * on resources of any provider, so that nothing on the way is judged: what changes there is unknown.
 */
export class WebhookWays {
  readonly #ways = new Groups<PlannedChange, Way>();
  /** The storage of the hosts of functions, with the names of their event subscriptions. */
  readonly #storage = new Groups<PlannedChange, readonly string[]>();

  constructor(
    private readonly graph: Graph,
    subscriptions: readonly SubscriptionChange[],
  ) {
    const byHost = new Groups<string, SubscriptionChange>();
    for (const one of subscriptions) {
      const host = hostOf(one);
      if (host !== undefined) byHost.add(host, one);
    }
    for (const [host, all] of byHost) {
      const by = all.map(({ after, change }) => after?.name ?? change.address);
      const functions = all.map(
        ({ after }) => String(idOf(after?.destination.place)).split(FUNCTIONS)[1],
      );
      for (const app of host.startsWith("/") ? graph.withId(host) : []) {
        for (const { change } of hostStorageOf(app, graph)) {
          this.#storage.add(change, by);
        }
      }
      const named = all.flatMap(({ change }) => this.#namedBy(change));
      for (const [node, place] of wayTo(host, this.graph, named)) {
        this.#ways.add(node.change, { host, by, functions, node, place });
      }
    }
  }

  has(change: PlannedChange): boolean {
    return this.#ways.has(change);
  }

  /** The IDs of what is on a way. */
  get ids(): string[] {
    return [...this.#ways].flatMap(([, [way]]) => way.node.ids);
  }

  findings(change: PlannedChange): Finding[] {
    const found = this.#ways
      .of(change)
      .flatMap((way) => this.#findingsOn(way).map((finding) => [finding, way.by] as const));
    const stored = this.#storage
      .of(change)
      .flatMap((by) => hostStorageFindings(change).map((finding) => [finding, by] as const));
    return named([...found, ...stored], "");
  }

  #findingsOn(way: Way): Finding[] {
    const { change } = way.node;
    const { action } = change;
    // An event subscription names the app of its function, and reports its end.
    const isNamed = way.host.startsWith("/") && way.place.part === "owner" && isDestroyed(change);
    if (isNamed || !isChanging(change)) return [];
    if (action === "create" && isService(change) && way.place.part !== "owner") return [];
    if (action === "delete" && this.#isGone(way)) {
      return [lost("destination", "LOST", "it is destroyed, and events are delivered through it")];
    }
    const names = action === "update" ? changedIn(way) : [];
    if (action === "update" && names.length === 0) return [];
    const what = doneTo(change, names, 4);
    const message = `on the way to a webhook: ${what}; cloud-eventgrid probe tells afterwards`;
    return [unknown("destination", message)];
  }

  /** True if nothing else has the host after the apply. */
  #isGone({ node, host, place: { part, of } }: Way): boolean {
    if (part !== "owner" || (of !== undefined && !isServing(node, of))) return false;
    const others = [...this.#ways].flatMap(([, ways]) => ways).filter((way) => way.host === host);
    return !others.some(
      (other) =>
        other.node !== node &&
        // Without its record, the name no longer resolves.
        (!isPublicRecord(node) || isPublicRecord(other.node)) &&
        other.place.part === "owner" &&
        other.place.of === of &&
        other.node.change.action !== "delete" &&
        (of === undefined || isHolder(other.node, of)),
    );
  }

  #namedBy(change: PlannedChange): Node[] {
    const addresses = ["webhook_endpoint", "body"].flatMap((name) => [...change.origins(name)]);
    return addresses.flatMap((address) => this.graph.instances(address, change));
  }
}

/** Between the ID of an app and the name of a function. */
const FUNCTIONS = "/functions/";

const isPublicRecord = ({ change }: Node) => isRecord(change) && !/private/i.test(change.type);

/** The host of a webhook that stays, or the ID of a function's app. */
function hostOf({ before, after }: SubscriptionChange): string | undefined {
  const { type, place } = after?.destination ?? {};
  const known = place === UNKNOWN ? before?.destination.place : place;
  if (before === undefined || typeof known !== "string") return undefined;
  if (type === "AzureFunction") return String(idOf(known)).split(FUNCTIONS)[0];
  if (type !== "WebHook" || !URL.canParse(known)) return undefined;
  return withoutEnd(new URL(known).hostname, ".");
}

/** The names of the attributes that change, and whose change is not known to be harmless. */
function changedIn({ node, host, functions }: Way): string[] {
  const { change, before, after } = node;
  const covering = [host, ...domainsOf(host).map((domain) => `*.${domain}`)];
  const has = ({ value }: Leaf) => hostsIn(value).some((each) => covering.includes(each));
  const texts = [...before, ...after].filter(({ block }) => block !== undefined);
  const blocks = new Set(texts.filter(has).map(({ block }) => block));
  const isOfBlock = ({ block, path }: Leaf) =>
    block === undefined || ((blocks.size === 0 || blocks.has(block)) && !isRunning(path));
  const isOfOther = (path: string) => {
    const [name] = groupsOf(/^app_settings\.AzureWebJobs[._](.+)[._]Disabled$/i, path);
    return name !== "" && ![name.toLowerCase(), undefined].some((each) => functions.includes(each));
  };
  const changed = difference(before, after)
    .filter(({ path }) => !isHarmless(change, path, "way") && !isOfOther(path))
    .filter(isOfBlock)
    .filter((leaf) => !isAdded(leaf, after) && !isComputed(leaf, node));
  const names = changed.map(({ path }) => path.split(".").slice(0, 4).join("."));
  return [...new Set(change.isHidden ? [...names, "sensitive_body"] : names)];
}

/** Adds an identity, or disables no function. */
function isAdded(leaf: Leaf, after: readonly Leaf[]): boolean {
  const { path, value } = leaf;
  if (path === "identity.type") {
    const next = after.find((each) => each.path === path);
    return String(next?.value).includes(String(value)) || next === leaf;
  }
  if (path === "identity" || path.startsWith("identity.")) return after.includes(leaf);
  return path.endsWith(".Disabled") && isOneOf(value, "false", "0");
}

/** The provider computes what the configuration does not name, unless it can be of dynamic blocks. */
function isComputed({ path, value }: Leaf, { change, before }: Node): boolean {
  const [name] = split(path, ".");
  if (value !== UNKNOWN) return false;
  if (name === path) return !isConfigured(change, name, UNKNOWN);
  return change.references(name)?.length === 0 && before.some((leaf) => leaf.path === path);
}
