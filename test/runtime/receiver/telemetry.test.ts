import { SpanKind } from "@opentelemetry/api";
import { RejectEvent } from "cloud-eventgrid-binding-runtime";
import { describe, expect, it } from "vitest";
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
