import { createPublisher, PublishError } from "cloud-eventgrid-binding-runtime/publisher";
import { describe, expect, it } from "vitest";
import { refused } from "../../support/topic-server.js";
import { startTopic } from "./harness.js";
import { rejection } from "./rejection.js";

const topic = await startTopic();

const order = { type: "shop.order.placed", id: "a", data: { orderId: "17" } };
const publisher = () => createPublisher(topic.binding);

describe("an answer that refuses", () => {
  it("rejects with what the topic said, and with the events", async () => {
    topic.answer = () => ({
      status: 400,
      headers: { "x-ms-request-id": "request-1" },
      body: JSON.stringify({
        error: {
          code: "BadRequest",
          message: "This resource is configured for another schema.",
          details: [{ code: "InputJsonInvalid", message: "schema" }],
        },
      }),
    });
    const error = await rejection(publisher().create([order, { ...order, id: "b" }]));

    expect(error).toBeInstanceOf(PublishError);
    expect(error).toMatchObject({
      code: "ERR_PUBLISH_REFUSED",
      status: 400,
      serviceCode: "BadRequest",
      details: [{ code: "InputJsonInvalid", message: "schema" }],
      requestId: "request-1",
      retryable: false,
      accepted: [],
      events: [
        { index: 0, id: "a", type: "shop.order.placed", mayHaveArrived: false },
        { index: 1, id: "b", type: "shop.order.placed", mayHaveArrived: false },
      ],
    });
    expect(error.message).toBe(
      `[POST] "${topic.endpoint}": 400 BadRequest: This resource is configured for another schema.`,
    );
  });

  it.each([
    [400, "ERR_PUBLISH_REFUSED"],
    [403, "ERR_PUBLISH_UNAUTHORIZED"],
    [404, "ERR_PUBLISH_REFUSED"],
    [405, "ERR_PUBLISH_REFUSED"],
    [413, "ERR_PUBLISH_REFUSED"],
    [415, "ERR_PUBLISH_REFUSED"],
  ])("%i is not retried", async (status, code) => {
    topic.answer = () => refused(status, "No", "never");
    const error = await rejection(publisher().create(order));

    expect(error).toMatchObject({ status, code, retryable: false });
    expect(topic.requests).toHaveLength(1);
  });

  it("401 is not retried with a key that cannot change", async () => {
    topic.answer = () => refused(401, "Unauthorized", "unknown key");

    expect(await rejection(publisher().create(order))).toMatchObject({
      status: 401,
      code: "ERR_PUBLISH_UNAUTHORIZED",
      retryable: false,
    });
    expect(topic.requests).toHaveLength(1);
  });

  it.each([
    [
      401,
      "accessKey",
      "Check accessKey (or sasToken): is it this topic's, is it still valid, and does the topic take keys?",
    ],
    [401, "entra", "Check the credential: is its tenant the topic's?"],
    [403, "accessKey", "Check the topic's firewall, and whether it takes access keys."],
    [
      403,
      "entra",
      "Check that the identity has the role EventGrid Data Sender on the topic, and the topic's firewall.",
    ],
    [404, "accessKey", "Check topicEndpoint: host and path."],
  ] as const)("%i with %s says what to check", async (status, publishWith, advice) => {
    topic.answer = () => refused(status, "No", "see the forums");
    const token = { token: "t", expiresOnTimestamp: Date.now() + 3_600_000 };
    const error = await rejection(
      createPublisher(
        { ...topic.binding, publishWith },
        publishWith === "entra" ? { credential: { getToken: async () => token } } : {},
      ).create(order),
    );
    expect(error.message).toBe(
      `[POST] "${topic.endpoint}": ${status} No: see the forums. ${advice}`,
    );
  });

  it.each([201, 202, 204])(
    "%i is no acceptance: Event Grid accepts with 200 only",
    async (status) => {
      topic.answer = () => ({ status });

      expect(await rejection(publisher().create(order))).toMatchObject({
        status,
        retryable: false,
      });
    },
  );

  it("a redirect is not followed, for it would take the key along", async () => {
    const { endpoint } = topic;
    topic.answer = () => ({ status: 307, headers: { location: `${endpoint}/elsewhere` } });

    expect(await rejection(publisher().create(order))).toMatchObject({ status: 307 });
    expect(topic.requests).toHaveLength(1);
  });

  it.each(["<html>Bad gateway</html>", "", '{"error":"text"}', "null", "[1]"])(
    "a body that is no error of the service (%s) does not hide the status",
    async (body) => {
      topic.answer = () => ({ status: 404, body, headers: { "content-type": "application/json" } });

      expect(await rejection(publisher().create(order))).toMatchObject({
        status: 404,
        serviceCode: undefined,
        details: [],
      });
    },
  );

  it("a 200 accepts whatever stands in its body", async () => {
    topic.answer = () => ({
      status: 200,
      body: "{not json",
      headers: { "content-type": "application/json" },
    });

    expect(await publisher().create(order)).toEqual(["a"]);
  });
});

describe("an error", () => {
  it("shows neither the key nor the endpoint's query, whichever way it is written", async () => {
    topic.answer = () => "reset";
    const publisher = createPublisher(
      { ...topic.binding, topicEndpoint: `${topic.endpoint}?secret=query` },
      { retry: { attempts: 1 } },
    );
    const error = await rejection(publisher.create(order));

    const { inspect } = await import("node:util");
    const written = [
      inspect(error, { depth: 20, showHidden: true }),
      JSON.stringify(error),
      error.stack,
    ];
    expect(written.join()).not.toMatch(/the\+access\+key|secret=query/);
  });
});
