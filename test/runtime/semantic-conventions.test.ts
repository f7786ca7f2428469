import { type Attributes, context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { createListener } from "cloud-eventgrid-binding-runtime/listener";
import { createPublisher } from "cloud-eventgrid-binding-runtime/publisher";
import { createReceiver } from "cloud-eventgrid-binding-runtime/receiver";
import { LocalCloud } from "cloud-eventgrid-local";
import { expect, it, onTestFinished } from "vitest";

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
const metricNames: Record<string, readonly string[]> = {
  "messaging.client.sent.messages": [...EVERYWHERE, ...SERVER],
  "messaging.client.operation.duration": [...EVERYWHERE, ...SERVER, "messaging.operation.type"],
  "messaging.client.consumed.messages": CONSUMER,
  "messaging.process.duration": [...CONSUMER, "error.type"],
};
/** Those that only some spans or points have. */
const conditional = new Set(["error.type", "az.service_request_id"]);

it("one trace leads from the publisher to listener and receiver, with the standard's names", async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  onTestFinished(() => context.disable());
  const exporter = new InMemorySpanExporter();
  const spanProcessors = [new SimpleSpanProcessor(exporter)];
  const tracerProvider = new BasicTracerProvider({ spanProcessors });
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({
    exporter: metricExporter,
    exportIntervalMillis: 3_600_000,
  });
  const meterProvider = new MeterProvider({ readers: [reader] });
  onTestFinished(() => meterProvider.shutdown());
  const telemetry = { tracerProvider, meterProvider };

  const cloud = await LocalCloud.start();
  onTestFinished(() => cloud.close());
  const { clientId } = cloud.applications.create({ displayName: "orders" });
  const topic = cloud.topics.create({ name: "orders" });
  const origin = "https://orders.example.com";
  const binding = {
    cloudTenantId: cloud.tenantId,
    cloudClientId: clientId,
    cloudAuthorityHost: cloud.authorityHost,
    handshakePort: "9000",
    path: "/api/events",
    scope: topic.id,
    eventSubscriptionName: "shipping",
  };
  const fails = () => Promise.reject(new Error("no stock"));
  const on = { "shop.placed": () => {}, "shop.failing": fails };
  const listener = createListener(binding, {
    on,
    telemetry,
    host: "127.0.0.1",
    port: 0,
    logger: false,
    drainLagMs: 0,
  });
  const { port } = await listener.listen();
  onTestFinished(() => listener.close());
  await expect.poll(() => listener.isReady(), { timeout: 20_000 }).toBe(true);
  cloud.ingress.route(origin, `http://127.0.0.1:${port}`);
  await cloud.eventSubscriptions.create({
    name: "shipping",
    scope: topic.id,
    endpointUrl: `${origin}/api/events`,
    clientId,
  });
  const {
    endpoint: namespaceEndpoint,
    accessKey,
    topics,
  } = cloud.namespaces.create({
    name: "shop",
  });
  topics.create({ name: "stock" }).subscriptions.create({ name: "picking" });
  const queue = { namespaceEndpoint, topicName: "stock", accessKey };
  const receiver = createReceiver(
    { ...queue, eventSubscriptionName: "picking", receiveWith: "accessKey" },
    { on, telemetry, logger: false },
  );
  onTestFinished(() => receiver.close());
  await receiver.start();

  const options = { telemetry, source: "/shop" };
  const publishers = [
    createPublisher({ topicEndpoint: topic.endpoint, accessKey: topic.accessKey }, options),
    createPublisher({ ...queue, publishWith: "accessKey" }, options),
  ];
  onTestFinished(async () => void (await Promise.all(publishers.map((one) => one.close()))));
  const root = tracerProvider.getTracer("test").startSpan("checkout");
  const events = ["shop.placed", "shop.failing"].map((type) => ({ type, data: { orderId: "17" } }));
  await context.with(trace.setSpan(context.active(), root), () =>
    Promise.all(publishers.map((publisher) => publisher.create(events))),
  );
  const named = (name: string) =>
    exporter.getFinishedSpans().filter((s) => s.name.startsWith(name));
  await expect.poll(() => named("process").length, { timeout: 20_000 }).toBe(4);

  const spans = exporter.getFinishedSpans();
  const traces = new Set(spans.map((span) => span.spanContext().traceId));
  expect([...traces]).toEqual([root.spanContext().traceId]);
  for (const span of spans) {
    const [operation = ""] = span.name.split(" ");
    expectNames(span.attributes, spanNames[operation] ?? []);
    expect(span.attributes["messaging.operation.name"]).toBe(operation);
  }
  const creates = named("create").map((span) => span.spanContext().spanId);
  expect(
    named("send")
      .map(({ links }) => links[0]?.context.spanId)
      .toSorted(),
  ).toEqual(creates.toSorted());
  expect(named("process shop.failing")[0]?.attributes["error.type"]).toBe("failed");

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
