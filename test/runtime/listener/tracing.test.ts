import { context, trace } from "@opentelemetry/api";
import { RejectEvent } from "cloud-eventgrid-binding-runtime";
import type { FastifyInstance } from "fastify";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { tracing, withActiveSpans } from "../../support/tracing.js";
import { startApp } from "./fastify/own-app.js";
import { anEvent, startService } from "./service.js";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";
const SCOPE =
  "/subscriptions/9a1f8c1e-6f3e-4d0b-8f0a-2f6f5f0f7f11/resourceGroups/shop/providers/Microsoft.EventGrid/topics/orders";

withActiveSpans();

describe("the span of an event", () => {
  it("names the trigger of the function under Azure Functions", async () => {
    vi.stubEnv("FUNCTIONS_WORKER_RUNTIME", "node");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { tracerProvider, spans } = tracing();
    const { deliver } = await startService({ telemetry: { tracerProvider } });
    await deliver(anEvent({}));
    expect(spans()[0]?.attributes["faas.trigger"]).toBe("http");
  });

  it("joins the trace that published the event", async () => {
    const { tracerProvider, spans } = tracing();
    let active: string | undefined;
    const { deliver } = await startService({
      telemetry: { tracerProvider },
      binding: { scope: SCOPE },
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
        "messaging.operation.name": "process",
        "messaging.operation.type": "process",
        "messaging.message.id": "e1",
        "messaging.destination.name": "orders",
        "messaging.destination.subscription.name": "ORDERS",
        "cloudevents.event_id": "e1",
        "cloudevents.event_spec_version": "1.0",
        "cloudevents.event_source": "/shop",
        "cloudevents.event_type": "shop.order.placed",
        "cloudevents.event_subject": "orders/17",
        "eventgrid.event.outcome": "handled",
      },
    });
    expect(span?.spanContext().traceId).toBe(TRACE);
    expect(active).toBe(span?.spanContext().spanId);
  });

  it("links to the request's span if the event names its parent, and is its child otherwise", async () => {
    const { tracerProvider, spans } = tracing();
    const request = tracerProvider.getTracer("http").startSpan("POST").spanContext();
    // What an instrumentation of HTTP does.
    const instrument = (app: FastifyInstance) => {
      app.addHook("onRequest", ({ raw }, _, next) => {
        const active = trace.setSpanContext(context.active(), request);
        context.bind(active, raw);
        context.with(active, next);
      });
    };
    const { deliver } = await startApp(instrument, { telemetry: { tracerProvider } });
    await deliver(anEvent({ traceparent: `00-${TRACE}-${SPAN}-01` }));
    await deliver();
    expect(spans()).toMatchObject([
      { parentSpanContext: { spanId: SPAN }, links: [{ context: { spanId: request.spanId } }] },
      { parentSpanContext: { spanId: request.spanId }, links: [] },
    ]);
  });

  it("goes to the global provider", async () => {
    const { tracerProvider, spans } = tracing();
    const { deliver } = await startService();
    trace.setGlobalTracerProvider(tracerProvider);
    onTestFinished(() => trace.disable());
    await deliver(anEvent());
    expect(spans()).toHaveLength(1);
  });

  it("says when an event failed or was rejected", async () => {
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
});
