import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  asCloudEvent,
  InvalidBodyError,
  MalformedEvent,
  parseStructured,
  type Received,
  readBinary,
  readEvent,
} from "../../../runtime/src/events/envelope/index.js";
import { flawedEvents } from "./flawed-events.js";

const minimal = { specversion: "1.0", id: "1", source: "/shop", type: "placed" };

/** Reads the events of a request body that is JSON, or given as the value it is the JSON of. */
function read(body: unknown): Received[] {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return parseStructured(Buffer.from(text)).map((element) => readEvent(element));
}

function problemsOf(body: unknown): readonly string[] {
  return read(body).flatMap((one) => (one instanceof MalformedEvent ? one.problems : []));
}

function dataOf(event: object): unknown {
  const [only] = read({ ...minimal, ...event });
  if (only === undefined || only instanceof MalformedEvent) throw new Error("no event");
  return only.event.data;
}

describe("structured content mode", () => {
  it("has one event as an object, or several as an array", () => {
    const other = { ...minimal, id: "2" };
    expect(read(minimal)).toEqual([{ event: minimal, flaws: [], hasLargeNumber: false }]);
    expect(read([minimal, other])).toEqual([
      { event: minimal, flaws: [], hasLargeNumber: false },
      { event: other, flaws: [], hasLargeNumber: false },
    ]);
    expect(read([])).toEqual([]);
  });

  it.each([
    { time: `2026-01-01T00:00:00.${"1".repeat(43)}Z` },
    { time: "2024-02-29t23:59:60+01:30" },
    { dataschema: "#" },
    { source: "/SUBSCRIPTIONS/X/PROVIDERS/MICROSOFT.DEVICES/IOTHUBS/HÜB1" },
    { subject: "" },
    { datacontenttype: 'application/json; charset="utf-8"' },
    {
      sequence: 7,
      on: true,
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    },
  ])("accepts the attributes %j", (attributes) => {
    const event = { ...minimal, ...attributes };
    expect(read(event)).toEqual([{ event, flaws: [], hasLargeNumber: false }]);
  });

  it("may begin with a byte order mark, which RFC 8259 lets readers ignore", () => {
    expect(read(`\ufeff${JSON.stringify([minimal])}`)).toEqual(read([minimal]));
  });

  it("treats an attribute that is null as not set", () => {
    const [received] = read({ ...minimal, subject: null, time: null, data: 1 });
    expect(received).toEqual({ event: { ...minimal, data: 1 }, flaws: [], hasLargeNumber: false });
  });

  it("passes on any JSON data exactly as it was sent", () => {
    for (const data of [0, "", null, false, [], { a: null }, 1e21]) {
      expect(dataOf({ data })).toEqual(data);
    }
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5, noUnicodeString: false }), (data) => {
        fc.pre(!JSON.stringify(data).includes("__proto__"));
        expect(dataOf({ data })).toEqual(JSON.parse(JSON.stringify(data)));
      }),
    );
  });

  it("lists the attributes of an event once, because an event may have 150,000", () => {
    let lists = 0;
    const event = new Proxy(
      { ...minimal, subject: null, sequence: 7 },
      {
        ownKeys(target) {
          lists += 1;
          return Reflect.ownKeys(target);
        },
      },
    );
    expect(readEvent(event)).toEqual({
      event: { ...minimal, sequence: 7 },
      flaws: [],
      hasLargeNumber: false,
    });
    expect(lists).toBe(1);
  });

  it("decodes data_base64 to bytes", () => {
    expect(dataOf({ data_base64: "AAH/" })).toEqual(new Uint8Array([0, 1, 255]));
    expect(read({ ...minimal, data_base64: "" })).toEqual([
      { event: { ...minimal, data: new Uint8Array() }, flaws: [], hasLargeNumber: false },
    ]);
  });
});

describe("an event with a flaw", () => {
  it.each(flawedEvents)("is passed on with a warning: $flaw", ({ sent, received, flaw }) => {
    expect(read(sent)).toEqual([
      { event: received ?? JSON.parse(sent), flaws: [flaw], hasLargeNumber: false },
    ]);
  });

  const flawOf = (time: string) =>
    `time must be an RFC 3339 timestamp such as 2026-01-31T09:30:00Z, but is "${time}"`;

  const twoDigits = (number: number) => `${number}`.padStart(2, "0");

  it("has a time on a day that does not exist", () => {
    for (const year of [0, 400, 1900, 2000, 2023, 2024, 2100, 9999])
      for (let month = 0; month <= 13; month++)
        for (const date of [0, 1, 28, 29, 30, 31, 32]) {
          const [yyyy, mm, dd] = [`${year}`.padStart(4, "0"), ...[month, date].map(twoDigits)];
          const time = `${yyyy}-${mm}-${dd}T00:00:00Z`;
          const same = new Date(new Date(0).setUTCFullYear(year, month - 1, date)).toISOString();
          const flaws = same === time.replace("Z", ".000Z") ? [] : [flawOf(time)];
          expect(read({ ...minimal, time })[0]).toHaveProperty("flaws", flaws);
        }
  });

  it.each([
    ["text before it", "x2026-01-31T00:00:00Z"],
    ["text after it", "2026-01-31T00:00:00Zx"],
    ["65 characters", `2026-01-31T00:00:00.${"1".repeat(44)}Z`],
    ["an hour that does not exist", "2026-01-31T24:00:00Z"],
  ])("has a time with %s", (_, time) => {
    expect(read({ ...minimal, time })[0]).toHaveProperty("flaws", [flawOf(time)]);
  });

  it("has at most twenty flaws reported, because an event may have thousands of attributes", () => {
    const names = Array.from({ length: 1000 }, (_, i) => [`Invalid${i}`, "x"]);
    const [received] = read({ ...Object.fromEntries(names), ...minimal });
    expect(received).toHaveProperty("flaws.length", 20);
    expect(received).toHaveProperty("event.Invalid999", "x");
  });
});

describe("a malformed event", () => {
  it.each<[object, string]>([
    [{ specversion: "0.3" }, 'specversion must be "1.0", but is "0.3"'],
    [{ specversion: 1 }, 'specversion must be "1.0", but is 1'],
    [{ specversion: null }, "specversion is missing"],
    [{ id: undefined }, "id is missing"],
    [{ id: null }, "id is missing"],
    [{ id: "" }, "id is empty"],
    [{ id: 7 }, "id must be a string, but is 7"],
    [{ type: "" }, "type is empty"],
    [{ type: false }, "type must be a string, but is false"],
    [{ source: [] }, "source must be a string, but is []"],
    [{ source: "" }, "source is empty"],
  ])("has %j", (attributes, problem) => {
    expect(read({ ...minimal, ...attributes })).toEqual([new MalformedEvent([problem])]);
  });

  it("has every missing attribute reported", () => {
    expect(problemsOf({})).toEqual([
      "specversion is missing",
      "id is missing",
      "source is missing",
      "type is missing",
    ]);
  });

  it("has its flaws reported as well, after the problems", () => {
    expect(problemsOf({ ...minimal, id: 1, time: "now" })).toEqual([
      "id must be a string, but is 1",
      'time must be an RFC 3339 timestamp such as 2026-01-31T09:30:00Z, but is "now"',
    ]);
  });

  it.each(["7", "null", '"text"', "[[]]"])("is not an object: %s", (body) => {
    expect(problemsOf(body)).toEqual(["an event must be a JSON object"]);
  });

  it("is nested deeper than 1,000 levels", () => {
    const nested = (levels: number) =>
      `{${JSON.stringify(minimal).slice(1, -1)},"data":${"[".repeat(levels)}${"]".repeat(levels)}}`;
    expect(problemsOf(nested(999))).toEqual([]);
    expect(problemsOf(nested(1000))).toEqual(["the JSON is nested deeper than 1000 levels"]);
    expect(problemsOf(nested(100_000))).toEqual(["the JSON is nested deeper than 1000 levels"]);
  });

  it("does not affect the other events of its batch", () => {
    const [first, second, third] = read([minimal, { id: "2" }, 3]);
    expect(first).toEqual({ event: minimal, flaws: [], hasLargeNumber: false });
    expect(second).toBeInstanceOf(MalformedEvent);
    expect(third).toBeInstanceOf(MalformedEvent);
  });

  it("is not an Error, so that a batch of thousands costs no stack traces", () => {
    expect(read(3)[0]).not.toBeInstanceOf(Error);
  });

  it("never has its payload quoted", () => {
    const secret = "hunter2";
    const event = { ...minimal, type: "", data: { password: secret }, HUNTER2: secret };
    expect(problemsOf(event).join()).not.toContain(secret);
    expect(() => read(`{"password":"${secret}"`)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining(secret) }),
    );
  });
});

describe("a body that contains no event", () => {
  it.each([
    ["{", "the body is not JSON"],
    ["", "the body is not JSON"],
    [new Uint8Array([0x22, 0xff, 0x22]), "the body is not UTF-8"],
  ])("is reported as a whole: %j", (body, message) => {
    expect(() => parseStructured(Buffer.from(body))).toThrow(new InvalidBodyError(message));
  });

  it("is the only reason for an exception, for any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          parseStructured(Buffer.from(bytes)).map((element) => readEvent(element));
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidBodyError);
        }
      }),
    );
  });
});

describe("an event of Event Grid's own schema", () => {
  it("becomes the CloudEvent that Event Grid makes of it", () => {
    const event = { id: "1", topic: "/t", subject: "s", eventType: "a", eventTime: "now" };
    const made = {
      specversion: "1.0",
      id: "1",
      source: "/t",
      type: "a",
      subject: "s",
      time: "now",
    };
    for (const dataVersion of [undefined, null, ""])
      expect(asCloudEvent({ ...event, dataVersion })).toEqual(made);
    expect(asCloudEvent({ ...event, data: null, dataVersion: "2" })).toEqual({
      ...made,
      dataschema: "#2",
      data: null,
    });
  });
});

describe("binary content mode", () => {
  type Header = readonly [string, string];
  const required: readonly Header[] = [
    ["ce-specversion", "1.0"],
    ["ce-id", "1"],
    ["ce-source", "/shop"],
    ["ce-type", "placed"],
  ];

  function readHeaders(headers: readonly Header[], body: string | Uint8Array = ""): Received {
    const parsed = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
    return readBinary(parsed, headers.flat(), Buffer.from(body));
  }

  it.each([
    ["application/vnd.shop+json", "7", 7],
    ["text/plain", "grüße", "grüße"],
    ["text/xml; charset=utf-8", "<a/>", "<a/>"],
    ["text/plain; charset=iso-8859-1", "\u00e9", new Uint8Array([0xc3, 0xa9])],
    ["application/octet-stream", "ab", new Uint8Array([97, 98])],
  ])("reads a body of %s", (type, body, data) => {
    const received = readHeaders([...required, ["content-type", type]], body);
    expect(received).toMatchObject({ event: { data }, flaws: [], hasLargeNumber: false });
  });

  it.each([
    ["JSON", '{"a":1}', { a: 1 }],
    ["bytes", "<a/>", new Uint8Array([60, 97, 47, 62])],
  ])("reads a body without Content-Type as %s", (_, body, data) => {
    expect(readHeaders(required, body)).toMatchObject({
      event: { data },
      flaws: [],
      hasLargeNumber: false,
    });
  });

  it("has quotes removed from a header, which is then percent-decoded once", () => {
    const subject = '"Euro %E2%82%AC \\"x\\" %2541"';
    const received = readHeaders([...required, ["ce-subject", subject]]);
    expect(received).toHaveProperty("event.subject", 'Euro € "x" %41');
    expect(readHeaders([...required, ["ce-subject", '"']])).toHaveProperty("event.subject", '"');
  });

  it.each<[Header, object, string]>([
    [["ce-id", "2"], {}, "the header ce-id occurs more than once: only the first was used"],
    [
      ["ce-subject", "%E2%82"],
      { subject: "%E2%82" },
      "the header ce-subject is not percent-encoded UTF-8",
    ],
    [["ce-subject", "é"], { subject: "é" }, "the header ce-subject is not percent-encoded UTF-8"],
    ...["ce-data", "ce-data_base64", "ce-datacontenttype"].map((name): [Header, object, string] => [
      [name, "1"],
      {},
      `the header ${name} is not an attribute in binary content mode and was ignored`,
    ]),
    [
      ["ce-a-b", "1"],
      { "a-b": "1" },
      '"a-b" is not a valid attribute name: extensions have lower-case letters and digits only',
    ],
    [["ce-__proto__", "1"], {}, 'the key "__proto__" was removed'],
  ])("may have the flawed header %j", (header, attributes, flaw) => {
    const headers = [...required, header];
    expect(readHeaders(headers)).toEqual({
      event: { ...minimal, ...attributes },
      flaws: [flaw],
      hasLargeNumber: false,
    });
  });

  it("may have text that is not UTF-8, which is passed on as bytes", () => {
    const bytes = new Uint8Array([0xff]);
    expect(readHeaders([...required, ["content-type", "text/plain"]], bytes)).toMatchObject({
      event: { data: bytes },
      flaws: ["the body is not UTF-8 and was not decoded"],
    });
  });

  it("is malformed with a body that is not the JSON it should be", () => {
    const headers: Header[] = [...required, ["content-type", "application/json"]];
    expect(readHeaders(headers, "{")).toEqual(new MalformedEvent(["the body is not JSON"]));
  });
});
