import {
  type CloudEvent,
  defineEvents,
  type EventCatalogue,
  EventCatalogueError,
  type EventOf,
  type EventPayload,
  type PayloadsOf,
  systemEvents,
  type,
} from "cloud-eventgrid-binding-runtime/events";
import * as v from "valibot";
import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";

interface Order {
  orderId: string;
}

const cancelled = z.object({ orderId: z.string(), at: z.string().transform(Number) });
const counted = v.object({ shelf: v.string(), pieces: v.optional(v.number(), 0) });

const catalogue = defineEvents({
  "shop.order.placed": type<Order>(),
  "shop.order.cancelled": cancelled,
  "shop.stock.counted": counted,
  ...systemEvents("Microsoft.Storage.BlobCreated"),
});

describe("a catalogue", () => {
  test("lists its types in the order of their definition", () => {
    expect(catalogue.types).toEqual([
      "shop.order.placed",
      "shop.order.cancelled",
      "shop.stock.counted",
      "Microsoft.Storage.BlobCreated",
    ]);
  });

  test("keeps the schemas of the types that are checked at run time", () => {
    expect([...catalogue.schemas]).toEqual([
      ["shop.order.cancelled", cancelled],
      ["shop.stock.counted", counted],
    ]);
  });

  test("takes a schema that is a function, as ArkType's are", () => {
    const schema = Object.assign(() => undefined, {
      "~standard": {
        version: 1,
        vendor: "test",
        validate: (value: unknown) => ({ value }),
      } as const,
    });
    expect(defineEvents({ "shop.order.placed": schema }).schemas.get("shop.order.placed")).toBe(
      schema,
    );
  });
});

describe("a catalogue's payload types", () => {
  type Payloads = NonNullable<(typeof catalogue)["~payloads"]>;

  test("a TypeScript type is what publisher and handler see", () => {
    expectTypeOf<Payloads["shop.order.placed"]>().toEqualTypeOf<EventPayload<Order>>();
  });

  test("with a zod schema the publisher gives its input and the handler gets its output", () => {
    expectTypeOf<Payloads["shop.order.cancelled"]>().toEqualTypeOf<
      EventPayload<{ orderId: string; at: string }, { orderId: string; at: number }>
    >();
  });

  test("with a valibot schema, too", () => {
    expectTypeOf<Payloads["shop.stock.counted"]>().toEqualTypeOf<
      EventPayload<
        { shelf: string; pieces?: number | undefined },
        { shelf: string; pieces: number }
      >
    >();
  });

  test("its types are literals, for an editor to complete", () => {
    expectTypeOf<(typeof catalogue)["types"][number]>().toEqualTypeOf<
      | "shop.order.placed"
      | "shop.order.cancelled"
      | "shop.stock.counted"
      | "Microsoft.Storage.BlobCreated"
    >();
  });

  test("EventOf names the event that a handler gets", () => {
    expectTypeOf<EventOf<typeof catalogue, "shop.order.cancelled">>().toEqualTypeOf<
      CloudEvent<{ orderId: string; at: number }, "shop.order.cancelled">
    >();
    expectTypeOf<EventOf<typeof catalogue>["type"]>().toEqualTypeOf<
      (typeof catalogue)["types"][number]
    >();
  });

  test("every catalogue is an EventCatalogue, for code that takes any", () => {
    expectTypeOf(catalogue).toExtend<EventCatalogue>();
  });

  test("anything else than a type or a schema does not compile", () => {
    // @ts-expect-error a plain object says nothing of the payload
    expect(() => defineEvents({ "shop.order.placed": { orderId: "string" } })).toThrow(
      '"shop.order.placed" is defined by neither type<…>() nor a Standard Schema',
    );
    expectTypeOf<PayloadsOf<{ "a.b": typeof cancelled }>>().toEqualTypeOf<{
      readonly "a.b": EventPayload<z.input<typeof cancelled>, z.output<typeof cancelled>>;
    }>();
  });
});

describe("a catalogue that could not work", () => {
  const thrownFor = (definitions: Parameters<typeof defineEvents>[0]): EventCatalogueError => {
    try {
      defineEvents(definitions);
    } catch (error) {
      if (error instanceof EventCatalogueError) return error;
      throw error;
    }
    throw new Error("the catalogue was accepted");
  };

  test.each([
    ["", "an event type is empty"],
    [
      "Microsoft.Storage.*",
      '"Microsoft.Storage.*" is a pattern: a catalogue lists whole types, and only a listener\'s `on` takes patterns',
    ],
    [
      "*",
      '"*" is a pattern: a catalogue lists whole types, and only a listener\'s `on` takes patterns',
    ],
    ["shop.order.", '"shop.order." ends in a dot: write the whole type'],
    [" shop.order", '" shop.order" has white space around it, or control characters'],
    ["shop\norder", '"shop\\norder" has white space around it, or control characters'],
  ])("the name %j is refused", (name, message) => {
    expect(thrownFor({ [name]: type<Order>() }).problems).toEqual([message]);
  });

  test("without types it is refused, because the subscription would take everything", () => {
    expect(thrownFor({}).message).toBe(
      "the event catalogue cannot be used: it has no event types: a subscription would take them all",
    );
  });

  test("everything that is wrong is told at once, with a stable code", () => {
    const error = thrownFor({ "": type<Order>(), "shop.*": type<Order>() });
    expect(error.code).toBe("ERR_EVENT_CATALOGUE");
    expect(error.problems).toHaveLength(2);
  });
});
