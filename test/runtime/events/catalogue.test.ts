import {
  type CloudEvent,
  ConfigurationError,
  defineEvents,
  type EventCatalogue,
  type EventOf,
  type EventPayload,
  type PayloadsOf,
  systemEvents,
  type,
} from "cloud-eventgrid-binding-runtime/events";
import * as v from "valibot";
import { describe, expect, expectTypeOf, it } from "vitest";
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
  it("lists its types in the order of their definition", () => {
    expect(catalogue.types).toEqual([
      "shop.order.placed",
      "shop.order.cancelled",
      "shop.stock.counted",
      "Microsoft.Storage.BlobCreated",
    ]);
  });

  it("has the schemas of the types that are validated at run time", () => {
    expect([...catalogue.schemas]).toEqual([
      ["shop.order.cancelled", cancelled],
      ["shop.stock.counted", counted],
    ]);
  });

  it("accepts a schema that is a function, as in ArkType", () => {
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

const thrownFor = (definitions: Parameters<typeof defineEvents>[0]): ConfigurationError => {
  try {
    defineEvents(definitions);
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error("the catalogue was accepted");
};

describe("the payload types of a catalogue", () => {
  type Payloads = NonNullable<(typeof catalogue)["~payloads"]>;

  it("are the TypeScript type for publisher and handler", () => {
    expectTypeOf<Payloads["shop.order.placed"]>().toEqualTypeOf<EventPayload<Order>>();
  });

  it("are a zod schema's input for the publisher and its output for the handler", () => {
    expectTypeOf<Payloads["shop.order.cancelled"]>().toEqualTypeOf<
      EventPayload<{ orderId: string; at: string }, { orderId: string; at: number }>
    >();
  });

  it("are a valibot schema's input and output", () => {
    expectTypeOf<Payloads["shop.stock.counted"]>().toEqualTypeOf<
      EventPayload<
        { shelf: string; pieces?: number | undefined },
        { shelf: string; pieces: number }
      >
    >();
  });

  it("have literal names, which editors complete", () => {
    expectTypeOf<(typeof catalogue)["types"][number]>().toEqualTypeOf<
      | "shop.order.placed"
      | "shop.order.cancelled"
      | "shop.stock.counted"
      | "Microsoft.Storage.BlobCreated"
    >();
  });

  it("can be named with EventOf", () => {
    expectTypeOf<EventOf<typeof catalogue, "shop.order.cancelled">>().toEqualTypeOf<
      CloudEvent<{ orderId: string; at: number }, "shop.order.cancelled">
    >();
    expectTypeOf<EventOf<typeof catalogue>["type"]>().toEqualTypeOf<
      (typeof catalogue)["types"][number]
    >();
  });

  it("extend EventCatalogue, for code that accepts any catalogue", () => {
    expectTypeOf(catalogue).toExtend<EventCatalogue>();
  });

  it("must come from a type or a schema", () => {
    // @ts-expect-error a plain object does not define a payload
    expect(thrownFor({ "shop.order.placed": { orderId: "string" } }).problems).toEqual([
      {
        field: '"shop.order.placed"',
        rule: "definition",
        message: '"shop.order.placed" must be defined by type<…>() or a Standard Schema',
      },
    ]);
    expectTypeOf<PayloadsOf<{ "a.b": typeof cancelled }>>().toEqualTypeOf<{
      readonly "a.b": EventPayload<z.input<typeof cancelled>, z.output<typeof cancelled>>;
    }>();
  });
});

describe("a catalogue in another one", () => {
  it("is refused, and the message says what to spread", () => {
    const spread: object = { ...catalogue, "a.b": type<number>() };
    const { message, problems } = thrownFor({ ...spread });
    expect(message).toContain(
      "is invalid: a catalogue is spread into another one: spread the defin",
    );
    expect(problems).toMatchObject([{ field: "events", rule: "catalogue" }]);
  });
});

describe("an invalid catalogue", () => {
  it.each([
    "",
    "shop.order.",
    " shop.order",
    "shop.order ",
    "shop\norder",
    "Microsoft.Storage.*",
    "*",
  ])("has the name %j", (name) => {
    const { problems } = thrownFor({ [name]: type<Order>() });
    expect(problems).toMatchObject([{ field: JSON.stringify(name), rule: "event-type" }]);
  });

  it("has a message about patterns", () => {
    expect(thrownFor({ "shop.*": type<Order>() }).message).toBe(
      'The event catalogue is invalid: "shop.*" must be an event type such as shop.order.placed, ' +
        'but "shop.*" is a pattern, which only the handlers of a listener may use',
    );
  });

  it("has no types, so that a subscription would receive every event", () => {
    expect(thrownFor({}).problems).toMatchObject([{ field: "events", rule: "required" }]);
  });

  it("is reported with every problem and a stable code", () => {
    const error = thrownFor({ "": type<Order>(), "shop.*": type<Order>() });
    expect(error.code).toBe("ERR_CONFIGURATION");
    expect(error.problems).toHaveLength(2);
  });
});
