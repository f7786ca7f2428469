import { present } from "../collections.js";
import { Doubt, type Known } from "./answers.js";
import type { Target } from "./delivery.js";
import { judgeIdentity, ownerOf, senderOf } from "./identity.js";
import { accountRules, admission, brokerRules, type Sender } from "./network.js";
import { permission, type Right } from "./permission.js";
import { get, isOneOf, UNKNOWN } from "./values.js";
import { type Part, type RuleName, ruling, type Verdict, whole } from "./verdict.js";
import type { Resource, World } from "./world.js";

const messages = "Microsoft.Storage/storageAccounts/queueServices/queues/messages";
const right = (...actions: readonly string[]): Right => ({ kind: "dataActions", actions });

/**
 * The right that Event Grid's identity needs at a destination of a type.
 *
 * @see https://learn.microsoft.com/azure/event-grid/add-identity-roles
 */
const WRITING: Readonly<Record<string, Right>> = {
  StorageBlob: right("Microsoft.Storage/storageAccounts/blobServices/containers/blobs/write"),
  StorageQueue: right(`${messages}/add/action`, `${messages}/write`),
  EventHub: right("Microsoft.EventHub/namespaces/messages/send/action"),
  ServiceBusQueue: right("Microsoft.ServiceBus/namespaces/messages/send/action"),
  ServiceBusTopic: right("Microsoft.ServiceBus/namespaces/messages/send/action"),
  HybridConnection: right("Microsoft.Relay/namespaces/hybridConnections/send/action"),
  NamespaceTopic: right("Microsoft.EventGrid/events/send/action"),
};

/** The right of those who read what is delivered. */
export const READING: Readonly<Record<string, Right>> = {
  StorageQueue: right(`${messages}/process/action`, `${messages}/delete`),
  EventHub: right("Microsoft.EventHub/namespaces/messages/receive/action"),
  ServiceBusQueue: right("Microsoft.ServiceBus/namespaces/messages/receive/action"),
  ServiceBusTopic: right("Microsoft.ServiceBus/namespaces/messages/receive/action"),
  HybridConnection: right("Microsoft.Relay/namespaces/hybridConnections/listen/action"),
};

/** The storage account, namespace or site that a destination is in. */
const HOLDER = /\/.*?\/providers(?:\/[^/]*){3}/i;

/**
 * Judges whether Event Grid can write events, or dead letters, to a place that is no webhook.
 *
 * @param source the scope of the event subscription
 */
export async function targetVerdicts(
  world: World,
  part: Part & ("dead-letters" | "destination"),
  { type, place, identity }: Target,
  source: unknown,
): Promise<Verdict[]> {
  const needed = WRITING[type];
  if (typeof place !== "string" || needed === undefined) return [];
  const holderId = HOLDER.exec(place)?.[0] ?? place;
  const facts = { place, holder: holderId, type };
  const isAzures = identity != null && typeof source === "string" && ownerOf(source) === undefined;
  const scope = (isAzures && (await world.systemTopicOf(source))) || source;
  const rule = (name: RuleName, subject: string) => ruling(part, name, subject, facts);
  const [inner, holder] = [await world.resource(place), await world.resource(holderId)];
  const verdicts: Verdict[] = [];
  for (const [id, found] of new Map([
    [holderId, holder],
    [place, inner],
  ])) {
    const exists = rule("exists", id);
    if (found instanceof Doubt) verdicts.push(exists.unknown(found));
    else if (found === undefined) verdicts.push(exists.failed("missing", [id]));
    else verdicts.push(whole(found, exists));
  }
  if (holder === undefined || inner === undefined) return verdicts;
  const sender = senderOf(scope, identity);
  if (!(holder instanceof Doubt)) {
    verdicts.push(
      ...judgeKind(holder, rule("kind", holderId), type),
      // Without an identity, Event Grid writes with the keys of the destination.
      ...(identity == null ? [judgeKeys(holder, rule("keys", holderId), "failed")] : []),
    );
  }
  verdicts.push(...(await judgeNetwork(world, holderId, rule("network", holderId), sender)));
  if (!(inner instanceof Doubt)) verdicts.push(...judgeStatus(inner, rule("status", place)));
  if (identity == null) return verdicts;
  const ruleFor = (subject: string) => rule("identity", subject);
  const { verdict, principal, subject } = await judgeIdentity(world, scope, identity, ruleFor);
  verdicts.push(verdict);
  if (principal === undefined) return verdicts;
  const answer = await permission(world, principal, place, needed);
  const isKnown = !(principal instanceof Doubt);
  const role = rule("role", `${isKnown ? principal : subject} ${place}`);
  verdicts.push(role.of(answer, "may-not-write", isKnown ? { principal } : {}));
  return verdicts;
}

type Rule = ReturnType<typeof ruling>;

/** @see https://learn.microsoft.com/azure/storage/common/storage-account-overview */
function judgeKind({ body, witnesses }: Resource, rule: Rule, type: string): Verdict[] {
  if (type !== "StorageBlob" && type !== "StorageQueue") return [];
  const given = get(body, "kind");
  if (given === UNKNOWN) return [rule.later("its kind", witnesses)];
  const kind = String(given);
  const lacks =
    type === "StorageBlob" ? ["FileStorage"] : ["FileStorage", "BlockBlobStorage", "BlobStorage"];
  return [
    isOneOf(kind, ...lacks) ? rule.failed("wrong-kind", witnesses, { kind }) : rule.ok(witnesses),
  ];
}

/** Judges whether a resource takes access keys. */
export function judgeKeys(
  { body, witnesses }: Resource,
  rule: Rule,
  refused: "failed" | "warning",
): Verdict {
  const shared = get(body, "properties", "allowSharedKeyAccess");
  const disabled = get(body, "properties", "disableLocalAuth");
  if ([shared, disabled].includes(UNKNOWN)) return rule.later("whether it takes keys", witnesses);
  const isTaken = shared !== false && disabled !== true;
  return isTaken ? rule.ok(witnesses) : rule[refused]("keys-refused", witnesses);
}

async function judgeNetwork(
  world: World,
  id: string,
  rule: Rule,
  sender: Sender,
): Promise<Verdict[]> {
  const isAccount = /\/Microsoft\.Storage\//i.test(id);
  const isBroker = /\/Microsoft\.(ServiceBus|EventHub)\//i.test(id);
  if (!isAccount && !isBroker) return [];
  const holder = await world.resource(id);
  const set = isBroker ? await world.resource(`${id}/networkRuleSets/default`) : undefined;
  const shown = present([holder, set].map((each) => (each instanceof Doubt ? undefined : each)));
  if (shown.length === 0) return [];
  const unread = [holder, set].find((each) => each instanceof Doubt && each.why !== "open");
  const [body, ruleSet] = [bodyOf(holder), bodyOf(set)];
  const rules = isAccount ? accountRules(body) : brokerRules(body, ruleSet);
  const witnesses = shown.flatMap((each) => each.witnesses);
  const admitted = admission(rules, sender, isAccount);
  const later = unread instanceof Doubt ? unread : new Doubt("later", "its network rules");
  switch (admitted) {
    case "open":
    case "trusted":
      return [rule.ok(witnesses)];
    case "later":
      return [rule.unknown(later, witnesses)];
    case "perimeter":
      return [rule.unknown(new Doubt("perimeter", id), witnesses)];
    case "trusted-without-public-access":
    case "closed-without-identity":
      return [rule.warning(admitted, witnesses)];
    default:
      return [rule.failed(admitted, witnesses)];
  }
}

/** The settings of a resource's network. Of one in another plan, only what this plan changes counts. */
function bodyOf(found: Known<Resource | undefined>): unknown {
  if (!(found instanceof Doubt)) return found?.body;
  return found.why === "open" ? undefined : { properties: UNKNOWN };
}

/** @see https://learn.microsoft.com/azure/service-bus-messaging/entity-suspend */
function judgeStatus({ body, witnesses }: Resource, rule: Rule): Verdict[] {
  const status = get(body, "properties", "status");
  if (status === UNKNOWN) return [rule.later("whether it is enabled", witnesses)];
  if (isOneOf(status, "Disabled", "SendDisabled")) return [rule.failed("disabled", witnesses)];
  return [
    isOneOf(status, "ReceiveDisabled")
      ? rule.warning("receive-disabled", witnesses)
      : rule.ok(witnesses),
  ];
}
