import { isObject, MINUTES_OF_DAY } from "cloud-eventgrid-binding-runtime/internal";
import { audienceOf, get, isOneOf, UNKNOWN } from "../../rules/index.js";
import { shownUrl } from "../../terminal/index.js";
import { type Finding, lost, note, unknown } from "../finding.js";
import {
  attributes,
  blocksOf,
  isConfigured,
  isDescriptive,
  isDestination,
  isWithin,
  oneOf,
  type PlannedChange,
  plain,
  type Subscription,
  type SubscriptionChange,
  same,
} from "../terraform/index.js";

const LATER = "(known after the apply)";
const SENSITIVE = "(sensitive)";
const HIDDEN = "its sensitive_body may change, which the plan does not show";

/** Where a subscription delivers, without secrets. */
export function destinationText({ change }: SubscriptionChange, side: Subscription): string {
  const { type, place } = side.destination;
  const isSecret = ["webhook_endpoint", "body"].some((name) => change.isSensitive(name));
  if (isSecret) return SENSITIVE;
  if (place === UNKNOWN || type === "unknown") return LATER;
  if (type === "Queue") return `the queue ${side.name}`;
  if (type === "WebHook" && !URL.canParse(String(place))) return "a webhook";
  if (typeof place !== "string") return type;
  const names = place.replace("/queueServices/default", "").split("/").slice(-3);
  if (type !== "WebHook") return `${type} ${names.join("/")}`;
  return shownUrl(place).replace("?…", "");
}

/**
 * The effects of replacing, besides those of new settings.
 *
 * @param destroyed the resources that the plan destroys, or replaces
 */
export function replacementFindings(
  { change, before, after }: SubscriptionChange,
  destroyed: readonly PlannedChange[],
): Finding[] {
  const { action, replacePaths } = change;
  if (!action.includes("delete")) return [];
  const cause = replacePaths.length > 0 ? `, because of ${replacePaths.join(", ")}` : "";
  const isRenamed = before?.name !== after?.name || !same(before?.scope, after?.scope);
  if (action === "delete-create") {
    const message = `destroyed, then created${cause}: what is published meanwhile is lost`;
    const outer = destroyed.find(
      (each) => each !== change && isWithin(before?.scope, each.before?.id),
    );
    // A second event subscription would go with its topic, too.
    const remedy = outer
      ? `create another one beside ${outer.address}, with an event subscription, and destroy these later`
      : REMEDY;
    return [lost("replaced", "REPLACED", message, remedy)];
  }
  const waiting = `created, then destroyed${cause}: what the old one has not delivered by then is dropped`;
  const exists =
    "Azure refuses a second one with this name, so the apply fails; give it another name";
  return [unknown("replaced", isRenamed ? waiting : `${waiting}; ${exists}`)];
}

/**
 * The way to replace a subscription without a gap. `create_before_destroy` passes to what it depends on, which
 * cannot exist twice under one name.
 *
 * @see https://developer.hashicorp.com/terraform/language/meta-arguments/lifecycle#create_before_destroy
 */
const REMEDY = "create a second event subscription with another name, and destroy this one later";

/** Who must answer a handshake, and when. */
export function handshakeFindings(one: SubscriptionChange): Finding[] {
  const { before, after } = one;
  if (after?.destination.type !== "WebHook") return [];
  const url = destinationText(one, after);
  const isNew = before !== undefined && !same(before.destination.place, after.destination.place);
  const what = isNew ? `the endpoint changes: ${url}` : url;
  return [note("handshake", "handshake", `${what} must answer during the apply`)];
}

/** A setting, and what its change from one value to another does to events. */
interface Setting {
  readonly name: string;
  readonly of: (side: Subscription) => unknown;
  /** Called with two values that differ. */
  readonly explain: (old: unknown, next: unknown, one: SubscriptionChange) => Finding | undefined;
}

const inDestination = (name: string) => (side: Subscription) =>
  get(side.destination.settings, name);

/** What Event Grid calls, and nobody reads from. */
const CALLED = ["WebHook", "AzureFunction"];

/** In seconds; -1 is for ever. */
const MESSAGE_TTL = "queueMessageTimeToLiveInSeconds";

const SETTINGS: readonly Setting[] = [
  {
    name: "destination",
    of: ({ destination: { type, place } }) => [type, place],
    explain: (_old, _next, one) => {
      const { type, place, identity } = one.after?.destination ?? {};
      if (one.before?.destination.type === "Queue") {
        const message = "events are pushed from now on: nothing can be received from the queue";
        return lost("destination", "LOST", message);
      }
      if (type === "Queue")
        return unknown("destination", "events are no longer pushed: they wait for a receiver");
      const [from, to] = [one.before, one.after].map((side) => side && destinationText(one, side));
      const isSecret = to === SENSITIVE ? `to another endpoint ${to}` : `${to}, with another query`;
      if (place === UNKNOWN || type === "unknown")
        return unknown("destination", `moves from ${from} to ${LATER}`);
      if (type !== "WebHook" && identity)
        return unknown("destination", `moves to ${to}: its identity needs its role there`);
      const isHandled = [one.before?.destination.type, type].every((each) =>
        isOneOf(each, ...CALLED),
      );
      if (!isHandled)
        return unknown("destination", `moves from ${from} to ${to}: its receivers must follow`);
      return note("destination", "moves", from === to ? isSecret : `from ${from} to ${to}`);
    },
  },
  {
    name: "audience",
    of: ({ destination }) => audienceOf(destination),
    explain: (_old, next) => {
      const what =
        next == null ? "no tokens are sent any more" : "tokens are for another application";
      const whom = next == null ? "events without them" : "them";
      const message = `${what}: the webhook must accept ${whom}, because 401 and 403 are not retried`;
      return unknown("identity", message);
    },
  },
  {
    name: "settings of the destination",
    of: ({ destination }) => otherSettings(destination.settings),
    explain: (old, next) => {
      const names = othersIn(old, next);
      const which = names.length > 0 ? `: ${names.join(", ")}` : "";
      return unknown("destination", `other settings of the destination change${which}`);
    },
  },
  {
    name: "time in the queue",
    of: inDestination(MESSAGE_TTL),
    explain: (old, next) => {
      const what = `events stay in the queue for ${seconds(next)} instead of ${seconds(old)}`;
      const isLonger =
        next === -1 || (typeof next === "number" && old !== -1 && next > Number(old));
      return isLonger ? note("destination", "longer", what) : unknown("destination", what);
    },
  },
  {
    name: "identity",
    of: ({ destination }) => destination.identity,
    explain: (_old, next) => otherIdentity("delivers", next),
  },
  {
    name: "dead letters",
    of: ({ deadLetters }) => deadLetters?.identity,
    explain: (_old, next, { before, after }) =>
      before?.deadLetters && after?.deadLetters && otherIdentity("stores dead letters", next),
  },
  {
    name: "schema",
    of: ({ schema }) => schema,
    explain: (old, next) =>
      next == null
        ? undefined
        : unknown(
            "schema",
            `events arrive in another schema, ${shown(next)} instead of ${shown(old)}: the receiver must accept it, because 400 is not retried`,
          ),
  },
  {
    name: "batches",
    of: (side) => inDestination("maxEventsPerBatch")(side) ?? 1,
    explain: (old, next) => {
      const what = `events arrive in batches of up to ${shown(next)}`;
      if (next === 1) return undefined;
      if (old !== 1) return note("batching", "batching", what);
      return unknown("batching", `${what}: the receiver must accept lists`);
    },
  },
  {
    name: "dead letters",
    of: ({ deadLetters }) => deadLetters?.settings,
    explain: (old, next, { after }) => {
      if (next === undefined) {
        const message = `dead letters are switched off: events that fail for ${duration(after?.minutes)} are dropped`;
        return lost("dead-letters", "LOST", message);
      }
      if (after?.deadLetters?.place === UNKNOWN)
        return unknown("dead-letters", `dead letters go to ${LATER}`);
      const what = old === undefined ? "are kept from now on" : "go to another container";
      if (old !== undefined && after?.deadLetters?.identity) {
        const message = `dead letters ${what}: its identity needs its role there`;
        return unknown("dead-letters", message);
      }
      return note("dead-letters", "stored", `dead letters ${what}`);
    },
  },
  {
    name: "time to live",
    of: ({ minutes }) => minutes,
    explain: (old, next) =>
      limit(old, next, `events survive an outage of ${duration(next)} instead of ${duration(old)}`),
  },
  {
    name: "attempts",
    of: ({ attempts }) => attempts,
    explain: (old, next) =>
      limit(
        old,
        next,
        `${shown(next)} ${next === 1 ? "attempt" : "attempts"} to deliver an event instead of ${shown(old)}`,
      ),
  },
  {
    name: "lock",
    of: ({ lock }) => lock,
    explain: (old, next) => {
      const what = `consumers have ${shown(next)} s for an event instead of ${shown(old)} s`;
      const isLonger = typeof old === "number" && typeof next === "number" && next > old;
      return isLonger ? undefined : unknown("retries", what);
    },
  },
  {
    name: "expiry",
    of: ({ expiry }) => instant(expiry ?? ""),
    explain: (old, next) => {
      if (next === UNKNOWN) return unknown("expiry", `it expires at ${LATER}`);
      if (next === "") return note("expiry", "longer", "it no longer expires");
      const message = `it expires at ${shown(next)}: nothing is delivered afterwards`;
      const isLater = Date.parse(String(next)) > Date.parse(String(old));
      return isLater ? note("expiry", "longer", message) : lost("expiry", "LOST", message);
    },
  },
  {
    name: "headers",
    of: (side) => inAnyOrder(inDestination("deliveryAttributeMappings")(side)),
    explain: (old) =>
      same(old, undefined)
        ? undefined
        : unknown("headers", "other headers are sent: the receiver must accept events with them"),
  },
];

/** The names of the settings, besides the filter, that two event subscriptions do not have in common. */
export function differences(one: Subscription, other: Subscription): string[] {
  const found = SETTINGS.filter(({ of }) => !same(of(one), of(other))).map(({ name }) => name);
  return [...new Set(found)];
}

/** The effects of all settings besides the filter. */
export function settingsFindings(one: SubscriptionChange): Finding[] {
  const { before, after } = one;
  if (before === undefined || after === undefined) return [];
  const { change } = one;
  const others = othersIn(change.before, change.after).filter(
    (name) => change.after?.[name] !== UNKNOWN || isConfigured(change, name, UNKNOWN),
  );
  const message = `${others.join(", ")}: what the change does is not known to this command`;
  return [
    ...SETTINGS.flatMap(({ of, explain }) => {
      const [old, next] = [of(before), of(after)];
      return same(old, next) ? [] : (explain(old, next, one) ?? []);
    }),
    ...(others.length > 0 ? [unknown("plan", message)] : []),
    ...(change.isHidden ? [unknown("plan", HIDDEN)] : []),
  ];
}

/** Settings in which there are others. */
const OUTER = attributes(`body properties filter filters_configuration subject_filter retry_policy
  delivery_configuration queue push`);
/** The settings that this command compares, in the spelling of Resource Manager. */
const COMPARED = attributes(
  `id name scope parentId systemTopic resourceGroupName topic topicName provisioningState
  destination deliveryWithResourceIdentity deliveryIdentity deliveryProperty deliveryMode
  eventDeliverySchema deliverySchema expirationTimeUtc receiveLockDurationInSeconds
  deadLetterDestination deadLetterWithResourceIdentity deadLetterIdentity
  deadLetterDestinationWithResourceIdentity storageBlobDeadLetterDestination
  eventTimeToLive eventTimeToLiveInMinutes maxDeliveryAttempts maxDeliveryCount
  includedEventTypes subjectBeginsWith subjectEndsWith caseSensitive isSubjectCaseSensitive
  filters advancedFilter advancedFilters enableAdvancedFilteringOnArrays sensitiveBody
  advancedFilteringOnArraysEnabled`,
);

const isCompared = (name: string) =>
  COMPARED.test(plain(name)) || isDestination(name) || isDescriptive(name);

/** The names of settings that change and that this command does not compare. */
function othersIn(before: unknown, after: unknown): string[] {
  const [old = {}, next = {}] = [before, after].map((side) => blocksOf(side)[0]);
  if (!isObject(old) || !isObject(next)) return [];
  return Object.keys({ ...old, ...next }).flatMap((name) => {
    if (isCompared(name) || same(old[name], next[name])) return [];
    return OUTER.test(plain(name)) ? othersIn(old[name], next[name]) : [name];
  });
}

/** The settings of a destination that no other row is about, or that do nothing to events. */
function otherSettings(settings: unknown): unknown {
  if (!isObject(settings)) return settings;
  const known = oneOf(`endpointUrl endpointBaseUrl resourceId queueName deliveryAttributeMappings
    azureActiveDirectoryApplicationIdOrUri queueMessageTimeToLiveInSeconds maxEventsPerBatch
    preferredBatchSizeInKilobytes`);
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !known.test(name)));
}

function otherIdentity(does: string, next: unknown): Finding {
  const message =
    next == null
      ? `an access key ${does} instead of an identity: the destination must accept keys`
      : `another identity ${does}: it needs its role before the apply`;
  return unknown("identity", message);
}

function limit(old: unknown, next: unknown, what: string): Finding {
  if (typeof old !== "number" || typeof next !== "number") return unknown("retries", what);
  return next < old ? lost("retries", "LOST", what) : note("retries", "longer", what);
}

/** A time as its instant: providers write it with other offsets or without fractions of a second. */
function instant(time: unknown): unknown {
  const millis = Date.parse(String(time));
  return Number.isNaN(millis) ? time : new Date(millis).toISOString().replace(".000Z", "Z");
}

/** Headers have no order. */
function inAnyOrder(headers: unknown): unknown {
  if (!Array.isArray(headers)) return headers;
  const key = (header: unknown) => String(JSON.stringify(header));
  return [...headers].sort((a, b) => key(a).localeCompare(key(b)));
}

function duration(minutes: unknown): string {
  if (typeof minutes !== "number") return shown(minutes);
  if (minutes % 60 !== 0) return `${minutes} min`;
  const days = minutes / MINUTES_OF_DAY;
  return Number.isInteger(days) && days !== 1 ? `${days} days` : `${minutes / 60} h`;
}

const seconds = (value: unknown) => (value === -1 ? "ever" : `${shown(value)} s`);

function shown(value: unknown): string {
  return value === UNKNOWN ? LATER : String(value ?? "the default");
}
