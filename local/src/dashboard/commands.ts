import * as v from "valibot";
import {
  fields,
  isNamed,
  list,
  number,
  oneOf,
  ServiceError,
  text,
  version,
} from "../base/index.js";
import {
  accessKeyName,
  type EventSubscription,
  systemEventFamilies,
  type Topic,
} from "../eventgrid/index.js";
import { ingressTable } from "../network/index.js";
import { type Commands, read } from "../remote/index.js";
import { exportedRecords, loggedEvents, recordingText, testCase } from "../replay/index.js";
import type { DashboardCloud } from "./cloud.js";
import { routeEndpoint } from "./endpoint-target.js";
import { deadLetterDetails, eventDetails } from "./event-details.js";
import { rowsAfter } from "./live.js";
import { namespaceCommands } from "./namespace-commands.js";
import type { ExportedFile, IngressRoute, Overview } from "./protocol.js";
import { domainDetails, resources, subscriptionDetails, topicDetails } from "./resources.js";

const numberOrId = v.union([v.number(), v.string()]);
const resending = fields({ event: numberOrId, subscription: v.optional(text) });
const exporting = fields({ events: list(number), as: oneOf("recording", "testCase") });
const retrying = fields({ event: v.optional(numberOrId), subscription: v.optional(text) });
const keyRegeneration = fields({ topic: text, key: text });
const newSubscription = v.looseObject({
  name: v.string(),
  endpointUrl: v.optional(v.string()),
  /** A topic, or the topic of the `domain`. */
  topic: v.optional(v.string()),
  domain: v.optional(v.string()),
  scope: v.optional(v.string()),
  /** Local server that serves the URL's path. */
  target: v.optional(v.string()),
});

/**
 * The commands of the dashboard and the command line, by method and path below `/local/`. They need
 * the token, because they show keys and tokens.
 */
export const dashboardCommands: Commands<DashboardCloud> = {
  ...namespaceCommands,
  "GET overview": (cloud): Overview => ({
    version: version(),
    tenantId: cloud.tenantId,
    subscriptionId: cloud.subscriptionId,
    httpOrigin: cloud.httpOrigin,
    clock: cloud.clockKind,
    systemEventTypes: systemEventFamilies.flatMap(({ resourceType, types }) =>
      types.map((type) => ({ type, resourceType })),
    ),
  }),
  "GET resources": resources,
  "GET activity": ({ eventGrid }, _, query) =>
    rowsAfter(eventGrid.activity, numberIn(query, "after", 0), numberIn(query, "limit", 1_000)),
  "GET event": (cloud, _, query) => {
    const event = query.get("number") ?? "";
    return eventDetails(
      {
        activity: cloud.eventGrid.activity,
        deadLetters: () => cloud.deadLetters(),
        topic: (name) =>
          [...cloud.topics.list(), ...cloud.domains.list()].find((each) => each.name === name),
      },
      cloud.eventGrid.activity.findEvent(/^\d+$/.test(event) ? Number(event) : event),
    );
  },
  "GET dead-letter-details": ({ eventGrid }) =>
    eventGrid.deadLetters().map((each) => deadLetterDetails(each, eventGrid.activity)),
  "GET faults": (cloud) => cloud.faults.list(),

  "POST resend": ({ eventGrid }, body) => {
    const { event, subscription } = read(resending, body);
    return { subscriptions: eventGrid.redelivery.resend(event, subscription) };
  },
  "POST export": ({ eventGrid, subscriptionId }, body): ExportedFile => {
    const { events, as } = read(exporting, body);
    const logged = loggedEvents(eventGrid, events);
    const day = new Date(eventGrid.clock.now()).toISOString().slice(0, 10);
    return as === "testCase"
      ? { name: `events-${day}.test.ts`, text: testCase(logged, eventGrid, subscriptionId) }
      : { name: `events-${day}.json`, text: recordingText(exportedRecords(logged)) };
  },
  "POST retry": ({ eventGrid }, body) => {
    const { event, subscription } = read(retrying, body);
    return { deliveries: eventGrid.redelivery.retryNow(event, subscription) };
  },

  "POST topics/create": (cloud, body) => {
    // The body is what `topics.create` takes, which checks it.
    const topic = cloud.topics.create(body as Parameters<typeof cloud.topics.create>[0]);
    return topicDetails(cloud, topic);
  },
  "POST topics/delete": (cloud, body) => {
    const { topic } = read(fields({ topic: text }), body);
    cloud.topics.delete(topicCalled(cloud, topic).id);
  },
  "POST topics/regenerate-key": (cloud, body) => {
    const { topic, key } = read(keyRegeneration, body);
    return topicOrDomainCalled(cloud, topic).regenerateKey(accessKeyName(key));
  },
  "POST domains/create": (cloud, body) => {
    const domain = cloud.domains.create(body as Parameters<typeof cloud.domains.create>[0]);
    return domainDetails(cloud, domain);
  },
  "POST domains/delete": (cloud, body) => {
    const { domain } = read(fields({ domain: text }), body);
    cloud.domains.delete(domainCalled(cloud, domain).id);
  },

  "POST subscriptions/create": async (cloud, body) => {
    const { topic, domain, scope, target, ...settings } = read(newSubscription, body);
    const resolvedScope = scopeIn(cloud, { topic, domain, scope });
    const { endpointUrl } = settings;
    if (target !== undefined && endpointUrl !== undefined && URL.canParse(endpointUrl)) {
      routeEndpoint(cloud, endpointUrl, target);
    }
    const { completed, awaitingManualAction } = cloud.eventSubscriptions.beginCreation({
      ...settings,
      scope: resolvedScope,
    });
    return subscriptionDetails(cloud, await Promise.race([completed, awaitingManualAction]));
  },
  "POST subscriptions/delete": (cloud, body) => {
    const { scope, name } = subscriptionIn(cloud, body);
    cloud.eventSubscriptions.delete(scope, name);
  },
  "GET ingress": ({ ingress }): IngressRoute[] =>
    ingress.snapshot().map(([address, target]) => ({ address, ...target })),
  "POST ingress/add": ({ ingress }, body) => {
    const routes = Object.entries(read(ingressTable, body));
    for (const [address, target] of routes) ingress.route(address, target);
  },
  "POST ingress/remove": ({ ingress }, body) => {
    const { address } = read(fields({ address: text }), body);
    if (ingress.remove(address)) return;
    throw new ServiceError(404, "ResourceNotFound", `The ingress table has no '${address}'.`);
  },
  "POST handshake": async (cloud, body) => {
    const operation = cloud.eventSubscriptions.write(subscriptionIn(cloud, body));
    const outcome = await Promise.race([operation.completed, operation.awaitingManualAction]);
    if (outcome.validationUrl === undefined) return;
    throw new ServiceError(
      400,
      "AwaitingManualAction",
      `The webhook did not return the validation code. Open within ten minutes: ${outcome.validationUrl}`,
    );
  },
};

function numberIn(query: URLSearchParams, name: string, defaultValue: number): number {
  const number = Number(query.get(name) ?? defaultValue);
  return Number.isFinite(number) ? number : defaultValue;
}

function topicCalled({ topics }: DashboardCloud, nameOrId: string): Topic {
  const found = topics.list().find((topic) => isNamed(topic, nameOrId));
  if (found) return found;
  throw new ServiceError(404, "ResourceNotFound", `There is no topic '${nameOrId}'.`);
}

function domainCalled({ domains }: DashboardCloud, nameOrId: string): Topic {
  const found = domains.list().find((domain) => isNamed(domain, nameOrId));
  if (found) return found;
  throw new ServiceError(404, "ResourceNotFound", `There is no domain '${nameOrId}'.`);
}

function topicOrDomainCalled(cloud: DashboardCloud, nameOrId: string): Topic {
  const domain = cloud.domains.get(nameOrId);
  return domain ?? topicCalled(cloud, nameOrId);
}

function scopeIn(
  cloud: DashboardCloud,
  {
    topic,
    domain,
    scope = "",
  }: Pick<v.InferOutput<typeof newSubscription>, "topic" | "domain" | "scope">,
): string {
  if (domain !== undefined) {
    const { id } = domainCalled(cloud, domain);
    return topic === undefined ? id : `${id}/topics/${topic}`;
  }
  return topic === undefined ? scope : topicCalled(cloud, topic).id;
}

function subscriptionIn({ eventSubscriptions }: DashboardCloud, body: unknown): EventSubscription {
  const { subscription } = read(fields({ subscription: text }), body);
  const [found, another] = eventSubscriptions.list().filter((each) => isNamed(each, subscription));
  if (another) {
    throw new ServiceError(
      409,
      "Conflict",
      `Several event subscriptions have the name '${subscription}'. Use the resource ID, for example ${another.id}`,
    );
  }
  if (found) return found;
  throw new ServiceError(
    404,
    "ResourceNotFound",
    `There is no event subscription '${subscription}'.`,
  );
}
