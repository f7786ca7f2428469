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
          expect.objectContaining({ field: "name", rule: "name" }),
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
  const range = "it must be a number from 1 to 2147483647";
  it.each([
    [{ timeoutMs: Number.POSITIVE_INFINITY }, `timeoutMs is Infinity: ${range}`],
    [{ timeoutMs: 2 ** 33 }, `timeoutMs is 8589934592: ${range}`],
    [{ timeoutMs: Number.NaN }, `timeoutMs is NaN: ${range}`],
    [{ timeoutMs: 0 }, `timeoutMs is 0: ${range}`],
    [{ timeoutMs: -1 }, `timeoutMs is -1: ${range}`],
    [JSON.parse('{"timeoutMs":null}'), `timeoutMs is null: ${range}`],
    [JSON.parse('{"timeoutMs":"5000"}'), `timeoutMs is "5000": ${range}`],
    [JSON.parse('{"signal":{}}'), "signal is an object: it must be an AbortSignal"],
    [{ signal: unheard() }, "signal is an object: it must be an AbortSignal"],
    [
      JSON.parse('{"timeoutMS":5,"timeoutMs":0,"signal":1}'),
      `timeoutMS is unknown: did you mean timeoutMs?; timeoutMs is 0: ${range}; signal is 1: it must be an AbortSignal`,
    ],
    [JSON.parse("5000"), "the options must be an object"],
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

  it("may be null, as JSON writes what is not there", async () => {
    const topic = await TopicServer.start();
    const create = createPublisher(topic.binding).create(
      { type: "t", id: "a" },
      JSON.parse("null"),
    );
    expect(await create).toEqual(["a"]);
    await topic.stop();
  });
});

describe("the options", () => {
  it.each<[PublisherOptions, string]>([
    [{ timeoutMs: 0 }, "timeoutMs is 0: it must be a number from 1 to 2147483647"],
    [{ attemptTimeoutMs: Number.NaN }, "attemptTimeoutMs is NaN: it must be a number from 1 to"],
    [{ timeoutMs: 2 ** 31 }, "timeoutMs is 2147483648: it must be a number from 1 to 2147483647"],
    [{ retry: { attempts: 0 } }, "retry.attempts is 0: it must be a positive whole number"],
    [{ retry: { firstDelayMs: -1 } }, "retry.firstDelayMs is -1: it must be a number from 0 to"],
    [
      JSON.parse('{"retry":{"firstDelayMs":"250"}}'),
      'retry.firstDelayMs is "250": it must be a number',
    ],
    [
      JSON.parse('{"retry":{"attempts":"5"}}'),
      'retry.attempts is "5": it must be a positive whole',
    ],
    [
      { batching: { requests: 1.5 } },
      "batching.requests is 1.5: it must be a positive whole number",
    ],
    [{ batching: { lingerMs: -5 } }, "batching.lingerMs is -5: it must be a number from 0 to"],
    [
      { limits: { requestBytes: 10 } },
      "limits.requestBytes is 10: an event of limits.eventBytes, 1049600, would not fit",
    ],
    [{ queue: { events: 0 } }, "queue.events is 0: it must be a positive whole number"],
    [
      { queue: { whenFull: JSON.parse('"drop"') } },
      'queue.whenFull is "drop": it must be one of "wait", "fail"',
    ],
    ...["limits", "batching", "retry", "queue", "client", "telemetry"].flatMap(
      (name): [PublisherOptions, string][] => [
        [JSON.parse(`{"${name}":null}`), `${name} is null: it must be an object`],
        [JSON.parse(`{"${name}":5}`), `${name} is 5: it must be an object`],
      ],
    ),
    [{ source: "a b" }, 'source is "a b", not a URI reference'],
    [
      JSON.parse('{"events":{}}'),
      "events is an object: it must be a catalogue made by defineEvents",
    ],
    [JSON.parse('{"checkPayloads":"no"}'), 'checkPayloads is "no": it must be true or false'],
    [JSON.parse('{"clock":{}}'), "clock is an object: it must be a clock"],
    [JSON.parse('{"random":0}'), "random is 0: it must be a function"],
    [JSON.parse('{"newId":"1"}'), 'newId is "1": it must be a function'],
    [
      JSON.parse('{"client":{"additionalPolicies":{}}}'),
      "client.additionalPolicies is an object: it must be a list of policies",
    ],
    [
      JSON.parse('{"client":{"httpClient":{}}}'),
      "client.httpClient is an object: it must be an HTTP client",
    ],
    [
      JSON.parse('{"telemetry":{"meterProvider":{}}}'),
      "telemetry.meterProvider is an object: it must be a meter provider of OpenTelemetry",
    ],
    [
      JSON.parse('{"telemetry":{"tracerProvider":{}}}'),
      "telemetry.tracerProvider is an object: it must be a tracer provider of OpenTelemetry",
    ],
    [JSON.parse("null"), "the options must be an object"],
  ])("%j", (options, message) => {
    expect(() => createPublisher(binding, options)).toThrow(
      expect.objectContaining({
        code: "ERR_PUBLISHER_CONFIGURATION",
        message: expect.stringContaining(message),
      }),
    );
  });

  it("are not shown where a key stands in their place", () => {
    const key = JSON.parse('"a-key"');
    expect(() => createPublisher(binding, key)).toThrow("the options must be an object");
    expect(() => createPublisher(binding, key)).not.toThrow("a-key");
  });

  it("name no source where the binding's name is to be it, and cannot", () => {
    const named = { ...binding, name: "<orders>" };
    expect(() => createPublisher(named)).toThrow('source is "<orders>", not a URI reference');
    expect(createPublisher(named, { source: "/shop" }).operations).toEqual(["create"]);
  });

  it("that are misspelt are told, whatever they are in; others are left to who reads them", () => {
    const options: object = {
      acessKey: "a-key",
      timeoutms: 5,
      retry: { attempt: 3, jitter: true },
      client: { additionalPolices: [], retryOptions: {} },
      telemetry: { meterprovider: {} },
      retries: 3,
      Source: undefined,
      get others() {
        throw new Error("is not read");
      },
    };
    expect(() => createPublisher(binding, options)).toThrow(
      expect.objectContaining({
        problems: [
          "acessKey is unknown: did you mean accessKey?",
          "timeoutms is unknown: did you mean timeoutMs?",
          "retry.attempt is unknown: did you mean attempts?",
          "client.additionalPolices is unknown: did you mean additionalPolicies?",
          "telemetry.meterprovider is unknown: did you mean meterProvider?",
        ],
      }),
    );
  });

  it("are told once each", () => {
    expect(() => createPublisher(binding, { timeoutMs: -1 })).toThrow(
      expect.objectContaining({
        problems: ["timeoutMs is -1: it must be a number from 1 to 2147483647"],
      }),
    );
  });

  it("are told all at once: kinds, numbers, relations, credentials, and the binding", () => {
    const options: object = {
      timeoutMs: -1,
      retry: { attempts: 0 },
      batching: 5,
      limits: { requestBytes: 10 },
      source: "",
      telemetry: { meterProvider: {} },
      accessKey: "se cret",
      sasToken: 5,
    };
    const make = () => createPublisher({ topicEndpoint: "http://example.com" }, options);
    expect(make).toThrow(
      expect.objectContaining({
        code: "ERR_PUBLISHER_CONFIGURATION",
        problems: [
          expect.stringContaining("topicEndpoint must be an https URL"),
          "accessKey is empty or has white space in it (its value is not shown)",
          "sasToken must be a string, or a function that gives one",
          "source is empty",
          "timeoutMs is -1: it must be a number from 1 to 2147483647",
          "retry.attempts is 0: it must be a positive whole number",
          "batching is 5: it must be an object of settings",
          "telemetry.meterProvider is an object: it must be a meter provider of OpenTelemetry",
          "accessKey and sasToken are given: keep one of them",
          expect.stringContaining("limits.requestBytes is 10: an event of limits.eventBytes"),
        ],
      }),
    );
    expect(make).not.toThrow("se cret");
  });

  it("are looked at without a binding, too", () => {
    expect(() => Reflect.apply(createPublisher, undefined, [])).toThrow(
      expect.objectContaining({
        problems: [
          "topicEndpoint is required to publish events",
          "the topic's accessKey is missing: in the binding, or as an option",
        ],
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
