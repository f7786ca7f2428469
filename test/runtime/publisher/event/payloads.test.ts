import { inspect } from "node:util";
import { runInNewContext } from "node:vm";
import { createPublisher, InvalidEventError } from "cloud-eventgrid-binding-runtime";
import { describe, expect, it } from "vitest";
import { startTopic } from "../harness.js";
import { rejection, untyped } from "../rejection.js";

const topic = await startTopic();

const publisher = () => createPublisher(topic.binding);

/** The event as it arrived at the topic. */
async function sent(data: unknown) {
  await publisher().create({ type: "t", data });
  return topic.requests.at(-1)?.events[0];
}

class Order {
  constructor(readonly id: number) {}
}

describe("the data of an event", () => {
  it.each([
    ["an object", { a: [1, { b: null }] }, { a: [1, { b: null }] }],
    ["minus zero", -0, 0],
    ["an object whose optional fields are undefined", { a: undefined, b: 1 }, { b: 1 }],
    ["an instance of a class with fields", new Order(17), { id: 17 }],
    ["a Date", new Date(Date.UTC(2026, 0, 2)), "2026-01-02T00:00:00.000Z"],
    ["a Date inside", { at: new Date(0) }, { at: "1970-01-01T00:00:00.000Z" }],
    ["an object with toJSON", { price: { toJSON: () => "17.50" } }, { price: "17.50" }],
    ["an object without prototype", Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ["text beyond ASCII", "héllo 😀", "héllo 😀"],
    ["the same object twice", twice({ a: 1 }), [{ a: 1 }, { a: 1 }]],
    ["a Map and NaN", { x: new Map([[1, 2]]), y: Number.NaN }, { x: {}, y: null }],
  ])("arrives as JSON represents it: %s", async (_name, data, arrived) => {
    const event = await sent(data);
    expect(event?.data).toEqual(arrived);
    expect(event?.datacontenttype).toBe("application/json");
  });

  it("is sent as data_base64 if it is bytes", async () => {
    const event = await sent(new Uint8Array([0, 1, 254, 255]));
    expect(event).toMatchObject({
      data_base64: "AAH+/w==",
      datacontenttype: "application/octet-stream",
    });
    expect(event).not.toHaveProperty("data");
  });

  it("does not contain, for a slice of a buffer, the rest of the buffer", async () => {
    expect(await sent(Buffer.from("secret-abc-secret").subarray(7, 10))).toMatchObject({
      data_base64: "YWJj",
    });
  });

  it.each([[{ type: "t" }], [{ type: "t", data: undefined }]])(
    "is not sent for %j",
    async (given) => {
      await publisher().create(given);
      const event = topic.requests[0]?.events[0];
      expect(event).not.toHaveProperty("data");
      expect(event).not.toHaveProperty("datacontenttype");
    },
  );

  it("may be an object of another realm, as in test runners", async () => {
    expect((await sent(runInNewContext("({ a: {}, b: [{}], at: new Date(0) })")))?.data).toEqual({
      a: {},
      b: [{}],
      at: "1970-01-01T00:00:00.000Z",
    });
    expect((await sent(runInNewContext("new Uint8Array([1])")))?.data_base64).toBe("AQ==");
    const time = runInNewContext("new Date(0)");
    await publisher().create({ type: "t", time });
    expect(topic.requests.at(-1)?.events[0]?.time).toBe("1970-01-01T00:00:00.000Z");
  });

  it("has the state of the object when create was called", async () => {
    const data = { state: "placed" };
    const created = publisher().create({ type: "t", data });
    data.state = "changed";
    await created;
    expect(topic.requests[0]?.events[0]?.data).toEqual({ state: "placed" });
  });
});

function twice<T>(value: T): [T, T] {
  return [value, value];
}

function cycle() {
  const order: Record<string, unknown> = { lines: [{}] };
  order.lines = [{ order }];
  return order;
}

function nested(levels: number): unknown {
  return levels === 0 ? 1 : [nested(levels - 1)];
}

function fail(): never {
  throw new Error("secret");
}

const JSON_FAILS = "data cannot be encoded as JSON: a getter or a toJSON threw";

describe("a payload that cannot be sent", () => {
  it.each([
    ["a BigInt", { x: 1n }, "data.x is a BigInt, which JSON cannot represent: use a string"],
    ["a cycle", cycle(), "data.lines[0].order refers back to an object that contains it"],
    ["a key with a dot", { "a.b": 1n }, 'data["a.b"] is a BigInt'],
    ["a result of toJSON", [{ toJSON: () => ({ a: 1n }) }], "data[0].a is a BigInt"],
    ["a toJSON that throws", [{ toJSON: fail }], JSON_FAILS],
    [
      "a getter that throws",
      Object.defineProperty({}, "a", { get: fail, enumerable: true }),
      JSON_FAILS,
    ],
    ["a function", () => 1, "data has no form in JSON"],
    ["a symbol", Symbol("x"), "data has no form in JSON"],
    ["a toJSON that returns nothing", { toJSON: () => undefined }, "data has no form in JSON"],
    ["a buffer", new ArrayBuffer(2), "data is bytes, but not a Uint8Array"],
    ["an array of other numbers", new Uint16Array(2), "data is bytes, but not a Uint8Array"],
    ["a key that receivers refuse", JSON.parse('{"__proto__":1}'), 'data has the key "__proto__"'],
    [
      "a key that receivers refuse below another",
      { a: JSON.parse('{"constructor":{"prototype":1}}') },
      'data.a has the key "constructor"',
    ],
    ["999 levels", nested(999), "is nested deeper than 998 levels, which receivers refuse"],
  ])("is refused with its path: %s", async (_name, data, message) => {
    const error = await rejection(publisher().create({ type: "t", data }));
    expect(error).toBeInstanceOf(InvalidEventError);
    expect(error).toMatchObject({ code: "ERR_PUBLISH_INVALID_EVENT", retryable: false });
    expect(error.message).toContain(message);
    expect(topic.requests).toEqual([]);
  });

  it("may be nested 998 levels deep", async () => {
    expect(JSON.stringify((await sent(nested(998)))?.data)).toBe(JSON.stringify(nested(998)));
  });

  it("may have a constructor, and more objects than levels are allowed", async () => {
    const data = { constructor: "ACME", text: '"__proto__":', lines: new Array(2_000).fill({}) };
    expect((await sent(data))?.data).toEqual(data);
  });

  it("is reported with all problems of all events, without payload values", async () => {
    const error = await rejection(
      publisher().create([
        { type: "t", data: { password: "hunter2", a: 1n, b: 1n } },
        { type: "t", data: "fine" },
        untyped({ type: "t", subject: 17, data: 1n }),
      ]),
    );
    expect(error).toMatchObject({
      problems: [
        { index: 0, path: "data.a" },
        { index: 0, path: "data.b" },
        { index: 2, path: "subject" },
        { index: 2, path: "data" },
      ],
    });
    expect(error.message).not.toContain("hunter2");
  });

  it("is reported with a limited number of problems", async () => {
    const error = await rejection(
      publisher().create({ type: "t", data: new Array(1_000).fill(1n) }),
    );
    expect(error).toMatchObject({ problems: { length: 20 } });
  });

  it("is reported by Node with each problem once", async () => {
    const error = await rejection(publisher().create({ type: "t", data: { price: 1n } }));
    expect(inspect(error).split("data.price")).toHaveLength(2);
  });
});
