import { SpanKind } from "@opentelemetry/api";
import { RejectEvent } from "cloud-eventgrid-binding-runtime";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { measuring } from "../../support/measuring.js";
import { tracing } from "../../support/tracing.js";
import { startNamespace, startReceiver, until } from "./service.js";

const { newQueue } = await startNamespace();

it("counts events, settlements and requests by their documented names", async () => {
  const { queue, binding, publish } = await newQueue();
  const { meterProvider, measured } = measuring();
  await publish({ type: "a.b" }, { type: "a.b" }, { type: "no" }, { type: "bad" });
  const { receiver } = await startReceiver(binding, {
    telemetry: { meterProvider },
    on: {
      "a.*": () => {},
      bad: () => {
        throw new RejectEvent("no");
      },
    },
  });
  await until(() => expect(queue.counts).toMatchObject({ acknowledged: 3, rejected: 1 }));
  await receiver.close();
  const { values } = await measured();
  expect(values).toMatchObject({
    "eventgrid.receiver.events": [
      ["a.* handled", 2],
      ["bad rejected", 1],
      ["none unhandled", 1],
    ],
    "eventgrid.receiver.events.in_flight": [["", 0]],
    "eventgrid.receiver.settlements": [
      ["acknowledge", 3],
      ["reject", 1],
    ],
  });
  const counts = (name: string) =>
    values[name]?.map(([attributes, count]) => [attributes.replace(/^.* eventgrid /, ""), count]);
  expect(counts("messaging.client.consumed.messages")).toEqual([["receive", 4]]);
  expect(counts("messaging.process.duration")).toEqual([
    ["process a.*", 2],
    ["process rejected bad", 1],
  ]);
  expect(counts("messaging.client.operation.duration")).toEqual(
    expect.arrayContaining([
      ["acknowledge settle 200", 1],
      ["receive receive 200", 1],
      ["reject settle 200", 1],
    ]),
  );
});

it("logs the first event, then a summary a minute, and each event at level debug", async () => {
  const { queue, binding, publish } = await newQueue();
  const { log, clock } = await startReceiver(binding, {
    on: { "shop.*": () => {} },
  });
  const handle = async (count: number, ...events: object[]) => {
    await publish(...events);
    await until(() => expect(queue.counts).toMatchObject({ acknowledged: count }));
  };
  await handle(1, { id: "first" });
  await handle(3, { id: "second" }, { type: "other" });
  clock.advance(60_000);
  const lines = log.lines.filter(({ msg }) => msg === "delivery" || msg === "deliveries");
  const event = { type: "shop.order.placed", source: "/shop" };
  expect(lines).toMatchObject([
    { level: "info", event: { ...event, id: "first" }, outcomes: "handled", ms: 0 },
    { level: "debug", event: { type: "other" }, outcomes: "unhandled" },
    { level: "debug", event: { ...event, id: "second" }, outcomes: "handled" },
    { level: "info", deliveries: 2, outcomes: { handled: 1, unhandled: 1 }, seconds: 60 },
  ]);
});

it.each([
  ["debug", ["delivery"]],
  [undefined, []],
])("writes to the console from LOG_LEVEL on: %s", async (level, messages) => {
  const { queue, binding, publish } = await newQueue();
  vi.stubEnv("LOG_LEVEL", level);
  onTestFinished(() => void vi.unstubAllEnvs());
  const info = vi.spyOn(console, "info").mockReturnValue();
  const debug = vi.spyOn(console, "debug").mockReturnValue();
  onTestFinished(() => void vi.restoreAllMocks());
  const { receiver } = await startReceiver(binding, { logger: true });
  await publish({}, {});
  await until(() => expect(queue.counts).toMatchObject({ acknowledged: 2 }));
  await receiver.close();
  const written = (calls: unknown[][]) => calls.map(([line]) => JSON.parse(String(line)).msg);
  expect(written(info.mock.calls)).toEqual(["delivery", "deliveries"]);
  expect(written(debug.mock.calls)).toEqual(messages);
});

describe("the spans of requests and events", () => {
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const other = "00-0af7651916cd43dd8448eb211c80319d-b7ad6b7169203332-01";

  it("are in the trace that published a single event", async () => {
    const { queue, binding, publish } = await newQueue();
    const { spans, tracerProvider } = tracing();
    await publish({ traceparent });
    await startReceiver(binding, { telemetry: { tracerProvider } });
    await until(() => expect(queue.counts).toMatchObject({ acknowledged: 1 }));
    await until(() => expect(spans()).toHaveLength(3));
    const parentSpanContext = { spanId: "b7ad6b7169203331" };
    const attributesOf = (name: string, type: string) => ({
      "messaging.system": "eventgrid",
      "messaging.destination.name": binding.topicName,
      "messaging.destination.subscription.name": "shipping",
      "server.address": "127.0.0.1",
      "server.port": Number(new URL(binding.namespaceEndpoint).port),
      "messaging.operation.name": name,
      "messaging.operation.type": type,
    });
    expect(spans()[0]?.attributes).toEqual(attributesOf("receive", "receive"));
    expect(spans()[2]?.attributes).toEqual(attributesOf("acknowledge", "settle"));
    expect(spans()).toMatchObject([
      { name: "receive events", kind: SpanKind.CLIENT, parentSpanContext },
      {
        name: "process shop.order.placed",
        parentSpanContext,
        attributes: {
          "messaging.destination.subscription.name": "shipping",
          "eventgrid.event.outcome": "handled",
        },
      },
      { name: "acknowledge events", kind: SpanKind.CLIENT, parentSpanContext },
    ]);
  });

  it("are linked to the spans that published several events", async () => {
    const { queue, binding, publish } = await newQueue();
    const { spans, tracerProvider } = tracing();
    await publish({ traceparent }, { traceparent: other });
    await startReceiver(binding, { telemetry: { tracerProvider } });
    await until(() => expect(queue.counts).toMatchObject({ acknowledged: 2 }));
    const finished = () => spans().filter(({ name }) => / events$/.test(name));
    await until(() => expect(finished()).toHaveLength(2));
    for (const { parentSpanContext, attributes, links } of finished()) {
      expect(parentSpanContext).toBeUndefined();
      expect(attributes["messaging.batch.message_count"]).toBe(2);
      const linked = links.map(({ context: { spanId } }) => spanId).toSorted();
      expect(linked).toEqual(["b7ad6b7169203331", "b7ad6b7169203332"]);
    }
  });

  it("have the status as the error of a request that failed", async () => {
    const { binding } = await newQueue();
    const { spans, tracerProvider } = tracing();
    await startReceiver({ ...binding, topicName: "none" }, { telemetry: { tracerProvider } });
    await until(() => expect(spans()).not.toHaveLength(0));
    expect(spans()[0]).toMatchObject({
      name: "receive events",
      links: [],
      attributes: { "error.type": "404" },
    });
  });
});
