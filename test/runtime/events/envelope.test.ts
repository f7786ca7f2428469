import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readStructured } from "../../../runtime/src/events/envelope.js";
import { InvalidEnvelopeError } from "../../../runtime/src/events/envelope-problems.js";

const minimal = { specversion: "1.0", id: "1", source: "/shop", type: "placed" };

function read(event: unknown) {
  return readStructured(Buffer.from(typeof event === "string" ? event : JSON.stringify(event)));
}

function problemsOf(event: unknown): readonly string[] {
  try {
    return read(event).flatMap((one) => (one instanceof InvalidEnvelopeError ? one.problems : []));
  } catch (error) {
    if (error instanceof InvalidEnvelopeError) return error.problems;
    throw error;
  }
}

function dataOf(event: object): unknown {
  const [only] = read({ ...minimal, ...event });
  if (only === undefined || only instanceof InvalidEnvelopeError) throw new Error("no event");
  return only.data;
}

describe("structured content mode", () => {
  it("reads a single object and an array alike", () => {
    expect(read(minimal)).toEqual([minimal]);
    expect(read([minimal, { ...minimal, id: "2" }])).toEqual([minimal, { ...minimal, id: "2" }]);
    expect(read([])).toEqual([]);
  });

  it("keeps the good events of a batch that has a bad one", () => {
    const events = read([minimal, { id: "2" }, 3]);
    expect(events[0]).toEqual(minimal);
    expect(events[1]).toBeInstanceOf(InvalidEnvelopeError);
    expect(events[2]).toBeInstanceOf(InvalidEnvelopeError);
  });

  it("asks for every required attribute at once", () => {
    expect(problemsOf({})).toEqual([
      "specversion is missing",
      "id is missing",
      "source is missing",
      "type is missing",
    ]);
    expect(problemsOf({ ...minimal, id: null })).toEqual(["id is missing"]);
  });

  it.each([
    [{ specversion: "0.3" }, 'specversion is "0.3", only "1.0" is understood'],
    [{ specversion: 1 }, 'specversion is 1, only "1.0" is understood'],
    [{ id: "" }, "id is empty"],
    [{ id: 7 }, "id is 7, not a string"],
    [{ id: "a\u0000b" }, "id holds characters that CloudEvents forbids"],
    [{ type: "\ud800" }, "type holds characters that CloudEvents forbids"],
    [{ type: "" }, "type is empty"],
    [{ type: "a\uffffb" }, "type holds characters that CloudEvents forbids"],
    [{ source: "no spaces here" }, 'source is "no spaces here", not a URI reference'],
    [{ source: "/half%2" }, 'source is "/half%2", not a URI reference'],
    [{ source: [] }, "source is [], not a string"],
    [{ subject: {} }, "subject is {}, not a string"],
    [{ dataschema: "" }, "dataschema is empty"],
    [{ dataschema: "<x>" }, 'dataschema is "<x>", not a URI reference'],
    [{ datacontenttype: "json" }, 'datacontenttype is "json", not a media type'],
    [{ time: "yesterday" }, 'time is "yesterday", not a timestamp of RFC 3339'],
    [
      { time: "2026-02-29T00:00:00Z" },
      'time is "2026-02-29T00:00:00Z", not a timestamp of RFC 3339',
    ],
    [
      { time: "2026-01-01 00:00:00Z" },
      'time is "2026-01-01 00:00:00Z", not a timestamp of RFC 3339',
    ],
    [{ time: "2026-01-01T00:00:00" }, 'time is "2026-01-01T00:00:00", not a timestamp of RFC 3339'],
    [{ time: 0 }, "time is 0, not a timestamp of RFC 3339"],
    [
      { partitionKey: "x" },
      '"partitionKey" is no attribute name: extensions have lower-case letters and digits',
    ],
    [
      { "data-x": "x" },
      '"data-x" is no attribute name: extensions have lower-case letters and digits',
    ],
    [
      { constructor: "x" },
      '"constructor" is no attribute name: extensions have lower-case letters and digits',
    ],
    [{ ext: { a: 1 } }, "extension ext is neither string, integer nor boolean"],
    [{ ext: 1.5 }, "extension ext is a number, but no 32-bit integer"],
    [{ ext: 2 ** 40 }, "extension ext is a number, but no 32-bit integer"],
    [{ data: 1, data_base64: "AA==" }, "data and data_base64 exclude each other"],
    [{ data_base64: "A" }, "data_base64 is not base64"],
    [{ data_base64: 5 }, "data_base64 is not base64"],
  ])("refuses %j", (change, problem) => {
    expect(problemsOf({ ...minimal, ...change })).toEqual([problem]);
  });

  it.each([
    "2026-00-10",
    "2026-13-10",
    "2026-01-00",
    "2026-01-32",
    "2026-04-31",
    "2026-11-31",
    "2100-02-29",
    "2026-02-30",
  ])("knows that there is no day %s", (day) => {
    const time = `${day}T00:00:00Z`;
    const problem = `time is "${time}", not a timestamp of RFC 3339`;
    expect(problemsOf({ ...minimal, time })).toEqual([problem]);
  });

  it.each([
    { time: "2026-01-31T00:00:00Z" },
    { time: "2026-09-30T00:00:00Z" },
    { time: "2000-02-29T00:00:00Z" },
    { time: "2026-01-01T00:00:00.1234567Z" },
    { time: "2024-02-29t23:59:60+01:30" },
    { dataschema: "#" },
    { source: "/SUBSCRIPTIONS/X/PROVIDERS/MICROSOFT.DEVICES/IOTHUBS/HÜB1" },
    { subject: "" },
    { datacontenttype: 'application/json; charset="utf-8"' },
    {
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      sequence: 7,
      on: true,
    },
  ])("accepts %j", (change) => {
    expect(read({ ...minimal, ...change })).toEqual([{ ...minimal, ...change }]);
  });

  it("takes an attribute sent as null for one that is not set", () => {
    expect(read({ ...minimal, subject: null, time: null, data: 1 })).toEqual([
      { ...minimal, data: 1 },
    ]);
  });

  it.each([0, "", null, false, [], [1, [2]], "text", { a: null }, 1e21])(
    "hands on data %j exactly as it was sent",
    (data) => {
      expect(dataOf({ data })).toEqual(data);
    },
  );

  it("decodes data_base64 to bytes", () => {
    expect(dataOf({ data_base64: "AAH/" })).toEqual(new Uint8Array([0, 1, 255]));
    expect(read({ ...minimal, data_base64: "" })).toEqual([{ ...minimal, data: new Uint8Array() }]);
  });

  it.each([
    ["no JSON", "{", "the body is not JSON"],
    ["nothing", "", "the body is not JSON"],
    [
      "keys that poison objects",
      '{"data":{"__proto__":{"x":1}}}',
      'the JSON has the forbidden key "__proto__"',
    ],
    [
      "such keys spelled otherwise",
      '{"data":{"\\u005f_proto__":1}}',
      'the JSON has the forbidden key "__proto__"',
    ],
    [
      "a constructor with a prototype",
      '{"data":[{"constructor":{"prototype":1}}]}',
      'the JSON has the forbidden key "constructor"',
    ],
    ["deep nesting", "[".repeat(1000) + "]".repeat(1000), "the JSON nests deeper than 100 levels"],
    ["a number", "7", "an event is a JSON object"],
  ])("refuses a body of %s", (_, body, problem) => {
    expect(problemsOf(body)).toEqual([problem]);
  });

  it("refuses bytes that are no UTF-8", () => {
    expect(() => readStructured(Buffer.from([0x22, 0xff, 0x22]))).toThrow("the body is not UTF-8");
  });

  it("never quotes the payload in its errors", () => {
    const secret = "hunter2";
    const bad = {
      ...minimal,
      type: "",
      data: { password: secret },
      [secret.toUpperCase()]: secret,
    };
    expect(problemsOf(bad).join()).not.toContain(secret);
    expect(problemsOf(`{"password":"${secret}"`).join()).not.toContain(secret);
  });

  it("gives any JSON data back as it was, and never anything but events or problems", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5, noUnicodeString: false }), (data) => {
        const text = JSON.stringify({ ...minimal, data });
        if (text.includes("__proto__")) return;
        expect(dataOf({ data })).toEqual(JSON.parse(JSON.stringify(data)));
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          readStructured(Buffer.from(bytes));
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidEnvelopeError);
        }
      }),
    );
  });

  it("lets no change to a required attribute through that is not a good one", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("specversion", "id", "source", "type"),
        fc.oneof(
          fc.constant(null),
          fc.integer(),
          fc.boolean(),
          fc.constant(""),
          fc.array(fc.nat()),
        ),
        (name, value) => {
          expect(problemsOf({ ...minimal, [name]: value })).toHaveLength(1);
        },
      ),
    );
  });
});
