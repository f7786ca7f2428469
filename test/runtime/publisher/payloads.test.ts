import { runInNewContext } from "node:vm";
import { createPublisher, InvalidEventError } from "cloud-eventgrid-binding-runtime/publisher";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TopicServer } from "../../support/topic-server.js";
import { rejection, untyped } from "./rejection.js";

let topic: TopicServer;
beforeAll(async () => {
  topic = await TopicServer.start();
});
afterAll(() => topic.stop());
beforeEach(() => {
  topic.requests.length = 0;
});

const publisher = () => createPublisher(topic.binding);

/** The event as it arrived at the topic. */
async function sent(data: unknown) {
  await publisher().create({ type: "t", data });
  return topic.requests.at(-1)?.events[0];
}

/** Any JSON value without the key that is refused below. */
const harmless = fc
  .jsonValue({ maxDepth: 4 })
  .filter((value) => !JSON.stringify(value).includes("__proto__"));

describe("data goes out exactly", () => {
  it.each([
    ["an object", { a: [1, { b: null }] }, { a: [1, { b: null }] }],
    ["an array", [1, "2", null], [1, "2", null]],
    ["an empty array", [], []],
    ["a string", "abc", "abc"],
    ["an empty string", "", ""],
    ["a number", 17.5, 17.5],
    ["zero", 0, 0],
    ["minus zero, which JSON does not keep", -0, 0],
    ["true", true, true],
    ["false", false, false],
    ["null", null, null],
    ["a Date", new Date(Date.UTC(2026, 0, 2)), "2026-01-02T00:00:00.000Z"],
    ["a Date inside", { at: new Date(0) }, { at: "1970-01-01T00:00:00.000Z" }],
    ["a toJSON of its own", { price: { toJSON: () => "17.50" } }, { price: "17.50" }],
    ["an object without prototype", Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ["text beyond ASCII", "héllo 😀", "héllo 😀"],
    ["the same object twice", twice({ a: 1 }), [{ a: 1 }, { a: 1 }]],
  ])("%s", async (_name, data, arrived) => {
    const event = await sent(data);
    expect(event?.data).toEqual(arrived);
    expect(event?.datacontenttype).toBe("application/json");
  });

  it("bytes, as data_base64", async () => {
    const event = await sent(new Uint8Array([0, 1, 254, 255]));
    expect(event).toMatchObject({
      data_base64: "AAH+/w==",
      datacontenttype: "application/octet-stream",
    });
    expect(event).not.toHaveProperty("data");
  });

  it("a part of a buffer, and not the rest of it", async () => {
    expect(await sent(Buffer.from("secret-abc-secret").subarray(7, 10))).toMatchObject({
      data_base64: "YWJj",
    });
  });

  it("no data at all", async () => {
    await publisher().create({ type: "t" });
    const event = topic.requests[0]?.events[0];
    expect(event).not.toHaveProperty("data");
    expect(event).not.toHaveProperty("datacontenttype");
  });

  it("also where it comes from other globals, as in test runners", async () => {
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

  it("as it was when create was called", async () => {
    const data = { state: "placed" };
    const created = publisher().create({ type: "t", data });
    data.state = "changed";
    await created;
    expect(topic.requests[0]?.events[0]?.data).toEqual({ state: "placed" });
  });

  it("for every JSON value", async () => {
    const reused = publisher();
    await fc.assert(
      fc.asyncProperty(harmless, async (data) => {
        await reused.create({ type: "t", data });
        expect(JSON.stringify(topic.requests.at(-1)?.events[0]?.data)).toBe(JSON.stringify(data));
      }),
      { numRuns: 200 },
    );
  });

  it("for all bytes", async () => {
    const reused = publisher();
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), async (data) => {
        await reused.create({ type: "t", data });
        const wire = String(topic.requests.at(-1)?.events[0]?.data_base64);
        expect(new Uint8Array(Buffer.from(wire, "base64"))).toEqual(data);
      }),
      { numRuns: 100 },
    );
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

describe("what JSON cannot hold is refused, naming its path", () => {
  it.each([
    [
      "undefined",
      undefined,
      "data is undefined, which JSON cannot hold: leave it out, or use null",
    ],
    ["undefined inside", { a: { b: undefined } }, "data.a.b is undefined, which"],
    ["an array of nothing but holes", new Array(2 ** 32 - 1), "- event 0: data[19] is undefined"],
    ["a hole in an array", { a: holed() }, "data.a[1] is undefined, which"],
    ["NaN", [1, Number.NaN], "data[1] is NaN, which JSON cannot hold"],
    ["Infinity", { x: -Infinity }, "data.x is -Infinity, which JSON cannot hold"],
    ["a BigInt", { x: 1n }, "data.x is a BigInt, which JSON cannot hold: use a string"],
    ["a function", { x: () => 1 }, "data.x is a function, which JSON cannot hold"],
    ["a symbol", { x: Symbol("s") }, "data.x is a symbol, which JSON cannot hold"],
    ["a cycle", cycle(), "data.lines[0].order refers back to data"],
    ["a Map", { x: new Map() }, "data.x is a Map, of which JSON would keep nothing"],
    ["a Set", { x: new Set() }, "data.x is a Set, of which JSON would keep nothing"],
    [
      "what hides its content",
      { x: new URLSearchParams("a=1") },
      "data.x is a URLSearchParams, of",
    ],
    ["a RegExp", { x: /x/ }, "data.x is a RegExp"],
    ["a class without members", { x: new (class Empty {})() }, "data.x is a Empty, of which"],
    ["what only inherits", { x: Object.create(Object.create(null)) }, "of which JSON would keep"],
    ["a Promise", { x: Promise.resolve(1) }, "data.x is a Promise"],
    ["an Error", { x: new Error("secret") }, "data.x is an Error"],
    ["a wrapped number", { x: Object(1) }, "data.x is a wrapped primitive"],
    ["an invalid Date", { x: new Date(Number.NaN) }, "data.x is an invalid Date"],
    ["bytes inside", { x: new Uint8Array(2) }, "data.x is binary"],
    ["a Buffer inside", { x: Buffer.from("a") }, "data.x is binary"],
    ["an ArrayBuffer", new ArrayBuffer(2), "data is binary"],
    ["a toJSON that throws", { x: { toJSON: thrower } }, "data.x has a toJSON that throws"],
    ["a toJSON without result", { x: { toJSON: () => undefined } }, "data.x is undefined"],
    ["a key with dots", { "a.b": Number.NaN }, 'data["a.b"] is NaN'],
    ["a poisoned key", JSON.parse('{"__proto__":1}'), 'data has the key "__proto__"'],
    ["99 levels", nested(99), "nests deeper than 98 levels"],
    ["a getter that throws", { a: [{ b: throwing() }] }, "data.a[0].b.secret throws when it is"],
    ["a proxy that throws", { a: throwingProxy() }, "data.a throws when it is read"],
    ["a getter that throws the second time", { a: fickle() }, "data is not the same whenever it"],
  ])("%s", async (_name, data, message) => {
    const error = await rejection(publisher().create({ type: "t", data }));
    expect(error).toBeInstanceOf(InvalidEventError);
    expect(error).toMatchObject({ code: "ERR_PUBLISH_INVALID_EVENT", retryable: false });
    expect(error.message).toContain(message);
    expect(topic.requests).toEqual([]);
  });

  it("but 98 levels are fine", async () => {
    expect(JSON.stringify((await sent(nested(98)))?.data)).toBe(JSON.stringify(nested(98)));
  });

  it("tells all of it at once, never quoting the payload", async () => {
    const error = await rejection(
      publisher().create([
        { type: "t", data: { password: "hunter2", a: undefined, b: 1n } },
        { type: "t", data: "fine" },
        untyped({ type: "t", subject: 17, data: () => {} }),
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
});

describe("whatever events do when they are read, it is told as theirs", () => {
  it.each<[string, unknown, { path: string; message: string }]>([
    ["a getter", throwing(), { path: "secret", message: "secret throws when it is read" }],
    ["a proxy", throwingProxy(), { path: "", message: "the event throws when it is read" }],
    ["an array", [throwing()], { path: "secret", message: "secret throws when it is read" }],
    [
      "a proxy of an array",
      throwingProxy([]),
      { path: "", message: "what create was given throws when it is read" },
    ],
    [
      "a BigInt for a time",
      { type: "t", time: 1n },
      { path: "time", message: "time is no JSON but a bigint, not a timestamp of RFC 3339" },
    ],
  ])("%s", async (_name, event, problem) => {
    const error = await rejection(publisher().create(untyped(event)));
    expect(error).toBeInstanceOf(InvalidEventError);
    expect(error).toMatchObject({ problems: [{ index: 0, ...problem }] });
    expect(String(error)).not.toContain("boom");
  });

  it("a toJSON is asked once, and what it said goes out", async () => {
    let asked = 0;
    const price = { toJSON: () => (asked++ === 0 ? "17.50" : 1n) };
    expect((await sent({ lines: [{ price }] }))?.data).toEqual({ lines: [{ price: "17.50" }] });
    expect(asked).toBe(1);
  });
});

describe("what JSON does not look at is not part of the data", () => {
  it("symbols for names, members that are not enumerable, and those of arrays besides items", async () => {
    const hidden = Object.defineProperty({ a: 1 }, "b", { value: 2, enumerable: false });
    const items = Object.assign([1], { extra: 2 });
    expect((await sent({ [Symbol("s")]: 1, hidden, items }))?.data).toEqual({
      hidden: { a: 1 },
      items: [1],
    });
  });
});

function throwing() {
  return {
    type: "t",
    get secret(): never {
      throw new Error("secret boom");
    },
  };
}

function throwingProxy(target: object = {}): unknown {
  return new Proxy(target, {
    ownKeys: () => {
      throw new Error("secret boom");
    },
    get: () => {
      throw new Error("secret boom");
    },
  });
}

function fickle() {
  let read = 0;
  return {
    get amount() {
      read += 1;
      if (read > 1) throw new Error("secret boom");
      return 1;
    },
  };
}

function holed(): unknown[] {
  const items: unknown[] = [1];
  items[2] = 3;
  return items;
}

function thrower(): never {
  throw new Error("secret");
}
