import { Doubt, type Known } from "./answers.js";
import { get, isOneOf, UNKNOWN } from "./values.js";
import { ruling, type SourceRule, type Verdict, whole } from "./verdict.js";
import type { World } from "./world.js";

/** Tells the resources of a type that raise events from those that raise none. */
interface Silence {
  readonly type: RegExp;
  readonly rule: SourceRule;
  /** The event types that it does not raise. @default all */
  readonly types?: RegExp;
  /** The value that decides, in the body of the resource. */
  read(body: unknown): unknown;
  /** The values with which it raises none. */
  readonly silent: readonly string[];
}

const skuName = (body: unknown) => get(body, "sku", "name");

/** A partner topic whose partner has deleted the channel that fills it. */
const ENDED = "IdleDueToMirroredChannelResourceDeletion";

const SILENCES: readonly Silence[] = [
  /** @see https://learn.microsoft.com/azure/event-grid/event-schema-blob-storage */
  {
    type: /\/Microsoft\.Storage\/storageAccounts\//i,
    rule: "kind",
    read: (body) => get(body, "kind"),
    silent: ["Storage", "FileStorage"],
  },
  {
    type: /\/Microsoft\.Storage\/storageAccounts\//i,
    rule: "hierarchy",
    types: /Microsoft\.Storage\.(BlobRenamed|Directory)/i,
    read: (body) => {
      const isHierarchical = get(body, "properties", "isHnsEnabled");
      return isHierarchical === UNKNOWN
        ? UNKNOWN
        : isHierarchical === true
          ? "hierarchical"
          : "flat";
    },
    silent: ["flat"],
  },
  /** @see https://learn.microsoft.com/azure/event-grid/event-schema-service-bus */
  {
    type: /\/Microsoft\.ServiceBus\/namespaces\//i,
    rule: "tier",
    read: skuName,
    silent: ["Basic", "Standard"],
  },
  /**
   * Only Capture raises events.
   * @see https://learn.microsoft.com/azure/event-hubs/compare-tiers
   */
  {
    type: /\/Microsoft\.EventHub\/namespaces\//i,
    rule: "tier",
    read: skuName,
    silent: ["Basic"],
  },
  /** @see https://learn.microsoft.com/azure/azure-signalr/concept-service-mode */
  {
    type: /\/Microsoft\.SignalRService\/SignalR\//i,
    rule: "mode",
    read: serviceMode,
    silent: ["Default"],
  },
  /** @see https://learn.microsoft.com/azure/event-grid/subscribe-to-partner-events#activate-a-partner-topic */
  {
    type: /\/Microsoft\.EventGrid\/partnerTopics\//i,
    rule: "activation",
    read: (body) => {
      const state = get(body, "properties", "provisioningState");
      return isOneOf(state, ENDED) ? state : get(body, "properties", "activationState");
    },
    silent: ["NeverActivated", "Deactivated", ENDED],
  },
];

/**
 * Judges whether the resource at a scope, or behind the system topic there, raises events at all. Returns
 * nothing for resources that always do.
 *
 * @param included the event types that are delivered; none if that is not known
 */
export async function sourceVerdicts(
  world: World,
  scope: string,
  included: readonly string[] = [],
): Promise<Verdict[]> {
  const source = await sourceAt(world, scope);
  if (source instanceof Doubt) return [ruling("source", "exists", scope).unknown(source)];
  const isAsked = (types?: RegExp) =>
    types === undefined || (included.length > 0 && included.every((each) => types.test(each)));
  const silences = SILENCES.filter(({ type, types }) => type.test(source) && isAsked(types));
  return (await Promise.all(silences.map((each) => judgeSilence(world, source, each)))).flat();
}

async function judgeSilence(
  world: World,
  source: string,
  { rule: name, read, silent }: Silence,
): Promise<Verdict[]> {
  const rule = ruling("source", name, source, { source });
  const resource = await world.resource(source);
  if (resource instanceof Doubt) return [rule.unknown(resource)];
  if (resource === undefined) return [];
  const exists = whole(resource, ruling("source", "exists", source));
  if (exists.status === "failed") return [exists];
  const value = read(resource.body);
  if (typeof value !== "string") {
    const why = value === UNKNOWN ? "later" : "hidden";
    return [rule.unknown(new Doubt(why, `its ${name}`), resource.witnesses)];
  }
  return isOneOf(value, ...silent)
    ? [rule.failed("silent", resource.witnesses, { value })]
    : [rule.ok(resource.witnesses)];
}

/** The resource whose events arrive at a scope. */
export async function sourceAt(world: World, scope: string): Promise<Known<string>> {
  if (!/\/systemTopics\//i.test(scope)) return scope;
  const topic = await world.resource(scope);
  if (topic instanceof Doubt) return topic;
  const source = get(topic?.body, "properties", "source");
  if (source === UNKNOWN) return new Doubt("later", "its source");
  return typeof source === "string" ? source : scope;
}

function serviceMode(body: unknown): unknown {
  const features = get(body, "properties", "features");
  if (!Array.isArray(features)) return features;
  return get(
    features.find((feature) => get(feature, "flag") === "ServiceMode"),
    "value",
  );
}
