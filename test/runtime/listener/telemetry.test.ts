import { context, trace } from "@opentelemetry/api";
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
import { RejectEvent } from "cloud-eventgrid-binding-runtime/listener";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gate } from "../../support/gate.js";
import { LogLines } from "../../support/log-lines.js";
import { exchange } from "../../support/raw-http.js";
import { anEvent, startService } from "./harness.js";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
});
afterAll(() => context.disable());

function tracing() {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  return { tracerProvider, spans: () => exporter.getFinishedSpans() };
}

describe("spans", () => {
  it("stand for handled events, and join the trace that published them", async () => {
    const { tracerProvider, spans } = tracing();
    let active: string | undefined;
    const { deliver } = await startService({
      telemetry: { tracerProvider },
      on: {
        "*": () => {
          active = trace.getActiveSpan()?.spanContext().spanId;
        },
      },
    });
    await deliver(
      anEvent({ id: "e1", traceparent: `00-${TRACE}-${SPAN}-01`, subject: "orders/17" }),
    );
    const [span] = spans();
    expect(span).toMatchObject({
      name: "process shop.order.placed",
      kind: 4,
      parentSpanContext: { traceId: TRACE, spanId: SPAN },
      status: { code: 0 },
      attributes: {
        "messaging.system": "eventgrid",
        "messaging.operation.type": "process",
        "messaging.message.id": "e1",
        "messaging.destination.subscription.name": "ORDERS",
        "cloudevents.event_id": "e1",
        "cloudevents.event_source": "/shop",
        "cloudevents.event_type": "shop.order.placed",
        "cloudevents.event_subject": "orders/17",
        "eventgrid.event.outcome": "handled",
      },
    });
    expect(span?.spanContext().traceId).toBe(TRACE);
    expect(active).toBe(span?.spanContext().spanId);
  });

  it("say when an event failed or was rejected", async () => {
    const { tracerProvider, spans } = tracing();
    const { deliver } = await startService({
      telemetry: { tracerProvider },
      on: {
        "a.*": () => {
          throw new Error("no");
        },
        "b.*": () => {
          throw new RejectEvent("no");
        },
      },
    });
    await deliver(anEvent({ type: "a.x" }));
    await deliver(anEvent({ type: "b.x" }));
    expect(spans().map(({ status }) => status)).toEqual([
      { code: 2, message: "failed" },
      { code: 2, message: "rejected" },
    ]);
  });

  it.each(["", "garbage", `00-${"0".repeat(32)}-${SPAN}-01`, `ff-${TRACE}-${SPAN}-01`])(
    "begin a trace of their own where traceparent is %j",
    async (traceparent) => {
      const { tracerProvider, spans } = tracing();
      const { deliver } = await startService({ telemetry: { tracerProvider } });
      expect((await deliver(anEvent({ traceparent }))).status).toBe(200);
      expect(spans()[0]?.parentSpanContext).toBeUndefined();
    },
  );
});

describe("measurements", () => {
  it("count deliveries, events, handshakes, failures and key fetches by their documented names", async () => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
    const meterProvider = new MeterProvider({ readers: [reader] });
    const { deliver, url } = await startService({
      telemetry: { meterProvider },
      deadlineMs: 500,
      on: {
        "shop.order.placed": () => {},
        "b.*": () => Promise.reject(new RejectEvent("no")),
        stuck: () => new Promise(() => {}),
      },
    });
    const event = anEvent();
    await deliver(event);
    await deliver(event);
    await deliver(anEvent({ type: "b.x" }));
    await deliver(anEvent({ type: "unknown" }));
    await deliver(anEvent({ type: "stuck" }));
    await deliver(anEvent(), { token: null });
    await fetch(url, {
      method: "OPTIONS",
      headers: { "webhook-request-origin": "eventgrid.azure.net" },
    });
    await reader.forceFlush();
    const seen = exporter.getMetrics()[0]?.scopeMetrics[0];
    const values = Object.fromEntries(
      (seen?.metrics ?? []).map(({ descriptor, dataPoints }) => [
        descriptor.name,
        dataPoints
          .map(({ attributes, value }) => [
            Object.values(attributes).join(" "),
            typeof value === "number" ? value : value.count,
          ])
          .toSorted(),
      ]),
    );
    expect(seen?.scope.name).toBe("cloud-eventgrid-binding-runtime");
    expect(values).toEqual({
      "eventgrid.listener.deliveries": [
        ["200", 3],
        ["400", 1],
        ["503", 1],
      ],
      "eventgrid.listener.events": [
        ["b.* rejected", 1],
        ["none unhandled", 1],
        ["shop.order.placed duplicate", 1],
        ["shop.order.placed handled", 1],
        ["stuck timed-out", 1],
      ],
      "eventgrid.listener.handler.duration": [
        ["b.* rejected", 1],
        ["shop.order.placed handled", 1],
      ],
      "eventgrid.listener.handshakes": [["consented", 1]],
      "eventgrid.listener.authentication.failures": [["no-token", 1]],
      "eventgrid.listener.deliveries.in_flight": [["", 1]],
      "eventgrid.listener.key_refreshes": [
        ["v1 succeeded", 1],
        ["v2 succeeded", 1],
      ],
    });
    await meterProvider.shutdown();
  });
});

describe("the log", () => {
  it("has one line per delivery at level info", async () => {
    const log = new LogLines();
    const { deliver } = await startService({ logger: { level: "info", stream: log } });
    log.lines.length = 0;
    await deliver(anEvent());
    await deliver([anEvent(), anEvent()]);
    expect(log.lines).toMatchObject([
      {
        level: 30,
        msg: "delivery",
        status: 200,
        subscription: "ORDERS",
        attempt: 0,
        events: 1,
        outcomes: "handled",
      },
      { level: 30, msg: "delivery", status: 200, events: 2, outcomes: { handled: 2 } },
    ]);
  });

  it("names the events that the deadline found unfinished", async () => {
    const log = new LogLines();
    const stuck = gate();
    const { deliver } = await startService({
      logger: { level: "info", stream: log },
      deadlineMs: 100,
      on: { "shop.*": (event) => (event.id === "quick" ? undefined : stuck.passed) },
    });
    const slow = { id: "slow", type: "shop.order.placed", source: "/shop" };
    expect((await deliver(anEvent(slow))).status).toBe(503);
    expect((await deliver([anEvent({ id: "quick" }), anEvent({ id: "other" }), {}])).status).toBe(
      503,
    );
    expect(log.withMessage("deadline passed")).toMatchObject([
      { level: 40, unfinished: 1, events: [{ ...slow, pattern: "shop.*" }] },
      { level: 40, unfinished: 1, events: [{ id: "other", pattern: "shop.*" }] },
    ]);
    expect(log.withMessage("delivery")).toMatchObject([
      { status: 503, outcomes: "timed-out" },
      { status: 503, outcomes: { handled: 1, "timed-out": 1, malformed: 1 } },
    ]);
    stuck.open();
  });

  it("says so when the body had not arrived at the deadline", async () => {
    const log = new LogLines();
    const { issuer, port } = await startService({
      logger: { level: "info", stream: log },
      deadlineMs: 100,
    });
    const head = `POST /api/events HTTP/1.1\r\nHost: x\r\nContent-Type: application/cloudevents+json\r\nAuthorization: Bearer ${await issuer.token()}\r\nContent-Length: 100\r\n\r\n{`;
    await exchange(port, [head]);
    expect(log.withMessage("deadline passed")).toMatchObject([
      { level: 40, unfinished: "the body has not arrived" },
    ]);
  });

  it.each([
    ["a text", "no stock", "NoErrorThrown", "a string was thrown: no stock"],
    ["nothing", undefined, "NoErrorThrown", "undefined was thrown"],
    ["null", null, "NoErrorThrown", "null was thrown"],
    ["a number", 17, "NoErrorThrown", "17 was thrown"],
    [
      "an object",
      { card: "4111" },
      "NoErrorThrown",
      "an object that is no Error was thrown, with card",
    ],
    [
      "an object of no kind",
      Object.create(null),
      "NoErrorThrown",
      "an object that is no Error was thrown",
    ],
    ["an error", new TypeError("no stock"), "TypeError", "no stock"],
  ])("says what was thrown where that is %s", async (_, thrown, type, message) => {
    const log = new LogLines();
    const { deliver } = await startService({
      logger: { level: "info", stream: log },
      on: {
        "*": () => {
          throw thrown;
        },
      },
    });
    expect((await deliver(anEvent())).status).toBe(503);
    expect(log.withMessage("handler failed")).toMatchObject([{ err: { type, message } }]);
    expect(log.text).not.toContain("4111");
  });

  it("lets a handler write lines that name its event", async () => {
    const log = new LogLines();
    const { deliver } = await startService({
      logger: { level: "info", stream: log },
      on: { "*": (_, context) => context.log.info("shipped") },
    });
    await deliver(anEvent({ id: "e7" }));
    expect(log.withMessage("shipped")).toMatchObject([
      { event: { id: "e7", type: "shop.order.placed", source: "/shop" } },
    ]);
  });

  it("says why a caller was not let in, once in a while", async () => {
    const log = new LogLines();
    const { deliver, issuer } = await startService({ logger: { level: "info", stream: log } });
    const token = await issuer.token({ aud: "someone-else" });
    for (let i = 0; i < 5; i += 1) await deliver(anEvent(), { token });
    expect(log.withMessage("request not let in")).toMatchObject([
      { level: 40, reason: "audience", detail: `the token's aud is "someone-else"`, status: 401 },
    ]);
  });

  it("is loud about Event Grid without its role", async () => {
    const log = new LogLines();
    const { deliver, issuer } = await startService({ logger: { level: "info", stream: log } });
    await deliver(anEvent(), { token: await issuer.token({ roles: [] }) });
    expect(log.withMessage("delivery not accepted: Event Grid lacks its role")).toMatchObject([
      { level: 50, reason: "role" },
    ]);
  });

  it("holds no token, no payload and no query of the webhook's URL", async () => {
    const log = new LogLines();
    const { issuer, url } = await startService({
      logger: { level: "trace", stream: log },
      on: {
        "*": () => {
          throw new Error("failed");
        },
      },
    });
    const good = await issuer.token();
    const forged = await issuer.token({}, { key: await issuer.foreignKey() });
    const bodies = [
      JSON.stringify(anEvent({ data: { card: "hunter2" } })),
      JSON.stringify(anEvent({ id: "", data: { card: "hunter2" } })),
      '{"card":"hunter2"',
    ];
    for (const token of [good, forged]) {
      for (const body of bodies) {
        await fetch(`${url}?code=hunter2`, {
          method: "POST",
          body,
          headers: {
            "content-type": "application/cloudevents+json",
            authorization: `Bearer ${token}`,
          },
        });
      }
    }
    await fetch(`${url}/nowhere?code=hunter2`);
    expect(log.lines.length).toBeGreaterThan(5);
    for (const secret of ["hunter2", good.slice(-40), forged.slice(-40), "Bearer "]) {
      expect(log.text).not.toContain(secret);
    }
  });
});
