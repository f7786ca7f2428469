import { ServiceError, scopeKey } from "../base/index.js";
import {
  type AcceptedEvent,
  type EventGrid,
  type EventSubscription,
  type Topic,
  withoutQuery,
} from "../eventgrid/index.js";
import { recordsOf } from "./export.js";

/**
 * A test for Vitest that replays the events with these numbers in the activity log to a service,
 * through the same topics and event subscriptions, and expects that it handles every event.
 *
 * @param subscriptionId the Azure subscription of the cloud, which scopes name
 * @throws ServiceError if none of the events is in the history any more, or no webhook gets them
 */
export function testCaseOf(
  eventGrid: EventGrid,
  numbers: readonly number[],
  subscriptionId: string,
): string {
  const records = recordsOf(eventGrid, numbers);
  const events = new Set(records.map(({ event }) => event));
  const subscriptions = webhooksOf(eventGrid, [...events]);
  const origins = subscriptions.map(({ settings }) => new URL(settings.endpointUrl ?? "").origin);
  const topics = subscriptions.flatMap(({ scope }) => eventGrid.topicOf(scope) ?? []);
  const statements = [
    ...[...new Set(origins)].map(
      (origin) => `cloud.ingress.route(${JSON.stringify(origin)}, service.url);`,
    ),
    ...[...new Set(topics)].map(topicStatement),
    ...subscriptions.map(subscriptionStatement),
  ];
  const title = `${events.size} ${events.size === 1 ? "event" : "events"} of ${records[0]?.fields.time.slice(0, 10)}`;
  return `// ${title}, saved by the dashboard of cloud-eventgrid-local.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { LocalCloud } from "cloud-eventgrid-local";
import { expect, it } from "vitest";

/** The deliveries as they were recorded. */
const recording: object[] = [
${records.map(({ fields, json }) => `  ${JSON.stringify({ ...fields, event: exactly(json) })},\n`).join("")}];

/** Start your service here instead. This one accepts every event. */
async function startService(_settings: {
  readonly tenantId: string;
  readonly clientId: string;
  readonly authorityHost: string;
}) {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    // The handshakes of both delivery schemas.
    response.setHeader("webhook-allowed-origin", "eventgrid.azure.net");
    response.setHeader("webhook-allowed-rate", "*");
    const isValidation = request.headers["aeg-event-type"] === "SubscriptionValidation";
    const validationResponse = isValidation && JSON.parse(body)[0].data.validationCode;
    response.end(isValidation ? JSON.stringify({ validationResponse }) : "");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return { url: \`http://127.0.0.1:\${port}\`, stop: () => server.close() };
}

it("handles the ${title}", async () => {
  const cloud = await LocalCloud.start({
    clock: "stepped",
    subscriptionId: ${JSON.stringify(subscriptionId)},
  });
  const { clientId } = cloud.applications.create({ displayName: "webhook" });
  const { tenantId, authorityHost } = cloud;
  const service = await startService({ tenantId, clientId, authorityHost });
  try {
${statements.map((statement) => `    ${statement.replaceAll("\n", "\n    ")}\n`).join("")}
    const { events, skipped } = await cloud.replay(recording);

    expect(skipped).toEqual([]);
    expect(events).toHaveLength(${events.size});
    // Every event that the filter of a subscription lets through is delivered in the end.
    const failures = events.flatMap(({ event, deliveries }) =>
      deliveries
        .filter(({ outcome }) => outcome !== "delivered" && outcome !== "filtered")
        .map(
          ({ subscription, outcome, status, reason }) =>
            \`\${event.type} \${event.id} at \${subscription}: \${outcome}, \${reason ?? status}\`,
        ),
    );
    expect(failures).toEqual([]);
  } finally {
    service.stop();
    await cloud.close();
  }
});
`;
}

/** The event subscriptions that offered the events to a webhook. */
function webhooksOf(
  { activity, eventSubscriptions }: EventGrid,
  events: readonly AcceptedEvent[],
): EventSubscription[] {
  const offers = events.flatMap((event) => activity.recordOf(event)?.offers ?? []);
  const ids = new Set(offers.map(({ subscriptionId }) => scopeKey(subscriptionId)));
  const webhooks = eventSubscriptions
    .list()
    .filter(({ id, settings }) => ids.has(scopeKey(id)) && settings.endpointUrl !== undefined);
  if (webhooks.length > 0) return webhooks;
  throw new ServiceError(
    400,
    "NoWebhook",
    "No event subscription of a topic, domain or Azure service delivers these events to a webhook. Export them as JSON.",
  );
}

function topicStatement(topic: Topic): string {
  const { isDomain, name, resourceGroupName, location, inputSchema, inputSchemaMapping } = topic;
  const options = { name, resourceGroupName, location, inputSchema, inputSchemaMapping };
  return `cloud.${isDomain ? "domains" : "topics"}.create(${literal(options)});`;
}

/** Without what may be secret: the query of the endpoint and the delivery properties. */
function subscriptionStatement({ name, scope, settings }: EventSubscription): string {
  const { endpointUrl = "", clientId, deliverySchema, filter, retryPolicy, batching } = settings;
  const options = literal({
    name,
    scope,
    endpointUrl: withoutQuery(endpointUrl),
    deliverySchema,
    filter,
    retryPolicy,
    batching,
    deadLetter: settings.deadLetter && { container: settings.deadLetter.container },
  });
  const protectedOptions = options.replace(/\n}$/, ",\n  clientId\n}");
  return `await cloud.eventSubscriptions.create(${clientId === undefined ? options : protectedOptions});`;
}

function literal(options: object): string {
  return JSON.stringify(options, undefined, 2).replace(/^( *)"(\w+)":/gm, "$1$2:");
}

/** The event, or its JSON if JavaScript would change it, for example the digits of a number. */
function exactly(json: string): unknown {
  const event: unknown = JSON.parse(json);
  return JSON.stringify(event) === json && !json.includes('"__proto__"') ? event : json;
}
