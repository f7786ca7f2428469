import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cloudEvent, post, startShop } from "../../support/cloud.js";
import { BATCH, errorOf, SINGLE, startTopic } from "./start-topic.js";

it("an event may have 1,049,600 bytes, and a request 1,536,000", async () => {
  const { post } = await startTopic();
  const eventOf = (bytes: number) => {
    const frame = JSON.stringify(cloudEvent({ data: "" })).length;
    return JSON.stringify(cloudEvent({ data: "x".repeat(bytes - frame) }));
  };
  expect((await post(eventOf(1_049_600))).status).toBe(200);
  const batch = `[${eventOf(1_000_000)},${eventOf(535_997)}]`;
  expect((await post(batch, { "content-type": BATCH })).status).toBe(200);
});

describe("an invalid CloudEvent", () => {
  it.each<[string, unknown, string]>([
    ["null for an id", { id: null }, "'id' is missing or empty"],
    ["an empty source", { source: "" }, "'source' is missing or empty"],
    ["another specversion", { specversion: "0.3" }, "specversion must be '1.0', not '0.3'"],
    ["a number for a subject", { subject: 1 }, "'subject' must be a string"],
    [
      "a time that is not a timestamp",
      { time: "yesterday" },
      "RFC 3339 timestamp, not 'yesterday'",
    ],
    ["a day that does not exist", { time: "2026-13-41T00:00:00Z" }, "RFC 3339 timestamp"],
    ["a capital in an extension", { traceParent: "x" }, "the attribute name 'traceParent' must"],
    ["both payloads", { data: 1, data_base64: "AA==" }, "both data and data_base64"],
  ])("is answered with 400 for %s", async (_, attributes, message) => {
    const { topic, post } = await startTopic();
    const error = await errorOf(await post(JSON.stringify(cloudEvent(Object(attributes)))));
    expect(error).toMatchObject({
      status: 400,
      code: "BadRequest",
      message: expect.stringMatching(/^This resource is configured .* 'CloudEventV10' schema\./),
    });
    expect(error.message).toContain(message);
    expect(topic.events()).toEqual([]);
  });

  it.each<[string, string, string | Uint8Array<ArrayBuffer>]>([
    ["text that is no JSON", SINGLE, "{"],
    ["bytes that are no UTF-8", SINGLE, new Uint8Array([0x22, 0xff, 0x22])],
    ["an array of something else", BATCH, "[1]"],
  ])("is answered with 400 for %s", async (_, contentType, body) => {
    const { post } = await startTopic();
    const error = await errorOf(await post(body, { "content-type": contentType }));
    expect(error).toMatchObject({ status: 400, code: "BadRequest" });
  });

  it("makes the topic refuse the whole array", async () => {
    const { topic, post } = await startTopic();
    const body = JSON.stringify([cloudEvent(), cloudEvent({ id: "" })]);
    const error = await errorOf(await post(body, { "content-type": BATCH }));
    expect(error.message).toContain("The event at index 1 is invalid");
    expect(topic.events()).toEqual([]);
  });

  it("does not include an empty array", async () => {
    const { post } = await startTopic();
    expect((await post("[]", { "content-type": BATCH })).status).toBe(200);
  });
});

describe("the texts of published events", () => {
  it("are delivered unchanged, with any content and white space", async () => {
    const { cloud, webhook, topic } = await startShop();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.json(), { minLength: 1, maxLength: 4 }),
        fc.constantFrom("", " ", "\n\t"),
        async (payloads, space) => {
          await cloud.reset();
          webhook.requests.length = 0;
          const texts = payloads.map(
            (data, index) =>
              `{${space}"specversion":"1.0","id":"${index}","source":"[{,","type":"a\\"]}",${space}"data":${data}}`,
          );
          const response = await post(
            topic,
            `${space}[${space}${texts.join(`${space},${space}`)}${space}]${space}`,
            BATCH,
          );
          expect(response.status).toBe(200);
          await cloud.drain();
          expect(webhook.deliveries.map(({ body }) => body).sort()).toEqual(texts.sort());
        },
      ),
      { numRuns: 40 },
    );
  });
});
