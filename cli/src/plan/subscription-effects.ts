import { isObject, UNKNOWN } from "cloud-eventgrid-binding-runtime/contract";
import { type Finding, lost, note, unknown } from "./finding.js";
import type { PlannedChange } from "./read-plan.js";
import { get, type Subscription } from "./resources.js";

/** A change of an event subscription, with what it is before and after. */
export interface SubscriptionChange {
  readonly change: PlannedChange;
  readonly before: Subscription | undefined;
  readonly after: Subscription | undefined;
}

const LATER = "(known after the apply)";
const SENSITIVE = "(sensitive)";

/** Whether two values are the same for Azure, which has nothing where azurerm has an empty text. */
export function same(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b);
}

function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) => {
      if (inner === UNKNOWN) return { unknown: true };
      if (!isObject(inner))
        return inner === "" || inner === null || isEmpty(inner) ? undefined : inner;
      const fields = Object.entries(inner).filter(
        ([, each]) => each !== null && each !== "" && !isEmpty(each),
      );
      return Object.fromEntries(fields.sort(([x], [y]) => (x < y ? -1 : 1)));
    }) ?? ""
  );
}

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;

/** Where a subscription delivers, without secrets. */
export function destinationText({ change }: SubscriptionChange, side: Subscription): string {
  const { type, place } = side.destination;
  const isSecret = ["webhook_endpoint", "body"].some((name) => change.isSensitive(name));
  if (isSecret) return SENSITIVE;
  if (place === UNKNOWN || type === "unknown") return LATER;
  if (type === "Queue") return `the queue ${side.name}`;
  if (typeof place !== "string") return type;
  if (type !== "WebHook") return `${type} ${place.split("/").slice(-3).join("/")}`;
  if (!URL.canParse(place)) return "a webhook";
  const { origin, pathname } = new URL(place);
  return `${origin}${pathname}`;
}

/** What replacing does besides the new settings. */
export function replacementFindings({ change, before, after }: SubscriptionChange): Finding[] {
  const { action, replacePaths } = change;
  const cause = replacePaths.length > 0 ? `, because of ${replacePaths.join(", ")}` : "";
  const isRenamed = before?.name !== after?.name || !same(before?.scope, after?.scope);
  if (action === "delete-create") {
    const remedy = isRenamed
      ? "add create_before_destroy"
      : "add create_before_destroy, and give it another name";
    const message = `destroyed, then created${cause}: what is published meanwhile is lost`;
    return [lost("replaced", "REPLACED", message, remedy)];
  }
  const waiting = `created, then destroyed${cause}: what the old one has not delivered by then is dropped`;
  const exists =
    "Azure refuses a second one with this name, so the apply fails; give it another name";
  return [unknown("replaced", isRenamed ? waiting : `${waiting}; ${exists}`)];
}

/** Who must answer a handshake, and when. */
export function handshakeFindings(one: SubscriptionChange): Finding[] {
  const { before, after } = one;
  if (after === undefined || after.destination.type !== "WebHook") return [];
  const url = destinationText(one, after);
  const isNew = before !== undefined && !same(before.destination.place, after.destination.place);
  const what = isNew ? `the endpoint changes: ${url}` : url;
  return [note("handshake", "handshake", `${what} must answer during the apply`)];
}

/** What the settings besides the filter do to events. */
export function settingsFindings(one: SubscriptionChange): Finding[] {
  const { before, after } = one;
  if (before === undefined || after === undefined) return [];
  return [
    ...destinationFindings(one, before, after),
    ...schemaFindings(before, after),
    ...batchingFindings(before, after),
    ...deadLetterFindings(before, after),
    ...retryFindings(before, after),
    ...expiryFindings(before, after),
    ...headerFindings(before, after),
  ];
}

function destinationFindings(
  one: SubscriptionChange,
  before: Subscription,
  after: Subscription,
): Finding[] {
  const [old, next] = [before.destination, after.destination];
  const results: Finding[] = [];
  if (!same([old.type, old.place], [next.type, next.place])) {
    const [from, to] = [destinationText(one, before), destinationText(one, after)];
    const isSecret = to === SENSITIVE ? `to another endpoint ${to}` : `${to}, with another query`;
    const what = from === to ? isSecret : `from ${from} to ${to}`;
    results.push(note("destination", "moves", what));
  }
  if (!same(old.audience, next.audience)) {
    const message =
      "tokens are for another application: the webhook must accept them, because 401 and 403 are not retried";
    results.push(unknown("identity", message));
  }
  if (!same(old.further, next.further)) {
    results.push(unknown("destination", "other settings of the destination change"));
  }
  const identities = [before, after].map(({ properties }) => [
    properties.deliveryIdentity ?? get(properties, "deliveryWithResourceIdentity", "identity"),
    properties.deadLetterIdentity ?? get(properties, "deadLetterWithResourceIdentity", "identity"),
  ]);
  if (!same(identities[0], identities[1])) {
    const message =
      "another identity delivers or stores dead letters: it needs its role before the apply";
    results.push(unknown("identity", message));
  }
  return results;
}

function schemaFindings(before: Subscription, after: Subscription): Finding[] {
  const [old, next] = [before, after].map(({ properties }) => properties.eventDeliverySchema);
  if (same(old, next) || next === undefined || next === null) return [];
  const message = `events arrive in another schema, ${shown(next)} instead of ${shown(old)}: the receiver must accept it, because 400 is not retried`;
  return [unknown("schema", message)];
}

function batchingFindings(before: Subscription, after: Subscription): Finding[] {
  const [old, next] = [before, after].map(({ properties }) => {
    const destination =
      properties.destination ??
      get(properties, "deliveryWithResourceIdentity", "destination") ??
      get(properties, "deliveryConfiguration", "push", "destination");
    return numberOr(get(destination, "properties", "maxEventsPerBatch"), 1);
  });
  if (old === next || next === 1) return [];
  const what = `events arrive in batches of up to ${shown(next)}`;
  if (old !== 1) return [note("batching", "batching", what)];
  return [unknown("batching", `${what}: the receiver must accept lists`)];
}

function deadLetterFindings(before: Subscription, after: Subscription): Finding[] {
  const [old, next] = [before, after].map(({ properties }) => {
    const place =
      properties.deadLetterDestination ??
      get(properties, "deadLetterWithResourceIdentity", "deadLetterDestination") ??
      ["queue", "push"]
        .map((mode) => get(properties, "deliveryConfiguration", mode, DEAD_LETTER))
        .find((each) => each !== undefined && each !== null);
    return place ?? undefined;
  });
  if (same(old, next)) return [];
  if (next === undefined) {
    const { minutes } = limitsOf(after);
    const message = `dead letters are switched off: events that fail for ${duration(minutes)} are dropped`;
    return [lost("dead-letters", "LOST", message)];
  }
  const what = old === undefined ? "are kept from now on" : "go to another container";
  return [note("dead-letters", "stored", `dead letters ${what}`)];
}

const DEAD_LETTER = "deadLetterDestinationWithResourceIdentity";

/** How long Event Grid tries: minutes and attempts. */
function limitsOf({ properties, isNamespace }: Subscription): {
  minutes: unknown;
  attempts: unknown;
} {
  const policy = properties.retryPolicy;
  if (!isNamespace) {
    return {
      minutes: numberOr(get(policy, "eventTimeToLiveInMinutes"), 1440),
      attempts: numberOr(get(policy, "maxDeliveryAttempts"), 30),
    };
  }
  const of = (name: string) =>
    get(properties, "deliveryConfiguration", "queue", name) ??
    get(properties, "deliveryConfiguration", "push", name);
  const life = of("eventTimeToLive");
  return { minutes: minutesOf(life), attempts: numberOr(of("maxDeliveryCount"), 10) };
}

/** Minutes of an ISO 8601 duration; the text itself if it is something else. */
function minutesOf(text: unknown): unknown {
  const [all, days = 0, hours = 0, minutes = 0] =
    /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?)?$/.exec(typeof text === "string" ? text : "") ?? [];
  return all === undefined ? text : Number(days) * 1440 + Number(hours) * 60 + Number(minutes);
}

function retryFindings(before: Subscription, after: Subscription): Finding[] {
  const [old, next] = [limitsOf(before), limitsOf(after)];
  return (["minutes", "attempts"] as const).flatMap((name) => {
    const [was, is] = [old[name], next[name]];
    if (same(was, is)) return [];
    const what =
      name === "minutes"
        ? `events survive an outage of ${duration(is)} instead of ${duration(was)}`
        : `${shown(is)} attempts to deliver an event instead of ${shown(was)}`;
    if (typeof was !== "number" || typeof is !== "number") return [unknown("retries", what)];
    return [is < was ? lost("retries", "LOST", what) : note("retries", "longer", what)];
  });
}

function expiryFindings(before: Subscription, after: Subscription): Finding[] {
  const [old, next] = [before, after].map(({ properties }) => properties.expirationTimeUtc ?? "");
  if (same(old, next)) return [];
  if (next === UNKNOWN) return [unknown("expiry", "when it expires is known only after the apply")];
  if (next === "") return [note("expiry", "longer", "it no longer expires")];
  const time = typeof next === "string" ? Date.parse(next) : Number.NaN;
  const isLater = typeof old === "string" && time > Date.parse(old);
  const message = `it expires at ${shown(next)}: nothing is delivered afterwards`;
  return [isLater ? note("expiry", "longer", message) : lost("expiry", "LOST", message)];
}

function headerFindings(before: Subscription, after: Subscription): Finding[] {
  const [old, next] = [before, after].map(
    ({ properties }) =>
      properties.deliveryProperties ??
      get(properties.destination, "properties", "deliveryAttributeMappings"),
  );
  if (same(old, next) || same(old, undefined)) return [];
  return [unknown("headers", "other headers are sent: the receiver must accept events with them")];
}

function numberOr(value: unknown, otherwise: number): unknown {
  return value === undefined || value === null ? otherwise : value;
}

function duration(minutes: unknown): string {
  if (typeof minutes !== "number") return shown(minutes);
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
}

function shown(value: unknown): string {
  return value === UNKNOWN ? LATER : String(value ?? "the default");
}
