import {
  createPublisher,
  defineEvents,
  type CloudEvent as ReceivedEvent,
  type,
} from "cloud-eventgrid-binding-runtime";
import { CloudEvent } from "cloudevents";
import { describe, expect, expectTypeOf, it } from "vitest";
import { startTopic } from "../harness.js";

const topic = await startTopic();

describe("a CloudEvent of the package cloudevents", () => {
  const attributes = {
    id: "17",
    source: "/shop",
    type: "shop.order.placed",
    subject: "orders/17",
    time: "2026-01-02T03:04:05.678Z",
    tenant: "north",
  };

  it.each([
    ["JSON", { orderId: "17" }, { data: { orderId: "17" } }],
    ["bytes", new Uint8Array([1, 2, 255]), { data_base64: "AQL/" }],
  ])("is published as it is with %s", async (_, data, expected) => {
    const event = new CloudEvent<unknown>({ ...attributes, data });
    await createPublisher(topic.binding).create(event);
    expect(topic.requests.at(-1)?.events).toEqual([
      { specversion: "1.0", ...attributes, ...expected },
    ]);
  });

  it("is accepted by the types, with a catalogue once its type and data are known", () => {
    const events = defineEvents({ "shop.order.placed": type<{ orderId: string }>() });
    const { create } = createPublisher(topic.binding, { events });
    const event = new CloudEvent({ ...attributes, data: { orderId: "17" } });
    expectTypeOf(createPublisher(topic.binding).create).toBeCallableWith([event, event]);
    expectTypeOf(create).toBeCallableWith({
      ...event,
      type: "shop.order.placed",
      data: { orderId: "17" },
    });
    // @ts-expect-error its type may be any text, its data missing
    const untyped = () => create(event);
    expect(untyped).toBeTypeOf("function");
  });

  it("is made of a handler's event by its constructor", () => {
    const received: ReceivedEvent<{ orderId: string }> = {
      specversion: "1.0",
      ...attributes,
      data: { orderId: "17" },
    };
    const event = new CloudEvent(received);
    expectTypeOf(event.data).toEqualTypeOf<{ orderId: string } | undefined>();
    expect(JSON.parse(event.toString())).toEqual(received);
  });
});
