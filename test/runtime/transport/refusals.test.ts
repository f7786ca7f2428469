import { createPublisher, PublishError } from "cloud-eventgrid-binding-runtime";
import { describe, expect, it } from "vitest";
import { refused } from "../../support/topic-server.js";
import { answersInOrder, startTopic } from "../publisher/harness.js";
import { rejection } from "../publisher/rejection.js";

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
    [201, "ERR_PUBLISH_REFUSED", false, true],
    [202, "ERR_PUBLISH_REFUSED", false, true],
    [301, "ERR_PUBLISH_REFUSED", false, false],
    [400, "ERR_PUBLISH_REFUSED", false, false],
    [401, "ERR_PUBLISH_UNAUTHORIZED", false, false],
    [403, "ERR_PUBLISH_UNAUTHORIZED", false, false],
    [404, "ERR_PUBLISH_REFUSED", false, false],
    [408, "ERR_PUBLISH_UNAVAILABLE", true, true],
    [413, "ERR_PUBLISH_REFUSED", false, false],
    [429, "ERR_PUBLISH_UNAVAILABLE", true, false],
    [500, "ERR_PUBLISH_UNAVAILABLE", true, true],
    [504, "ERR_PUBLISH_UNAVAILABLE", true, true],
  ])(
    "has, for the status %i, the code %s; may be retried: %s, may have arrived: %s",
    async (status, code, retryable, mayHaveArrived) => {
      topic.answer = () => ({ status });
      const retry = { attempts: 2, firstDelayMs: 0 };
      const error = await rejection(createPublisher(topic.binding, { retry }).create(order));

      expect(error).toMatchObject({ status, code, retryable, events: [{ mayHaveArrived }] });
      expect(topic.requests).toHaveLength(retryable ? 2 : 1);
    },
  );

  const SENDER = "Check that the identity has the role EventGrid Data Sender on the";
  it.each([
    [
      401,
      "topic",
      "accessKey",
      "Check that the access key or SAS token belongs to this topic and is valid, and that the topic accepts keys.",
    ],
    [401, "topic", "entra", `${SENDER} topic, and that the credential's tenant is the topic's.`],
    [403, "topic", "accessKey", "Check the topic's firewall, and whether it accepts access keys."],
    [403, "topic", "entra", `${SENDER} topic, and the topic's firewall.`],
    [404, "topic", "accessKey", "Check host and path of topicEndpoint."],
    [
      401,
      "namespace",
      "accessKey",
      "Check that the access key or SAS token belongs to this namespace or topic and is valid.",
    ],
    [
      401,
      "namespace",
      "entra",
      `${SENDER} namespace, and that the credential's tenant is the namespace's.`,
    ],
    [403, "namespace", "accessKey", "Check the network rules of the namespace."],
    [403, "namespace", "entra", `${SENDER} namespace, and the network rules of the namespace.`],
  ] as const)(
    "with %i from a %s to a publisher with %s says what to check",
    async (status, kind, publishWith, advice) => {
      topic.answer = () => refused(status, "No", "see the forums");
      const { origin } = new URL(topic.endpoint);
      const { accessKey } = topic.binding;
      const [binding, url] =
        kind === "topic"
          ? [topic.binding, topic.endpoint]
          : [
              { namespaceEndpoint: `${origin}/`, topicName: "orders", accessKey },
              `${origin}/topics/orders:publish`,
            ];
      const token = { token: "t", expiresOnTimestamp: Date.now() + 3_600_000 };
      const credential = { getToken: async () => token };
      const options = publishWith === "entra" ? { credential } : {};
      const publisher = createPublisher({ ...binding, publishWith }, { ...options, source: "/s" });
      const error = await rejection(publisher.create(order));
      expect(error.message).toBe(`[POST] "${url}": ${status} No: see the forums. ${advice}`);
    },
  );

  it("leaves open what arrived with an earlier attempt", async () => {
    answersInOrder(topic, refused(503, "Busy", "busy"), refused(403, "No", "no"));
    const retry = { attempts: 2, firstDelayMs: 0 };
    const created = createPublisher(topic.binding, { retry }).create(order);
    expect(await rejection(created)).toMatchObject({
      status: 403,
      events: [{ mayHaveArrived: true }],
    });
  });

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
