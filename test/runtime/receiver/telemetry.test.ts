import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { RejectEvent } from "cloud-eventgrid-binding-runtime/receiver";
import { expect, it } from "vitest";
import { measuring } from "../../support/measuring.js";
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
  await receiver.drain();
  const { values } = await measured();
  expect(values).toMatchObject({
    "eventgrid.receiver.events": [
      ["a.* handled", 2],
      ["bad rejected", 1],
      ["none unhandled", 1],
    ],
    "eventgrid.receiver.events.in_flight": [["", 0]],
    "eventgrid.receiver.handler.duration": [
      ["a.* handled", 2],
      ["bad rejected", 1],
    ],
    "eventgrid.receiver.settlements": [
      ["acknowledge", 3],
      ["reject", 1],
    ],
  });
  expect(values["eventgrid.receiver.request.duration"]).toEqual(
    expect.arrayContaining([
      ["acknowledge 200", 1],
      ["receive 200", 1],
      ["reject 200", 1],
    ]),
  );
});

it("handles each event in a span of the trace that published it", async () => {
  const { queue, binding, publish } = await newQueue();
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  await startReceiver(binding, { telemetry: { tracerProvider } });
  await publish({ traceparent });
  await until(() => expect(queue.counts).toMatchObject({ acknowledged: 1 }));
  expect(exporter.getFinishedSpans()).toMatchObject([
    {
      name: "process shop.order.placed",
      parentSpanContext: { spanId: "b7ad6b7169203331" },
      attributes: {
        "messaging.destination.subscription.name": "shipping",
        "eventgrid.event.outcome": "handled",
      },
    },
  ]);
});
