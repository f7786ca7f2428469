import { runInNewContext } from "node:vm";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import {
  createPublisher,
  defineEvents,
  InvalidEventError,
  type PublisherOf,
  type,
} from "cloud-eventgrid-binding-runtime";
import * as v from "valibot";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { startTopic } from "../harness.js";
import { rejection, untyped } from "../rejection.js";

const topic = await startTopic();

const shop = defineEvents({
  "shop.order.placed": type<{ orderId: string }>(),
  "shop.order.paid": z.object({ orderId: z.string(), amount: z.coerce.number().default(0) }),
  "shop.order.shipped": v.object({ parcel: v.pipe(v.string(), v.minLength(3)) }),
  "shop.closed": type<undefined>(),
});
const publisher = () => createPublisher(topic.binding, { events: shop });

describe("create, typed by the catalogue,", () => {
  it("rejects a wrong payload or type when compiling", () => {
    const { create } = publisher();
    expectTypeOf(create).toBeCallableWith({ type: "shop.order.placed", data: { orderId: "17" } });
    expectTypeOf(create).toBeCallableWith([
      { type: "shop.order.placed", subject: "orders/17", tenant: "north", data: { orderId: "17" } },
      { type: "shop.closed" },
    ]);
    // The event contains the schema's input, not its output.
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

  it("reports a wrong element of an array at the element", () => {
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

  it("is of a publisher whose type PublisherOf names", () => {
    expectTypeOf(publisher).returns.toEqualTypeOf<PublisherOf<typeof shop>>();
  });

  it("accepts any type and payload without a catalogue", () => {
    const { create } = createPublisher(topic.binding);
    expectTypeOf(create).toBeCallableWith({ type: "anything", data: [1] });
    expectTypeOf(create).toBeCallableWith({ type: "anything" });
  });

  it("refuses a type that is not in the catalogue at run time, too", async () => {
    const error = await rejection(
      createPublisher(topic.binding, {
        events: defineEvents({ "shop.order.paid": type() }),
      }).create(untyped({ type: "shop.order.payed", data: 1 }) as never),
    );
    expect(error.message).toContain(
      `type is "shop.order.payed", which is not in the publisher's catalogue of events: did you mean "shop.order.paid"?`,
    );
  });
});

describe("the schemas of the catalogue", () => {
  it("a valid payload is sent as it was given, not as the schema transforms it", async () => {
    await publisher().create({ type: "shop.order.paid", data: { orderId: "17", amount: "17.50" } });
    expect(topic.requests[0]?.events[0]?.data).toEqual({ orderId: "17", amount: "17.50" });
  });

  it("an invalid payload is refused with its path before anything is sent", async () => {
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

  it.each([
    ["later", () => Promise.reject(new Error("secret boom"))],
    [
      "at once",
      () => {
        throw new Error("secret boom");
      },
    ],
  ])(
    "a schema that throws %s refuses the event, and its error is not shown",
    async (_when, validate) => {
      const schema = { "~standard": { version: 1, vendor: "test", validate } } as const;
      const events = defineEvents({ odd: schema });
      const error = await rejection(
        createPublisher(topic.binding, { events }).create({ type: "odd", data: 1 }),
      );
      expect(error).toBeInstanceOf(InvalidEventError);
      expect(error.message).toBe(
        "the event at index 0 is invalid, nothing was sent: data could not be checked: the schema of this event type threw an error",
      );
    },
  );

  describe("an asynchronous schema", () => {
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

    it("checks the event as it was when create was called", async () => {
      const event = { type: "slow" as const, data: "good" };
      const created = createPublisher(topic.binding, { events }).create(event);
      event.data = "changed";
      await created;
      expect(topic.requests[0]?.events[0]?.data).toBe("good");
    });

    it("may return a promise of another realm", async () => {
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
      expect(error.message).toBe(
        "the event at index 0 is invalid, nothing was sent: data: not good",
      );
      expect(topic.requests).toEqual([]);
    });

    it("is awaited by flush", async () => {
      const shared = createPublisher(topic.binding, { events });
      void shared.create({ type: "slow", data: "good" });
      await shared.flush();
      expect(topic.requests).toHaveLength(1);
    });
  });
});
