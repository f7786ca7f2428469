import { createPublisher, type PublisherOptions } from "cloud-eventgrid-binding-runtime/publisher";
import { describe, expect, it } from "vitest";
import { TopicServer } from "../../support/topic-server.js";
import { rejection } from "./rejection.js";

const binding = { topicEndpoint: "https://t.example.com/api/events", accessKey: "key" } as const;

describe("the binding", () => {
  it("tells everything that is missing or wrong at once, and no secret", () => {
    const wrong = { topicEndpoint: "http://example.com", accessKey: "se cret", name: "a b" };
    expect(() => createPublisher(wrong)).toThrow(
      expect.objectContaining({
        code: "ERR_BINDING_CONFIGURATION",
        problems: [
          expect.objectContaining({ field: "topicEndpoint", rule: "loopback-or-https-url" }),
          expect.objectContaining({ field: "accessKey", rule: "secret" }),
          expect.objectContaining({ field: "name", rule: "text" }),
        ],
      }),
    );
    expect(() => createPublisher(wrong)).not.toThrow("se cret");
  });

  it("may be the whole definition of both halves", () => {
    const publisher = createPublisher({
      ...binding,
      direction: "input, output" as const,
      cloudTenantId: "11111111-1111-4111-8111-111111111111",
      cloudSubscriptionId: "22222222-2222-4222-8222-222222222222",
      cloudClientId: "33333333-3333-4333-8333-333333333333",
      subscriberEndpoint: "https://orders.example.com/api/events",
      handshakePort: "9000",
      scope: "/subscriptions/22222222-2222-4222-8222-222222222222",
    });
    expect(publisher.operations).toEqual(["create"]);
  });

  it("without a path in its endpoint means the path that Azure's topics have", async () => {
    const topic = await TopicServer.start();
    const topicEndpoint = `http://127.0.0.1:${topic.port}`;
    await createPublisher({ ...topic.binding, topicEndpoint }).create({ type: "t", data: 1 });
    expect(topic.requests[0]?.url).toBe("/api/events?api-version=2018-01-01");
    await topic.stop();
  });
});

/** A signal that nobody can stop listening to. */
function unheard(): AbortSignal {
  const { signal } = new AbortController();
  return Object.defineProperty(signal, "removeEventListener", { value: undefined });
}

describe("the options of a call", () => {
  it.each([
    [{ timeoutMs: Number.POSITIVE_INFINITY }, "timeoutMs is Infinity: it must be a positive whole"],
    [{ timeoutMs: 2 ** 33 }, "timeoutMs is 8589934592: it must be from 1 to 2147483647"],
    [{ timeoutMs: Number.NaN }, "timeoutMs is NaN: it must be a positive whole number"],
    [{ timeoutMs: 0 }, "timeoutMs is 0: it must be a positive whole number"],
    [{ timeoutMs: -1 }, "timeoutMs is -1: it must be a positive whole number"],
    [JSON.parse('{"timeoutMs":null}'), "timeoutMs is null: it must be a positive whole number"],
    [JSON.parse('{"timeoutMs":"5000"}'), 'timeoutMs is "5000": it must be a positive whole number'],
    [JSON.parse('{"signal":{}}'), "signal must be an AbortSignal"],
    [{ signal: unheard() }, "signal must be an AbortSignal"],
    [
      JSON.parse('{"timeoutMs":0,"signal":1}'),
      "timeoutMs is 0: it must be a positive whole number; signal must be an AbortSignal",
    ],
    [JSON.parse("5000"), "the call's options must be an object, such as { timeoutMs: 5000 }"],
  ])("%j are checked as the publisher's are", async (options, message) => {
    const topic = await TopicServer.start();
    const create = createPublisher(topic.binding).create({ type: "t", id: "a" }, options);
    const error = await rejection(create);
    expect(error).toMatchObject({
      code: "ERR_PUBLISH_OPTIONS",
      retryable: false,
      events: [{ index: 0, id: "a", type: "t", mayHaveArrived: false }],
    });
    expect(error.message).toContain(`nothing was sent: ${message}`);
    expect(topic.requests).toEqual([]);
    await topic.stop();
  });
});

describe("the options", () => {
  it.each<[PublisherOptions, string]>([
    [{ timeoutMs: 0 }, "timeoutMs is 0: it must be a positive whole number"],
    [
      { attemptTimeoutMs: Number.NaN },
      "attemptTimeoutMs is NaN: it must be a positive whole number",
    ],
    [{ timeoutMs: 2 ** 31 }, "timeoutMs is 2147483648: it must be from 1 to 2147483647"],
    [{ retry: { attempts: 0 } }, "retry.attempts is 0: it must be a positive whole number"],
    [{ retry: { firstDelayMs: -1 } }, "retry.firstDelayMs is -1: it must be from 0 to"],
    [
      JSON.parse('{"retry":{"firstDelayMs":"250"}}'),
      'retry.firstDelayMs is "250": it must be from',
    ],
    [
      JSON.parse('{"retry":{"attempts":"5"}}'),
      'retry.attempts is "5": it must be a positive whole',
    ],
    [
      { batching: { requests: 1.5 } },
      "batching.requests is 1.5: it must be a positive whole number",
    ],
    [{ batching: { lingerMs: -5 } }, "batching.lingerMs is -5: it must be from 0 to"],
    [
      { limits: { requestBytes: 10 } },
      "limits.requestBytes is 10: an event of limits.eventBytes, 1049600, would not fit",
    ],
    [{ queue: { events: 0 } }, "queue.events is 0: it must be a positive whole number"],
    [
      { queue: { whenFull: JSON.parse('"drop"') } },
      'queue.whenFull is "drop": it must be "wait" or "fail"',
    ],
    ...["limits", "batching", "retry", "queue", "client", "telemetry"].flatMap(
      (name): [PublisherOptions, string][] => [
        [JSON.parse(`{"${name}":null}`), `${name} is null: it must be an object`],
        [JSON.parse(`{"${name}":5}`), `${name} is 5: it must be an object`],
      ],
    ),
    [{ source: "a b" }, 'source is "a b", not a URI reference'],
  ])("%j", (options, message) => {
    expect(() => createPublisher(binding, options)).toThrow(message);
  });

  it("are told once each", () => {
    expect(() => createPublisher(binding, { timeoutMs: -1 })).toThrow(
      expect.objectContaining({
        problems: ["timeoutMs is -1: it must be a positive whole number"],
      }),
    );
  });

  it("are told all at once", () => {
    expect(() =>
      createPublisher(binding, { timeoutMs: -1, retry: { attempts: 0 }, source: "" }),
    ).toThrow(
      expect.objectContaining({
        code: "ERR_PUBLISHER_CONFIGURATION",
        problems: expect.arrayContaining([
          expect.stringContaining("timeoutMs"),
          expect.stringContaining("retry.attempts"),
          expect.stringContaining("source"),
        ]),
      }),
    );
  });

  it("of the SDK's client reach it", async () => {
    const topic = await TopicServer.start();
    const publisher = createPublisher(topic.binding, {
      client: {
        userAgentOptions: { userAgentPrefix: "shop/1" },
        additionalPolicies: [
          {
            position: "perRetry",
            policy: {
              name: "ownHeader",
              sendRequest(request, next) {
                request.headers.set("x-own", `${request.headers.get("content-length")}`);
                return next(request);
              },
            },
          },
        ],
      },
    });
    await publisher.create({ type: "t", source: "s", data: 1 });
    const { headers, body } = topic.requests[0] ?? {};
    expect(headers?.["user-agent"]).toMatch(/^shop\/1 azsdk-js-eventgrid\//);
    expect(headers?.["x-own"]).toBe(String(body?.length));
    await topic.stop();
  });
});
