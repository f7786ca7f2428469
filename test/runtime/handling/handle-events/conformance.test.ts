import { expect, it } from "vitest";
import { startService } from "../../listener/service.js";

/** The scenarios of the conformance suite for CloudEvents over HTTP, through the whole listener. */
const attributes = {
  specversion: "1.0",
  id: "4321-4321-4321-a",
  type: "mytype",
  source: "https://example.com/source",
  subject: "mysubject",
  time: "2018-04-05T17:31:00Z",
  dataschema: "https://example.com/schema",
};
const extensions = { extension1: "value1", extension2: "value2" };
const structured = "application/cloudevents+json";
const json = { datacontenttype: "application/json", data: { message: "Hello World!" } };
const xml = '<much wow="xml"/>';

function asHeaders(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`ce-${name}`, value]));
}

async function receive(type: string | undefined, given: Record<string, string>, body = "") {
  const { issuer, url, handled } = await startService();
  const headers = new Headers({ ...given, authorization: `Bearer ${await issuer.token()}` });
  if (type !== undefined) headers.set("content-type", type);
  const { status } = await fetch(url, { method: "POST", headers, body: Buffer.from(body) });
  return { status, event: handled[0]?.event };
}

it.each<[string, type: string | undefined, headers: object, body: string, more: object]>([
  [
    "in binary mode with JSON data",
    "application/json",
    attributes,
    JSON.stringify(json.data),
    json,
  ],
  ["in binary mode with text", "text/plain", attributes, xml, { data: xml }],
  ["in binary mode with XML", "text/xml", attributes, xml, { data: xml }],
  [
    "in binary mode with extensions",
    "application/json",
    { ...attributes, ...extensions },
    "null",
    { ...extensions, data: null },
  ],
  ["in binary mode without a body", undefined, attributes, "", {}],
])("reads an event %s", async (_, type, headers, body, more) => {
  const { status, event } = await receive(type, asHeaders({ ...headers }), body);
  expect(status).toBe(200);
  expect(event).toMatchObject({ ...attributes, ...more });
  if (!("data" in more)) expect(event).not.toHaveProperty("data");
});

it.each<[string, type: string, headers: Record<string, string>, body: object, event: object]>([
  ["with JSON data", structured, {}, json, json],
  ["with a charset", `${structured}; charset=utf-8`, {}, json, json],
  ["with a charset in capitals", `${structured}; charset=UTF-8`, {}, json, json],
  ["of a type in capitals", "Application/CloudEvents+JSON", {}, json, json],
  ["of the encoding identity", structured, { "content-encoding": "Identity" }, json, json],
  ["with binary data", structured, {}, { data_base64: "AQI=" }, { data: new Uint8Array([1, 2]) }],
  ["with headers of binary mode", structured, asHeaders({ specversion: "1.0", id: "x" }), {}, {}],
])("reads an event in structured mode %s", async (_, type, headers, body, event) => {
  const sent = JSON.stringify({ ...attributes, ...body });
  expect(await receive(type, headers, sent)).toEqual({
    status: 200,
    event: { ...attributes, ...event },
  });
});

it.each(["specversion", "id", "source", "type"])(
  "gives 400 without %s in either mode",
  async (name) => {
    const { [name]: _, ...rest } = attributes as Record<string, string>;
    const refused = { status: 400, event: undefined };
    expect(await receive(structured, {}, JSON.stringify(rest))).toEqual(refused);
    // Without ce-specversion nothing says that it is an event at all.
    const status = name === "specversion" ? 415 : 400;
    expect(await receive("text/plain", asHeaders(rest), "x")).toEqual({ ...refused, status });
  },
);
