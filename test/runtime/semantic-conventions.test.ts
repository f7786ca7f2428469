import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Attributes, context, type Span, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import {
  createPublisher,
  createReceiver,
  type ListenerOptions,
} from "cloud-eventgrid-binding-runtime";
import { LocalCloud } from "cloud-eventgrid-local";
import { expect, it, onTestFinished } from "vitest";
import { drawnTrace, startCollector } from "../support/otlp-collector.js";
import { root as repository } from "../support/project.js";
import { tracing, withActiveSpans } from "../support/tracing.js";
import { startLocalListener } from "./listener/local-listener.js";

// Names of OpenTelemetry's semantic conventions, version 1.45, from docs/messaging/messaging-spans.md,
// docs/messaging/messaging-metrics.md and model/cloudevents/spans.yaml of
// github.com/open-telemetry/semantic-conventions. They are still in development.
const EVERYWHERE = ["messaging.system", "messaging.operation.name", "messaging.destination.name"];
const SERVER = ["server.address", "server.port"];
const SUBSCRIPTION = "messaging.destination.subscription.name";
const spanNames: Record<string, readonly string[]> = {
  create: [...EVERYWHERE, ...SERVER, "messaging.operation.type"],
  send: [
    ...EVERYWHERE,
    ...SERVER,
    "messaging.operation.type",
    "messaging.batch.message_count",
    "http.request.method",
    "http.request.body.size",
    "http.response.status_code",
    "az.service_request_id",
  ],
  process: [
    ...EVERYWHERE,
    "messaging.operation.type",
    SUBSCRIPTION,
    "messaging.message.id",
    "cloudevents.event_id",
    "cloudevents.event_source",
    "cloudevents.event_spec_version",
    "cloudevents.event_type",
    "error.type",
  ],
};
const CONSUMER = [...EVERYWHERE, SUBSCRIPTION];
const request = [
  ...CONSUMER,
  ...SERVER,
  "messaging.operation.type",
  "messaging.batch.message_count",
];
for (const operation of ["receive", "acknowledge", "release"]) spanNames[operation] = request;
const metricNames: Record<string, readonly string[]> = {
  "messaging.client.sent.messages": [...EVERYWHERE, ...SERVER],
  "messaging.client.operation.duration": [...EVERYWHERE, ...SERVER, "messaging.operation.type"],
  "messaging.client.consumed.messages": CONSUMER,
  "messaging.process.duration": [...CONSUMER, "error.type"],
};
/** Those that only some spans or points have. */
const conditional = new Set([
  ...["error.type", "az.service_request_id", "messaging.batch.message_count"],
]);

withActiveSpans();

/**
 * A topic with a listener, and the topic of a namespace with a receiver, each with a publisher.
 *
 * @param telemetryOf providers of a service
 */
async function startShop(
  telemetryOf: (
    service: "shop" | "shipping" | "picking",
  ) => NonNullable<ListenerOptions["telemetry"]>,
) {
  const cloud = await LocalCloud.start();
  onTestFinished(() => cloud.close());
  const topic = cloud.topics.create({ name: "orders" });
  const fails = () => Promise.reject(new Error("no stock"));
  const on = { "shop.order.placed": () => {}, "shop.order.failing": fails };
  const { listener, subscription } = await startLocalListener(
    cloud,
    { on, telemetry: telemetryOf("shipping") },
    { scope: topic.id, eventSubscriptionName: "shipping" },
  );
  onTestFinished(() => listener.close());
  await cloud.eventSubscriptions.create({ name: "shipping", scope: topic.id, ...subscription });
  const namespace = cloud.namespaces.create({ name: "shop" });
  const { endpoint: namespaceEndpoint, accessKey } = namespace;
  namespace.topics.create({ name: "stock" }).subscriptions.create({ name: "picking" });
  const queue = { namespaceEndpoint, topicName: "stock", accessKey };
  const receiver = createReceiver(
    { ...queue, eventSubscriptionName: "picking", receiveWith: "accessKey" },
    { on, telemetry: telemetryOf("picking"), logger: false },
  );
  onTestFinished(() => receiver.close());
  await receiver.start();

  const options = { telemetry: telemetryOf("shop"), source: "/shop" };
  const publishers = [
    createPublisher({ topicEndpoint: topic.endpoint, accessKey: topic.accessKey }, options),
    createPublisher({ ...queue, publishWith: "accessKey" }, options),
  ];
  onTestFinished(async () => void (await Promise.all(publishers.map((one) => one.close()))));
  /** Publishes one event of each type to both topics, in the span of a request. */
  return async (root: Span, ...types: string[]) => {
    const events = types.map((type) => ({ type, data: { orderId: "17" } }));
    await context.with(trace.setSpan(context.active(), root), () =>
      Promise.all(publishers.map((publisher) => publisher.create(events))),
    );
    root.end();
  };
}

it("names spans and metrics as the standard does, and links batches to their events", async () => {
  const { tracerProvider, spans } = tracing();
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({
    exporter: metricExporter,
    exportIntervalMillis: 3_600_000,
  });
  const meterProvider = new MeterProvider({ readers: [reader] });
  onTestFinished(() => meterProvider.shutdown());
  const publish = await startShop(() => ({ tracerProvider, meterProvider }));
  const root = tracerProvider.getTracer("test").startSpan("checkout");
  await publish(root, "shop.order.placed", "shop.order.failing");
  const named = (name: string) => spans().filter((s) => s.name.startsWith(name));
  await expect.poll(() => named("process").length).toBe(4);
  await expect.poll(() => named("release").length).toBe(1);
  await expect.poll(() => named("acknowledge").length).toBe(1);

  const { traceId, spanId } = root.spanContext();
  const creates = named("create").map((span) => span.spanContext().spanId);
  for (const span of spans()) {
    if (span.spanContext().spanId === spanId) continue;
    const [operation = ""] = span.name.split(" ");
    expectNames(span.attributes, spanNames[operation] ?? []);
    expect(span.attributes["messaging.operation.name"]).toBe(operation);
    // A request with several events is in no trace of its events, but linked to them.
    if (span.spanContext().traceId !== traceId) {
      expect(span.attributes["messaging.batch.message_count"]).toBe(2);
      expect(span.links.map(({ context: sender }) => sender.traceId)).toEqual([traceId, traceId]);
    }
  }
  expect(
    named("send")
      .map(({ links }) => links[0]?.context.spanId)
      .toSorted(),
  ).toEqual(creates.toSorted());
  expect(named("process shop.order.failing")[0]?.attributes["error.type"]).toBe("failed");

  await reader.forceFlush();
  const metrics = metricExporter.getMetrics().at(-1)?.scopeMetrics[0]?.metrics ?? [];
  const standard = metrics.filter(({ descriptor }) => descriptor.name.startsWith("messaging."));
  expect(standard.map(({ descriptor }) => descriptor.name).toSorted()).toEqual(
    Object.keys(metricNames).toSorted(),
  );
  for (const { descriptor, dataPoints } of standard) {
    for (const { attributes } of dataPoints) {
      const names = metricNames[descriptor.name] ?? [];
      // Only the receiver knows the server that its events come from.
      const isProcess = names.includes(SUBSCRIPTION);
      expectNames(
        attributes,
        names,
        isProcess ? SERVER : [SUBSCRIPTION, "http.response.status_code"],
      );
    }
  }
});

it("exports one trace over OTLP, which docs/observability.md draws (npm run generate)", async () => {
  const collector = await startCollector();
  const telemetryOf = (service: string) => ({
    tracerProvider: new BasicTracerProvider({
      resource: resourceFromAttributes({ "service.name": service }),
      spanProcessors: [
        new SimpleSpanProcessor(new OTLPTraceExporter({ url: `${collector.origin}/v1/traces` })),
      ],
    }),
  });
  const publish = await startShop(telemetryOf);
  const root = telemetryOf("shop").tracerProvider.getTracer("test").startSpan("POST /checkout");
  await publish(root, "shop.order.placed");
  // The request, two calls, two requests, two handlers, and what the receiver asked for.
  await expect.poll(() => collector.spans.length).toBe(9);

  expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(1);
  for (const { name, attributes } of collector.spans) {
    if (name === "POST /checkout") continue;
    expectNames(attributes, spanNames[name.split(" ")[0] ?? ""] ?? []);
  }
  const page = join(repository, "docs/observability.md");
  const written = readFileSync(page, "utf8");
  const picture = /(?<=<!-- trace -->\n+```text\n)[^`]*/;
  const drawn = drawnTrace(collector.spans);
  const withoutTimes = (text = "") => text.replaceAll(/ +-?[\d.]+ ms/g, "");
  // Another run takes other times: the page keeps the trace that it has.
  const isSame = withoutTimes(picture.exec(written)?.[0]) === withoutTimes(drawn);
  const current = isSame ? written : written.replace(picture, drawn);
  await expect(current).toMatchFileSnapshot(page);
});

/** Every name of the list is there, and no other but those of Event Grid. */
function expectNames(
  attributes: Attributes,
  names: readonly string[],
  also: readonly string[] = [],
) {
  expect(Object.keys(attributes)).toEqual(
    expect.arrayContaining(names.filter((name) => !conditional.has(name))),
  );
  const known = new Set([...names, ...also, ...SERVER, "error.type"]);
  const unknown = Object.keys(attributes).filter(
    (name) => !known.has(name) && !name.startsWith("eventgrid."),
  );
  expect(unknown).toEqual([]);
}
