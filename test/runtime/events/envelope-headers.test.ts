import { describe, expect, it } from "vitest";
import { readBinary } from "../../../runtime/src/events/envelope-headers.js";

/** Scenarios of the HTTP protocol binding of CloudEvents 1.0, binary content mode. */
function read(headers: [string, string][], body: string | Uint8Array = "") {
  const parsed = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
  return readBinary(parsed, headers.flat(), Buffer.from(body));
}

const minimal: [string, string][] = [
  ["ce-specversion", "1.0"],
  ["ce-id", "1"],
  ["ce-source", "/shop"],
  ["ce-type", "placed"],
];

describe("binary content mode", () => {
  it("reads attributes from headers and data from the body", () => {
    const event = read(
      [
        ["CE-SpecVersion", "1.0"],
        ["ce-id", "A234-1234-1234"],
        ["ce-source", "/mycontext/subcontext"],
        ["ce-type", "com.example.someevent"],
        ["ce-time", "2018-04-05T03:56:24Z"],
        ["ce-comexampleextension", "value"],
        ["Content-Type", "application/json; charset=utf-8"],
      ],
      '{"a":[1]}',
    );
    expect(event).toEqual({
      specversion: "1.0",
      id: "A234-1234-1234",
      source: "/mycontext/subcontext",
      type: "com.example.someevent",
      time: "2018-04-05T03:56:24Z",
      comexampleextension: "value",
      datacontenttype: "application/json; charset=utf-8",
      data: { a: [1] },
    });
  });

  it("has no data without a body", () => {
    expect(read(minimal)).toEqual({ specversion: "1.0", id: "1", source: "/shop", type: "placed" });
  });

  it.each([
    ["application/vnd.shop+json", "7", 7],
    ["text/plain", "grüße", "grüße"],
    ["text/xml; charset=utf-8", "<a/>", "<a/>"],
    ["text/plain; charset=iso-8859-1", "\u00e9", new Uint8Array([0xc3, 0xa9])],
    ["application/octet-stream", "ab", new Uint8Array([97, 98])],
  ])("reads a body of %s", (type, body, data) => {
    expect(read([...minimal, ["content-type", type]], body).data).toEqual(data);
  });

  it("takes quotes off, then decodes percent signs once", () => {
    const event = read([...minimal, ["ce-subject", '"Euro %E2%82%AC \\"x\\" %2541"']]);
    expect(event.subject).toBe('Euro € "x" %41');
  });

  it.each([
    ["an attribute twice", ["ce-id", "2"], "header ce-id comes more than once"],
    ["a broken escape", ["ce-subject", "%E2%82"], "header ce-subject is not percent-encoded UTF-8"],
    ["raw bytes", ["ce-subject", "\u00e9"], "header ce-subject is not percent-encoded UTF-8"],
    ["data in a header", ["ce-data", "1"], "header ce-data is no attribute of binary content mode"],
    ["a name with a hyphen", ["ce-a-b", "1"], '"a-b" is no attribute name'],
    ["a prototype", ["ce-__proto__", "1"], '"__proto__" is no attribute name'],
  ] as [string, [string, string], string][])("refuses %s", (_, header, problem) => {
    expect(() => read([...minimal, header])).toThrow(problem);
  });

  it("refuses JSON that is none, and text that is no UTF-8", () => {
    expect(() => read([...minimal, ["content-type", "application/json"]], "{")).toThrow("not JSON");
    const bytes = new Uint8Array([0xff]);
    expect(() => read([...minimal, ["content-type", "text/plain"]], bytes)).toThrow("not UTF-8");
  });
});
