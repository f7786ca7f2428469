import { createPublisher, PublishError } from "cloud-eventgrid-binding-runtime/publisher";
import { describe, expect, it } from "vitest";
import { refused } from "../../../support/topic-server.js";
import { startTopic } from "../harness.js";
import { rejection } from "../rejection.js";

const topic = await startTopic();

const order = { type: "shop.order.placed", id: "a", data: { orderId: "17" } };
const publisher = () => createPublisher(topic.binding);

describe("a response that refuses the events", () => {
  it("rejects with the topic's error and the events", async () => {
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
    [401, "ERR_PUBLISH_UNAUTHORIZED"],
    [403, "ERR_PUBLISH_UNAUTHORIZED"],
    [404, "ERR_PUBLISH_REFUSED"],
    [405, "ERR_PUBLISH_REFUSED"],
    [413, "ERR_PUBLISH_REFUSED"],
    [415, "ERR_PUBLISH_REFUSED"],
  ])("is not retried if its status is %i", async (status, code) => {
    topic.answer = () => refused(status, "No", "never");
    const error = await rejection(publisher().create(order));

    expect(error).toMatchObject({ status, code, retryable: false });
    expect(topic.requests).toHaveLength(1);
  });

  it.each([
    [
      401,
      "accessKey",
      "Check that the access key or SAS token belongs to this topic and is valid, and that the topic accepts keys.",
    ],
    [
      401,
      "entra",
      "Check that the identity has the role EventGrid Data Sender on the topic, and that the credential's tenant is the topic's.",
    ],
    [403, "accessKey", "Check the topic's firewall, and whether it accepts access keys."],
    [
      403,
      "entra",
      "Check that the identity has the role EventGrid Data Sender on the topic, and the topic's firewall.",
    ],
    [404, "accessKey", "Check host and path of topicEndpoint."],
  ] as const)(
    "with %i to a publisher with %s says what to check",
    async (status, publishWith, advice) => {
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
    },
  );

  it("is not followed if it is a redirect, because that would send the key elsewhere", async () => {
    const { endpoint } = topic;
    topic.answer = () => ({ status: 307, headers: { location: `${endpoint}/elsewhere` } });

    expect(await rejection(publisher().create(order))).toMatchObject({ status: 307 });
    expect(topic.requests).toHaveLength(1);
  });

  it.each(["<html>Bad gateway</html>", "", '{"error":"text"}', "null", "[1]"])(
    "reports its status although the body (%s) is not an error of the service",
    async (body) => {
      topic.answer = () => ({ status: 404, body, headers: { "content-type": "application/json" } });

      expect(await rejection(publisher().create(order))).toMatchObject({
        status: 404,
        serviceCode: undefined,
        details: [],
      });
    },
  );
});
