import { describe, expect, it } from "vitest";
import { cloudEvent } from "../../support/cloud.js";
import { refusal, SINGLE, startNamespace } from "./start-namespace.js";

describe("publishing to a namespace topic", () => {
  it("accepts an event with the response of the service", async () => {
    const { publish } = await startNamespace();
    const response = await publish();
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.text()).toBe("{}");
  });

  it("writes events anew: sorted members, times in UTC, numbers with all their digits", async () => {
    const { call } = await startNamespace();
    const event =
      '{"type":"t","specversion":"1.0","source":"/s","id":"1","time":"2026-01-31T00:30:00.000-07:00",' +
      '"subject":null,"count":7,"data": {"Name":"x", "Age":12345678901234567890, "Nested":[{"b":1,"a":2}]}}';
    expect((await call("orders:publish", event, { "content-type": SINGLE })).status).toBe(200);
    const response = await call("orders/eventsubscriptions/shop:receive");
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await response.text()).toContain(
      '"event":{"count":7,"data":{"Age":12345678901234567890,"Name":"x","Nested":[{"a":2,"b":1}]},' +
        '"id":"1","source":"/s","specversion":"1.0","time":"2026-01-31T07:30:00Z","type":"t"}',
    );
  });

  it("accepts a batch, and none of it if one event is invalid", async () => {
    const { publishAll, receive, queue } = await startNamespace();
    const [first, second] = [cloudEvent({ data: 1 }), cloudEvent({ id: "2", data: 2 })];
    const invalid = await publishAll([first, cloudEvent()]);
    expect(await refusal(invalid)).toMatchObject({ status: 400 });
    expect(queue.counts?.waiting).toBe(0);
    expect((await publishAll([first, second])).status).toBe(200);
    expect((await receive()).map(({ event }) => event.id)).toEqual(["1", "2"]);
    expect((await publishAll(Array(1_001).fill(first))).status).toBe(400);
  });

  it("reads binary mode: attributes from headers, the data by its type", async () => {
    const { call, receive } = await startNamespace();
    const attributes = {
      "ce-specversion": "1.0",
      "ce-id": "1",
      "ce-source": "/s",
      "ce-type": "t",
      "ce-number": "101",
      "ce-subject": "caf%C3%A9",
    };
    const published = async (contentType: string, body: string | Uint8Array<ArrayBuffer>) => {
      const headers = { ...attributes, "content-type": contentType };
      expect((await call("orders:publish", body, headers)).status).toBe(200);
      const [received] = await receive();
      return received?.event;
    };
    expect(await published("application/json", '{"b":1,"a":2}')).toEqual({
      specversion: "1.0",
      id: "1",
      source: "/s",
      type: "t",
      number: "101",
      subject: "café",
      datacontenttype: "application/json",
      data: { a: 2, b: 1 },
    });
    expect(await published("application/problem+json", "[1]")).toMatchObject({ data: [1] });
    expect(await published("text/xml", "<a/>")).toMatchObject({ data: "<a/>" });
    expect(
      await published("application/customcontenttype", new Uint8Array([0, 1, 255])),
    ).toMatchObject({ data_base64: "AAH/" });
    const structured = JSON.stringify(cloudEvent({ id: "structured", data: 1 }));
    expect(await published(SINGLE, structured)).toMatchObject({ id: "structured" });
  });

  it.each<[string, object, string]>([
    ["no source", { source: undefined }, "`source` attribute is required"],
    ["no id", { id: undefined }, "`id` attribute is required"],
    ["no type", { type: undefined }, "`type` attribute is required"],
    ["no specversion", { specversion: undefined }, "`specversion` attribute is required"],
    ["no data", { data: undefined }, "'data' attribute is required"],
    ["both kinds of data", { data_base64: "AA==" }, "either 'data' or 'data_base64'"],
    ["another specversion", { specversion: "0.3" }, "must be '1.0', not '0.3'"],
    ["an invalid time", { time: "yesterday" }, "RFC 3339 timestamp, not 'yesterday'"],
    ["a long extension name", { aaaaaaaaaabbbbbbbbbbc: 1 }, "1 to 20 lower-case letters"],
    ["a structured extension", { extra: {} }, "must be a string, a number or a boolean"],
  ])("refuses an event with %s", async (_, attributes, message) => {
    const { publish } = await startNamespace();
    const refused = await refusal(await publish({ ...attributes }));
    expect(refused).toMatchObject({ status: 400, header: "BadRequest", code: "BadRequest" });
    expect(refused.message).toContain(message);
    expect(refused.error).toEqual({
      code: "BadRequest",
      message: expect.any(String),
      timestamp_utc: expect.stringMatching(/\.\d{9}\+00:00$/),
      tracking_id: expect.stringMatching(/^[\dA-F-]{36}$/),
    });
  });

  it("refuses what it cannot read", async () => {
    const { call, publish } = await startNamespace();
    const body = new Uint8Array([123]);
    expect(await refusal(await call("orders:publish", body))).toMatchObject({
      status: 400,
      message: "CONTENT-TYPE is not provided",
    });
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    const event = JSON.stringify(cloudEvent({ data: 0 })).replace('"data":0', `"data":${deep}`);
    for (const invalid of ["{", "[]", '"x"', event]) {
      const refused = await call("orders:publish", invalid, { "content-type": SINGLE });
      expect(refused.status).toBe(400);
    }
    expect((await publish({ data: "x".repeat(1024 * 1024) })).status).toBe(413);
  });

  it("answers 404 for an unknown topic before it reads the body", async () => {
    const { call } = await startNamespace();
    for (const path of ["x:publish", "x/eventsubscriptions/shop:receive?maxEvents=-20"]) {
      expect(await refusal(await call(path, "no JSON"))).toMatchObject({
        status: 404,
        header: "NotFound",
        message: "Topic 'x' is not found",
      });
    }
  });
});
