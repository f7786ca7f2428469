import { runInNewContext } from "node:vm";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { defineEvents, type } from "cloud-eventgrid-binding-runtime/events";
import { createPublisher, InvalidEventError } from "cloud-eventgrid-binding-runtime/publisher";
import * as v from "valibot";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { startTopic } from "./harness.js";
import { rejection, untyped } from "./rejection.js";

const topic = await startTopic();

const shop = defineEvents({
  "shop.order.placed": type<{ orderId: string }>(),
  "shop.order.paid": z.object({ orderId: z.string(), amount: z.coerce.number().default(0) }),
  "shop.order.shipped": v.object({ parcel: v.pipe(v.string(), v.minLength(3)) }),
  "shop.closed": type<undefined>(),
});
const publisher = () => createPublisher(topic.binding, { events: shop });

describe("create is typed by the catalogue", () => {
  it("a wrong payload or type does not compile", () => {
    const { create } = publisher();
    expectTypeOf(create).toBeCallableWith({ type: "shop.order.placed", data: { orderId: "17" } });
    expectTypeOf(create).toBeCallableWith([
      { type: "shop.order.placed", subject: "orders/17", tenant: "north", data: { orderId: "17" } },
      { type: "shop.closed" },
    ]);
    // What goes out is what a schema takes, not what it makes of it.
    expectTypeOf(create).toBeCallableWith({ type: "shop.order.paid", data: { orderId: "17" } });
    expectTypeOf(create).toBeCallableWith({
      specversion: "1.0",
      id: "1",
      source: "/s",
      type: "shop.order.shipped",
      data: { parcel: "p-1" },
    });

    const wrong = () => {
      // @ts-expect-error the payload of another type
      create({ type: "shop.order.placed", data: { parcel: "p-1" } });
      // @ts-expect-error a payload of the wrong type
      create({ type: "shop.order.placed", data: { orderId: 17 } });
      // @ts-expect-error no payload
      create({ type: "shop.order.placed" });
      // @ts-expect-error no such type
      create({ type: "shop.order.lost", data: { orderId: "17" } });
      // @ts-expect-error one wrong payload of many
      create([{ type: "shop.closed" }, { type: "shop.order.placed", data: 1 }]);
      // @ts-expect-error an attribute of the wrong type
      create({ type: "shop.closed", subject: 17 });
      // @ts-expect-error a ready event with a wrong payload
      create({ specversion: "1.0", id: "1", source: "/s", type: "shop.order.placed", data: 1 });
    };
    expect(wrong).toBeTypeOf("function");
  });

  it("what is wrong with an element is told there, not of the array", () => {
    const { create } = publisher();
    const wrong = () => {
      create([
        // @ts-expect-error no payload
        { type: "shop.order.placed" },
      ]);
      create([
        // @ts-expect-error a payload of the wrong type
        { type: "shop.order.placed", data: { orderId: 17 } },
      ]);
    };
    expect(wrong).toBeTypeOf("function");
    const frozen: readonly { type: "shop.closed" }[] = [];
    expectTypeOf(create).toBeCallableWith(frozen);
  });

  it("without a catalogue any type and payload goes", () => {
    const { create } = createPublisher(topic.binding);
    expectTypeOf(create).toBeCallableWith({ type: "anything", data: [1] });
    expectTypeOf(create).toBeCallableWith({ type: "anything" });
  });

  it("a type that the catalogue does not have is refused at run time, too", async () => {
    const error = await rejection(
      createPublisher(topic.binding, { events: defineEvents({ a: type() }) }).create(
        untyped({ type: "b", data: 1 }) as never,
      ),
    );
    expect(error.message).toContain(`type is "b", which the publisher's catalogue of events does`);
  });
});

describe("payloads are checked with the catalogue's schemas", () => {
  it("a good one goes out as it was given, not as the schema made it", async () => {
    await publisher().create({ type: "shop.order.paid", data: { orderId: "17", amount: "17.50" } });
    expect(topic.requests[0]?.events[0]?.data).toEqual({ orderId: "17", amount: "17.50" });
  });

  it("a bad one is refused before anything is sent, naming where", async () => {
    const error = await rejection(
      publisher().create([
        { type: "shop.order.shipped", data: { parcel: "p-1" } },
        { type: "shop.order.shipped", data: { parcel: "p" } },
        { type: "shop.order.paid", id: "x", data: { orderId: JSON.parse("17") } },
      ]),
    );
    expect(error).toBeInstanceOf(InvalidEventError);
    expect(error).toMatchObject({
      problems: [
        { index: 1, path: "data.parcel", message: expect.stringContaining("data.parcel: ") },
        { index: 2, path: "data.orderId", message: expect.stringContaining("data.orderId: ") },
      ],
      events: [
        { index: 0, id: expect.stringMatching(/^[\da-f-]{36}$/) },
        { index: 1, id: expect.stringMatching(/^[\da-f-]{36}$/) },
        { index: 2, id: "x" },
      ],
    });
    expect(topic.requests).toEqual([]);
  });

  it("unless they are not to be", async () => {
    const unchecked = createPublisher(topic.binding, { events: shop, checkPayloads: false });
    await unchecked.create({ type: "shop.order.shipped", data: { parcel: "p" } });
    expect(topic.requests).toHaveLength(1);
  });

  it.each([
    ["later", () => Promise.reject(new Error("secret boom"))],
    [
      "at once",
      () => {
        throw new Error("secret boom");
      },
    ],
  ])("a schema that throws %s refuses, and what it throws is not told", async (_when, validate) => {
    const schema = { "~standard": { version: 1, vendor: "test", validate } } as const;
    const events = defineEvents({ odd: schema });
    const error = await rejection(
      createPublisher(topic.binding, { events }).create({ type: "odd", data: 1 }),
    );
    expect(error).toBeInstanceOf(InvalidEventError);
    expect(error.message).toBe("the event at index 0 was not sent: data: its type's schema throws");
  });

  describe("also by a schema that takes its time", () => {
    const patient: StandardSchemaV1<string> = {
      "~standard": {
        version: 1,
        vendor: "test",
        validate: async (value) =>
          value === "good"
            ? { value }
            : { issues: [{ message: "not good", path: [{ key: "a" }, 0] }] },
      },
    };
    const events = defineEvents({ slow: patient });

    it("and the event goes out as it was when create was called", async () => {
      const event = { type: "slow" as const, data: "good" };
      const created = createPublisher(topic.binding, { events }).create(event);
      event.data = "changed";
      await created;
      expect(topic.requests[0]?.events[0]?.data).toBe("good");
    });

    it("which refuses, too", async () => {
      const error = await rejection(
        createPublisher(topic.binding, { events }).create({ type: "slow", data: "bad" }),
      );
      expect(error.message).toBe("the event at index 0 was not sent: data.a.0: not good");
    });

    it("whatever kind of promise it gives", async () => {
      const foreign = defineEvents({
        foreign: {
          "~standard": {
            version: 1,
            vendor: "test",
            validate: () =>
              runInNewContext("Promise.resolve({ issues: [{ message: 'not good' }] })"),
          },
        },
      });
      const error = await rejection(
        createPublisher(topic.binding, { events: foreign }).create({ type: "foreign", data: 1 }),
      );
      expect(error.message).toBe("the event at index 0 was not sent: data: not good");
      expect(topic.requests).toEqual([]);
    });

    it("but not when the publisher is closed", async () => {
      const shared = createPublisher(topic.binding, { events });
      await shared.close();
      const error = await rejection(shared.create({ type: "slow", data: "bad" }));
      expect(error.code).toBe("ERR_PUBLISH_CLOSED");
    });

    it("and flush waits for it", async () => {
      const shared = createPublisher(topic.binding, { events });
      void shared.create({ type: "slow", data: "good" });
      await shared.flush();
      expect(topic.requests).toHaveLength(1);
    });
  });
});
