import { describe, expect, it } from "vitest";
import { startService } from "../service.js";

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

async function receive(init: { headers: Record<string, string>; body?: string }) {
  const { issuer, url, handled } = await startService();
  const response = await fetch(url, {
    method: "POST",
    ...init,
    headers: { ...init.headers, authorization: `Bearer ${await issuer.token()}` },
  });
  return { status: response.status, event: handled[0]?.event };
}

function asHeaders(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`ce-${name}`, value]));
}

describe("a CloudEvent over HTTP", () => {
  it("is read in binary mode with JSON data", async () => {
    const { status, event } = await receive({
      headers: { ...asHeaders(attributes), "content-type": "application/json" },
      body: '{"message":"Hello World!"}',
    });
    expect(status).toBe(200);
    expect(event).toEqual({
      ...attributes,
      datacontenttype: "application/json",
      data: { message: "Hello World!" },
    });
  });

  it("is read in binary mode with text and XML data", async () => {
    for (const type of ["text/plain", "text/xml"]) {
      const { status, event } = await receive({
        headers: { ...asHeaders(attributes), "content-type": type },
        body: '<much wow="xml"/>',
      });
      expect(status).toBe(200);
      expect(event?.data).toBe('<much wow="xml"/>');
    }
  });

  it("is read in binary mode with extensions", async () => {
    const extensions = { extension1: "value1", extension2: "value2" };
    const { status, event } = await receive({
      headers: {
        ...asHeaders({ ...attributes, ...extensions }),
        "content-type": "application/json",
      },
      body: "null",
    });
    expect(status).toBe(200);
    expect(event).toMatchObject({ ...extensions, data: null });
  });

  it("is read in binary mode without a body", async () => {
    const { status, event } = await receive({ headers: asHeaders(attributes) });
    expect(status).toBe(200);
    expect(event).toEqual(attributes);
  });

  it("is read in structured mode with JSON data", async () => {
    const sent = {
      ...attributes,
      datacontenttype: "application/json",
      data: { message: "Hello World!" },
    };
    for (const type of [
      "application/cloudevents+json",
      "application/cloudevents+json; charset=utf-8",
      "application/cloudevents+json; charset=UTF-8",
      "Application/CloudEvents+JSON",
    ]) {
      const { status, event } = await receive({
        headers: { "content-type": type, "content-encoding": "Identity" },
        body: JSON.stringify(sent),
      });
      expect([type, status]).toEqual([type, 200]);
      expect(event).toEqual(sent);
    }
  });

  it("is read in structured mode with binary data", async () => {
    const { event } = await receive({
      headers: { "content-type": "application/cloudevents+json" },
      body: JSON.stringify({ ...attributes, data_base64: "AQIDBA==" }),
    });
    expect(event).toEqual({ ...attributes, data: new Uint8Array([1, 2, 3, 4]) });
  });

  it("is read in structured mode even if it has headers of binary mode", async () => {
    const { event } = await receive({
      headers: {
        "content-type": "application/cloudevents+json",
        "ce-specversion": "1.0",
        "ce-id": "x",
      },
      body: JSON.stringify(attributes),
    });
    expect(event).toEqual(attributes);
  });

  it.each(["specversion", "id", "source", "type"])(
    "gets 400 without %s in either mode",
    async (name) => {
      const { [name]: _, ...rest } = attributes as Record<string, string>;
      const structured = await receive({
        headers: { "content-type": "application/cloudevents+json" },
        body: JSON.stringify(rest),
      });
      expect(structured).toEqual({ status: 400, event: undefined });
      const binary = await receive({
        headers: { ...asHeaders(rest), "content-type": "text/plain" },
        body: "x",
      });
      // Without ce-specversion nothing says that it is an event at all.
      expect(binary).toEqual({ status: name === "specversion" ? 415 : 400, event: undefined });
    },
  );
});
