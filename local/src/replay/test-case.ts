import { ServiceError } from "../base/index.js";
import {
  type EventGrid,
  type EventSubscription,
  type EventSubscriptionSettings,
  scopeOfSubscription,
  type Topic,
  withoutQuery,
} from "../eventgrid/index.js";
import { type ExportedRecord, exportedRecords, type LoggedEvent } from "./export.js";

/**
 * Writes a test for Vitest that replays events to a service, through the same topics and event
 * subscriptions, and expects that it handles every event.
 *
 * @param subscriptionId the Azure subscription of the cloud, which scopes name
 * @throws ServiceError if no webhook gets these events
 */
export function testCase(
  events: readonly LoggedEvent[],
  eventGrid: EventGrid,
  subscriptionId: string,
): string {
  const ids = new Set(
    events.flatMap(({ offers }) => offers.map((offer) => offer.subscriptionId.toLowerCase())),
  );
  const subscriptions = eventGrid.eventSubscriptions
    .list()
    .filter(({ id, settings }) => ids.has(id.toLowerCase()) && settings.endpointUrl !== undefined);
  if (subscriptions.length === 0) {
    throw new ServiceError(
      400,
      "NoWebhook",
      "No event subscription of a topic, domain or Azure service delivers these events to a webhook. Export them as JSON.",
    );
  }
  const topics = new Set(
    subscriptions.flatMap(({ id }) => eventGrid.topicOf(scopeOfSubscription(id)) ?? []),
  );
  const records = exportedRecords(events);
  const origins = new Set(
    subscriptions.map(({ settings }) => new URL(settings.endpointUrl ?? "").origin),
  );
  const count = `${events.length} ${events.length === 1 ? "event" : "events"}`;
  const day = records[0]?.fields.time.slice(0, 10);
  return `// ${count} of ${day}, saved by the dashboard of cloud-eventgrid-local.
import { createServer } from "node:http";
import { LocalCloud } from "cloud-eventgrid-local";
import { expect, it } from "vitest";

/** The deliveries as they were recorded. */
const recording: object[] = ${literal(records.map(recordLiteral), 0)};

/** Start your service here instead. This one accepts every event. */
async function startService(_settings: {
  readonly tenantId: string;
  readonly clientId: string;
  readonly authorityHost: string;
}) {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      // The handshakes of both delivery schemas.
      const isValidation = request.headers["aeg-event-type"] === "SubscriptionValidation";
      const validationResponse = isValidation && JSON.parse(body)[0].data.validationCode;
      response.setHeader("webhook-allowed-origin", "eventgrid.azure.net");
      response.setHeader("webhook-allowed-rate", "*");
      response.end(isValidation ? JSON.stringify({ validationResponse }) : "");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return { url: \`http://127.0.0.1:\${port}\`, stop: () => server.close() };
}

it("handles the ${count} of ${day}", async () => {
  const cloud = await LocalCloud.start({
    clock: "stepped",
    subscriptionId: ${JSON.stringify(subscriptionId)},
  });
  const { clientId } = cloud.applications.create({ displayName: "webhook" });
  const { tenantId, authorityHost } = cloud;
  const service = await startService({ tenantId, clientId, authorityHost });
  try {
${[
  ...[...origins].map((origin) => `cloud.ingress.route(${JSON.stringify(origin)}, service.url);`),
  ...[...topics].map(topicStatement),
  ...subscriptions.map(subscriptionStatement),
]
  .map((statement) => `    ${statement}\n`)
  .join("")}
    const { events, skipped } = await cloud.replay(recording);

    expect(skipped).toEqual([]);
    expect(events).toHaveLength(${records.filter(({ fields }) => fields.subscription === undefined).length});
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

function topicStatement({ isDomain, name, resourceGroupName, location, ...topic }: Topic): string {
  const { inputSchema, inputSchemaMapping } = topic;
  const options = { name, resourceGroupName, location, inputSchema, inputSchemaMapping };
  return `cloud.${isDomain ? "domains" : "topics"}.create(${literal(options, 4)});`;
}

/** Without what may be secret: the query of the endpoint and the delivery properties. */
function subscriptionStatement({ name, scope, settings }: EventSubscription): string {
  const { endpointUrl = "", clientId, deliverySchema, filter, retryPolicy, batching } = settings;
  const options = {
    name,
    scope,
    endpointUrl: withoutQuery(endpointUrl),
    deliverySchema,
    filter: changed(filter),
    retryPolicy,
    batching,
    deadLetter: settings.deadLetter && { container: settings.deadLetter.container },
  };
  const text = literal(options, 4);
  const end = text.lastIndexOf("\n");
  const withClient =
    clientId === undefined ? text : `${text.slice(0, end)}\n      clientId,${text.slice(end)}`;
  return `await cloud.eventSubscriptions.create(${withClient});`;
}

/** A filter has every field, most of them empty. */
function changed(filter: EventSubscriptionSettings["filter"]): object | undefined {
  const fields = Object.entries(filter).filter(
    ([, value]) => value !== false && value !== "" && String(value) !== "" && value !== undefined,
  );
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

function recordLiteral({ fields, json }: ExportedRecord): object {
  return { ...fields, event: isExactLiteral(json) ? JSON.parse(json) : json };
}

/** Whether the JSON of an event, as an object literal, keeps all its digits and names. */
function isExactLiteral(json: string): boolean {
  const withoutTexts = json.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const numbers = withoutTexts.match(/-?\d[\d.eE+-]*/g) ?? [];
  return !/__proto__|\\u005f/i.test(json) && numbers.every((text) => String(Number(text)) === text);
}

/** A value as TypeScript, with bare names and trailing commas. */
function literal(value: unknown, indent: number): string {
  const text = JSON.stringify(value, undefined, 2)
    .replace(/^(\s*)"([A-Za-z_]\w*)":/gm, "$1$2:")
    .replace(/(?<=[^[{,\n])\n(?=\s*[\]}])/g, ",\n");
  return text.replaceAll("\n", `\n${" ".repeat(indent)}`);
}
