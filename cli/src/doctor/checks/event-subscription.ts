import { DAY_MS, groupsOf } from "cloud-eventgrid-binding-runtime/internal";
import { type Azure, at, EVENT_GRID_API, subscriptionsPath, textAt } from "../../azure/index.js";
import { isOfType, isTopic, sameId } from "../../resource-id.js";
import { areDisjoint } from "../../rules/filters/index.js";
import {
  audienceOf,
  type Delivery,
  Doubt,
  deliveryOf,
  isOneOf,
  type World,
} from "../../rules/index.js";
import type { DeployedInput } from "../deployment.js";
import { type Finding, findings, type Remedy } from "../finding.js";
import { doubtful } from "../words.js";
import { missingSubscription } from "./provider.js";

/** An event subscription as Resource Manager shows it. */
export interface EventSubscription {
  readonly id: string;
  readonly name: string;
  readonly scope: string;
  readonly properties: unknown;
  readonly delivery: Delivery;
}

/** Finds the event subscription and judges its state; undefined when there is none to inspect. */
export async function checkEventSubscription(
  azure: Azure,
  world: World,
  input: DeployedInput,
  now: number,
): Promise<{ readonly findings: Finding[]; readonly subscription?: EventSubscription }> {
  const { scope, eventSubscriptionName: name, clientId } = input;
  const finding = findings("event-subscription");
  if (scope === undefined) {
    const remedy = "give --scope <id>, or --event-subscription <id> from Terraform's outputs";
    return { findings: [finding.unknown("the scope is not known", remedy)] };
  }
  if (isOfType(scope, "Microsoft.EventGrid/namespaces/topics")) {
    const message = "event subscriptions of namespaces that push to a webhook are not examined";
    return { findings: [finding.unknown(message, "compare it with the definition yourself")] };
  }
  const { list, answer, candidates, all, unread } = await findSubscriptions(
    azure,
    world,
    input,
    scope,
  );
  const [subscription, another] = candidates;
  if (another !== undefined) {
    const ids = candidates.map(({ id }) => id).join(", ");
    const message = `${candidates.length} event subscriptions deliver to the application ${clientId}`;
    return { findings: [finding.unknown(message, `choose with --event-subscription: ${ids}`)] };
  }
  if (subscription === undefined) {
    const missing = missingSubscription(answer, scope);
    if (missing !== undefined) return { findings: [missing] };
    if (answer.status !== 200 && answer.status !== 404) {
      return { findings: [finding.unreadable("the event subscription", answer)] };
    }
    if (unread !== undefined) return { findings: [doubtful("event-subscription", unread)] };
    const missingScope = await checkScope(azure, scope);
    if (missingScope !== undefined) return { findings: [missingScope] };
    const which = name === undefined ? `for the application ${clientId}` : `"${name}"`;
    const remedy = `${REPAIR}, then run terraform apply`;
    return { findings: [finding.failed(`there is no event subscription ${which}`, remedy)] };
  }
  return {
    findings: [
      judgeState(subscription, "exists and is enabled", webhookRemedy, now),
      ...judgeRetries(subscription.name, subscription.delivery, [
        "maxDeliveryAttempts",
        "eventTimeToLiveMinutes",
      ]),
      ...(list.status === 200
        ? judgeTwins(subscription, all)
        : [finding.notReadable("other event subscriptions at the scope", list)]),
    ],
    subscription,
  };
}

function readSubscription(item: unknown, scope: string, givenName = ""): EventSubscription {
  const name = textAt(item, "name") ?? givenName;
  const id = textAt(item, "id") ?? `${subscriptionsPath(scope)}/${name}`;
  const properties = at(item, "properties");
  return { id, name, scope, properties, delivery: deliveryOf(properties, false) };
}

/** The subscriptions that fit the definition, and all at the scope. */
async function findSubscriptions(
  azure: Azure,
  world: World,
  { eventSubscriptionName: name, clientId, path }: DeployedInput,
  scope: string,
) {
  const list = await azure.list(azure.arm(subscriptionsPath(scope), EVENT_GRID_API));
  const all = list.items.map((item) => readSubscription(item, scope));
  if (name !== undefined) {
    const answer = await azure.arm(`${subscriptionsPath(scope)}/${name}`, EVENT_GRID_API);
    const candidates = answer.status === 200 ? [readSubscription(answer.body, scope, name)] : [];
    return { list, answer, candidates, all, unread: undefined };
  }
  const { audiences, unread } = await ownAudiences(world, clientId, all);
  const own = all.filter((one) => audiences.some((audience) => sameId(audienceIn(one), audience)));
  const atPath = own.filter((subscription) => pathOf(registeredUrl(subscription)) === path);
  return { list, answer: list, candidates: atPath.length > 0 ? atPath : own, all, unread };
}

/**
 * The audiences of the application's tokens: its client ID, and its identifier URIs, which Graph is asked
 * for only if a subscription has such an audience.
 */
async function ownAudiences(
  world: World,
  clientId: string,
  subscriptions: readonly EventSubscription[],
): Promise<{ readonly audiences: readonly string[]; readonly unread?: Doubt }> {
  const certain = [clientId, `api://${clientId}`];
  if (!subscriptions.some((one) => audienceIn(one)?.includes(":"))) {
    return { audiences: certain };
  }
  const found = await world.application(clientId);
  if (found instanceof Doubt) return { audiences: certain, unread: found };
  return { audiences: [...certain, ...(found?.identifierUris.items ?? [])] };
}

/** A time to live below this is over before a service has restarted. */
const SHORT_TIME_TO_LIVE_MINUTES = 10;

/**
 * A single attempt, or a short time to live, loses events whenever the service restarts.
 *
 * @param names of the two settings of the binding
 */
export function judgeRetries(
  name: string,
  { attempts, minutes }: Pick<Delivery, "attempts" | "minutes">,
  names: readonly [attempts: string, minutes: string],
): Finding[] {
  const finding = findings("retry-policy");
  const results: Finding[] = [];
  if (attempts === 1) {
    const message = `"${name}" delivers an event once only: it is lost whenever the service restarts`;
    results.push(finding.warning(message, `raise ${names[0]} of the binding`));
  }
  if (typeof minutes === "number" && minutes < SHORT_TIME_TO_LIVE_MINUTES) {
    const message = `"${name}" keeps events for ${minutes} min: they are lost whenever the service is away for longer`;
    results.push(finding.warning(message, `raise ${names[1]} of the binding`));
  }
  return results;
}

/** Two subscriptions at one scope deliver an event twice to their common endpoint if both match it. */
function judgeTwins(subscription: EventSubscription, all: readonly EventSubscription[]): Finding[] {
  const url = registeredUrl(subscription);
  const filter = at(subscription.properties, "filter");
  const twins = all.filter(
    (other) =>
      other.name !== subscription.name &&
      sameUrl(registeredUrl(other), url) &&
      !areDisjoint(filter, at(other.properties, "filter")),
  );
  if (url === undefined || twins.length === 0) return [];
  const names = twins.map(({ name }) => `"${name}"`).join(", ");
  const message = `${names} deliver${twins.length === 1 ? "s" : ""} to ${url}, too: events that both match arrive twice`;
  const remedy = "delete the subscriptions that nothing manages, or make their filters disjoint";
  return [findings("event-subscription").warning(message, remedy)];
}

/** Says that the scope does not exist; undefined when it does, or when that cannot be known. */
async function checkScope(azure: Azure, scope: string): Promise<Finding | undefined> {
  const finding = findings("scope");
  const remedy = "check the definition's scope, and whether the resource was deleted";
  if (isTopic(scope)) {
    const { status } = await azure.arm(scope, EVENT_GRID_API);
    return status === 404 ? finding.failed(`the topic ${scope} does not exist`, remedy) : undefined;
  }
  const [subscription, group, resource] = groupsOf(
    /^(\/subscriptions\/[^/]+)(\/resourceGroups\/[^/]+)?(\/providers\/.+)?$/i,
    scope,
  );
  if (group === "") return undefined;
  const { status } = await azure.arm(`${subscription}${group}`, "2021-04-01");
  if (status === 404) {
    return finding.failed(`the resource group of ${scope} does not exist`, remedy);
  }
  if (resource === "") return undefined;
  const name = scope.split("/").at(-1);
  const list = await azure.list(
    azure.arm(`${subscription}${group}/resources`, "2021-04-01", { $filter: `name eq '${name}'` }),
  );
  const exists = list.items.some((item) => sameId(textAt(item, "id"), scope));
  if (list.status !== 200 || exists) return undefined;
  return finding.failed(`the resource ${scope} does not exist`, remedy);
}

/**
 * The state of an event subscription, or of one in a namespace.
 *
 * @param works what it does if nothing is wrong
 * @param remedyOf what to do about a state that does not pass by itself
 */
export function judgeState(
  { name, properties }: Pick<EventSubscription, "name" | "properties">,
  works: string,
  remedyOf: (state: string) => Remedy | string,
  now: number,
): Finding {
  const finding = findings("event-subscription");
  const state = textAt(properties, "provisioningState");
  const expires = textAt(properties, "expirationTimeUtc");
  if (expires !== undefined && Date.parse(expires) <= now) {
    const remedy =
      "set a later expiration time and apply again; an expired subscription is deleted";
    return finding.failed(`"${name}" expired at ${expires}`, remedy);
  }
  if (state === undefined) return finding.notShown(`the state of "${name}"`);
  if (isOneOf(state, "Succeeded")) {
    if (expires !== undefined && Date.parse(expires) <= now + DAY_MS) {
      const remedy =
        "set a later expiration time and apply again, if events are to arrive after it";
      return finding.warning(`"${name}" ${works}, but expires at ${expires}`, remedy);
    }
    return finding.ok(`"${name}" ${works}`);
  }
  if (isOneOf(state, "Creating", "Updating", "Deleting")) {
    const remedy = "wait a minute and run the command again";
    return finding.unknown(`"${name}" is being changed (${state})`, remedy);
  }
  const message = `"${name}" is in the state ${state}: nothing is delivered`;
  return finding.failed(message, remedyOf(state));
}

/** Event Grid refuses a subscription without a handshake if who writes it lacks the app role. */
const REPAIR =
  "repair what fails at the handshake, and at the writer, which --writer <id> checks, too";

function webhookRemedy(state: string): Remedy {
  if (isOneOf(state, "AwaitingManualAction")) {
    return {
      text:
        "the webhook received a validation URL and nobody opened it: open it from the webhook's log within " +
        "10 minutes of the handshake, or apply again with a webhook that answers the handshake",
    };
  }
  return {
    text: `${REPAIR}, then replace the subscription`,
    command: "terraform apply -replace=ADDRESS",
  };
}

/** The registered URL without its query. */
export function registeredUrl({
  delivery,
}: Pick<EventSubscription, "delivery">): string | undefined {
  return textAt(delivery.destination.settings, "endpointBaseUrl");
}

/** The application that the tokens of its deliveries are for. */
export function audienceIn({ delivery }: EventSubscription): string | undefined {
  const audience = audienceOf(delivery.destination);
  return typeof audience === "string" ? audience : undefined;
}

/** Whether two URLs lead to the same endpoint; the case of the host does not matter. */
export function sameUrl(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return URL.canParse(a) && URL.canParse(b) ? new URL(a).href === new URL(b).href : a === b;
}

/** The path of a URL; undefined if it is none. */
export function pathOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).pathname : undefined;
}
