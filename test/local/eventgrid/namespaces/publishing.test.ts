import { describe, expect, it } from "vitest";
import { cloudEvent } from "../../support/cloud.js";
import { startNamespace } from "./start-namespace.js";

const BINARY = {
  "ce-specversion": "1.0",
  "ce-id": "1",
  "ce-source": "/s",
  "ce-type": "t",
  "content-type": "application/json",
};

describe("publishing to a namespace topic", () => {
  it("writes events anew: sorted members, times in UTC, numbers with all their digits", async () => {
    const { publishOne, receive } = await startNamespace();
    const event =
      '{"type":"t","specversion":"1.0","source":"/s","id":"1","time":"2026-01-31T00:30:00.000-07:00",' +
      '"subject":null,"count":7,"data": {"Name":"x", "Age":12345678901234567890, "Nested":[{"b":1,"a":2}]}}';
    expect((await publishOne(event)).status).toBe(200);
    expect((await receive()).text).toContain(
      '"event":{"count":7,"data":{"Age":12345678901234567890,"Name":"x","Nested":[{"a":2,"b":1}]},' +
        '"id":"1","source":"/s","specversion":"1.0","time":"2026-01-31T07:30:00Z","type":"t"}',
    );
  });

  it("accepts a batch, and none of it if one event is invalid", async () => {
    const { publishAll, receive, queue } = await startNamespace();
    const [first, second] = [cloudEvent({ data: 1 }), cloudEvent({ id: "2", data: 2 })];
    expect((await publishAll([first, cloudEvent()])).status).toBe(400);
    expect(queue.counts?.waiting).toBe(0);
    expect((await publishAll([first, second])).status).toBe(200);
    const { value } = await receive("maxEvents=10");
    expect(value.map(({ event }) => event.id)).toEqual(["1", "2"]);
  });

  it("reads binary mode: decoded attributes from headers, JSON by its type", async () => {
    const { send, receive } = await startNamespace();
    const headers = { ...BINARY, "ce-subject": "caf%C3%A9" };
    expect((await send({ body: '{"b":1,"a":2}', headers })).status).toBe(200);
    expect((await receive()).value[0]?.event).toEqual({
      specversion: "1.0",
      id: "1",
      source: "/s",
      type: "t",
      subject: "café",
      datacontenttype: "application/json",
      data: { a: 2, b: 1 },
    });
    const text = { ...headers, "content-type": "text/plain" };
    expect((await send({ body: '"hello"', headers: text })).status).toBe(200);
    expect((await receive()).value[0]?.event).toMatchObject({ data: '"hello"' });
  });

  it.each([
    ['"a \\"b\\""', 'a "b"'],
    ["100%25%20%", "100% %"],
  ])("reads the header %s of binary mode", async (sent, subject) => {
    const { send, receive } = await startNamespace();
    const headers = { ...BINARY, "ce-subject": sent };
    expect((await send({ body: "{}", headers })).status).toBe(200);
    expect((await receive()).value[0]?.event).toMatchObject({ subject });
  });

  it.each<[string, object, string]>([
    ["no id", { id: undefined }, "`id` attribute is required"],
    ["no type", { type: undefined }, "`type` attribute is required"],
    ["no specversion", { specversion: undefined }, "`specversion` attribute is required"],
    ["both kinds of data", { data_base64: "AA==" }, "either 'data' or 'data_base64'"],
    ["an invalid time", { time: "yesterday" }, "RFC 3339 timestamp, not 'yesterday'"],
    ["a structured extension", { extra: {} }, "must be a string, a number or a boolean"],
  ])("refuses an event with %s", async (_, attributes, message) => {
    const { publish } = await startNamespace();
    const { status, error } = await publish({ ...attributes });
    expect(status).toBe(400);
    expect(error.message).toContain(message);
  });

  it("refuses what it cannot read", async () => {
    const { publishOne } = await startNamespace();
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const event = JSON.stringify(cloudEvent({ data: 0 })).replace('"data":0', `"data":${deep}`);
    for (const invalid of ["{", "[]", '"x"', event]) {
      expect((await publishOne(invalid)).status).toBe(400);
    }
  });
});
