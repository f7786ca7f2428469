import { inspect } from "node:util";
import { context, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { TraceState } from "@opentelemetry/core";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-base";
import { createPublisher, type PublisherOptions } from "cloud-eventgrid-binding-runtime";
import { beforeEach, describe, expect, it } from "vitest";
import { measuring } from "../../support/measuring.js";
import { ACCEPTED, refused } from "../../support/topic-server.js";
import { tracing, withActiveSpans } from "../../support/tracing.js";
import { answersInOrder, startTopic } from "./harness.js";
import { rejection } from "./rejection.js";

const { tracerProvider, spans, reset } = tracing();
const tracer = tracerProvider.getTracer("test");

const topic = await startTopic();
withActiveSpans();
beforeEach(reset);

const publisher = (options?: PublisherOptions) =>
  createPublisher(topic.binding, {
    retry: { firstDelayMs: 1 },
    telemetry: { tracerProvider },
    ...options,
  });
const event = (id: string) => ({ type: "t", id, data: null });
const named = (name: string) => spans().filter((span) => span.name === name);
const traceparent = (span: ReadableSpan | Span) => {
  const { traceId, spanId } = span.spanContext();
  return `00-${traceId}-${spanId}-01`;
};

/** Runs in a span of the service. */
function inSpan<T>(name: string, call: () => T): { span: Span; result: T } {
  const span = tracer.startSpan(name);
  const result = context.with(trace.setSpan(context.active(), span), call);
  span.end();
  return { span, result };
}

describe("the traces of a publisher", () => {
  it("contain a span for each call, whose context the events carry", async () => {
    const { span, result } = inSpan("checkout", () => publisher().create([event("a"), event("b")]));
    await result;

    const [create] = named("create events");
    expect(create?.kind).toBe(SpanKind.PRODUCER);
    expect(create?.attributes).toEqual({
      "messaging.system": "eventgrid",
      "messaging.destination.name": "127.0.0.1",
      "server.address": "127.0.0.1",
      "server.port": topic.port,
      "messaging.operation.name": "create",
      "messaging.operation.type": "create",
    });
    expect(create?.parentSpanContext?.spanId).toBe(span.spanContext().spanId);
    expect(create && traceparent(create)).toBe(topic.requests[0]?.events[0]?.traceparent);
    expect(create && traceparent(create)).toBe(topic.requests[0]?.events[1]?.traceparent);
  });

  it("contain a span for each request, with the topic's response", async () => {
    await publisher().create(event("a"));

    const [create] = named("create events");
    const [send] = named("send events");
    expect(send?.kind).toBe(SpanKind.CLIENT);
    expect(send?.parentSpanContext?.spanId).toBe(create?.spanContext().spanId);
    expect(send?.attributes).toEqual({
      "messaging.system": "eventgrid",
      "messaging.destination.name": "127.0.0.1",
      "server.address": "127.0.0.1",
      "server.port": topic.port,
      "messaging.operation.name": "send",
      "messaging.operation.type": "send",
      "http.request.method": "POST",
      "http.request.body.size": topic.requests[0]?.body.length,
      "http.response.status_code": 200,
      "az.service_request_id": "request-200",
    });
  });

  it("link a request of several calls to each of them", async () => {
    const shared = publisher();
    const calls = ["a", "b"].map((id) => inSpan(`caller ${id}`, () => shared.create(event(id))));
    await Promise.all(calls.map(({ result }) => result));

    const creates = named("create events");
    const [send] = named("send events");
    expect(send?.parentSpanContext).toBeUndefined();
    expect(send?.links.map(({ context: { spanId } }) => spanId).sort()).toEqual(
      creates.map((span) => span.spanContext().spanId).sort(),
    );
    expect(topic.requests[0]?.events.map((sent) => sent.traceparent).sort()).toEqual(
      creates.map(traceparent).sort(),
    );
  });

  it("pass tracestate on to the events", async () => {
    const parent = {
      traceId: "0af7651916cd43dd8448eb211c80319c",
      spanId: "b7ad6b7169203331",
      traceFlags: 1,
      traceState: new TraceState("vendor=value"),
    };
    await context.with(trace.setSpanContext(context.active(), parent), () =>
      publisher().create(event("a")),
    );
    expect(topic.requests[0]?.events[0]).toMatchObject({
      traceparent: expect.stringContaining(parent.traceId),
      tracestate: "vendor=value",
    });
  });

  it("do not replace the traceparent of an event", async () => {
    const own = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    await publisher().create({ ...event("a"), traceparent: own });
    expect(topic.requests[0]?.events[0]?.traceparent).toBe(own);
    expect(topic.requests[0]?.events[0]).not.toHaveProperty("tracestate");
  });

  it("contain a span for each attempt, marked when it failed", async () => {
    answersInOrder(topic, refused(503, "Busy", "busy"), "reset", refused(403, "No", "no"));
    await rejection(publisher().create(event("a")));

    expect(
      named("send events").map(({ attributes, status }) => [
        attributes["http.response.status_code"],
        attributes["http.request.resend_count"],
        attributes["error.type"],
        status,
      ]),
    ).toEqual([
      [503, undefined, "503", { code: SpanStatusCode.ERROR, message: "status 503" }],
      [undefined, 1, "no_response", { code: SpanStatusCode.ERROR, message: expect.any(String) }],
      [403, 2, "403", { code: SpanStatusCode.ERROR, message: "status 403" }],
    ]);
    expect(named("create events")[0]).toMatchObject({
      status: { code: SpanStatusCode.ERROR },
      attributes: { "error.type": "ERR_PUBLISH_UNAUTHORIZED" },
    });
  });

  it("contain a span for a call that is refused before it is sent", async () => {
    await rejection(publisher().create({ type: "" }));
    expect(named("create events")[0]?.attributes["error.type"]).toBe("ERR_PUBLISH_INVALID_EVENT");
  });

  it("add nothing to an event when no tracer is registered", async () => {
    await createPublisher(topic.binding).create(event("a"));
    expect(topic.requests[0]?.events[0]).not.toHaveProperty("traceparent");
  });
});

describe("keys, tokens and payloads", () => {
  const token = { token: "hush-token", expiresOnTimestamp: Date.now() + 3_600_000 };
  it.each<[string, PublisherOptions, "accessKey" | "entra"]>([
    ["an access key", { accessKey: "hush-key" }, "accessKey"],
    ["a signature", { sasToken: "hush-signature" }, "accessKey"],
    ["a token", { credential: { getToken: async () => token } }, "entra"],
  ])("do not appear in spans and errors: %s", async (_name, options, publishWith) => {
    const { topicEndpoint, name } = topic.binding;
    for (const answer of [refused(403, "No", "no"), "reset"] as const) {
      topic.answer = () => answer;
      const shared = createPublisher(
        { topicEndpoint, name, publishWith },
        { ...options, retry: { attempts: 1 }, telemetry: { tracerProvider } },
      );
      const error = await rejection(shared.create({ ...event("a"), data: { pin: "hush-data" } }));

      expect(inspect(error, { depth: 20, showHidden: true })).not.toContain("hush");
    }
    expect(topic.requests[0]?.body).toContain("hush-data");
    expect(JSON.stringify(topic.requests[0]?.headers)).toContain("hush");
    expect(spans()).toHaveLength(4);
    expect(inspect(spans(), { depth: 20 })).not.toContain("hush");
  });
});

describe("the metrics of a publisher", () => {
  it("count events by outcome, requests by status, retries, and pending events", async () => {
    const { meterProvider, measured } = measuring();
    answersInOrder(topic, refused(503, "Busy", "busy"), ACCEPTED, refused(403, "No", "no"));
    const shared = publisher({ telemetry: { meterProvider } });
    await shared.create([event("a"), event("b")]);
    await rejection(shared.create(event("c")));
    await rejection(shared.create([event("d"), { type: "" }]));

    // The names of their attributes are tested in semantic-conventions.test.ts.
    const of = (...values: unknown[]) =>
      ["eventgrid 127.0.0.1 127.0.0.1", topic.port, "send", ...values].join(" ");
    expect((await measured()).values).toEqual({
      "eventgrid.publisher.events": [
        ["accepted", 2],
        ["rejected", 3],
      ],
      "eventgrid.publisher.events.pending": [["", 0]],
      "messaging.client.sent.messages": [
        [of(403), 1],
        [of(503), 2],
        [of(), 2],
      ],
      "messaging.client.operation.duration": [
        [of("send", 200), 1],
        [of("send", 403, 403), 1],
        [of("send", 503, 503), 1],
      ],
      "eventgrid.publisher.retries": [["", 1]],
      "eventgrid.publisher.request.events": [["", 3]],
    });
  });

  it("count the events of a request whose callers have left", async () => {
    const { meterProvider, measured } = measuring();
    const controller = new AbortController();
    topic.answer = () => {
      controller.abort();
      return new Promise(() => {});
    };
    const shared = publisher({ telemetry: { meterProvider } });
    await rejection(shared.create([event("a"), event("b")], { signal: controller.signal }));
    await shared.close();
    const { values } = await measured();
    expect(values["messaging.client.sent.messages"]?.map(([, events]) => events)).toEqual([2]);
  });
});
