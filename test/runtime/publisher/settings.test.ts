import { inspect } from "node:util";
import { AzureKeyCredential } from "@azure/eventgrid";
import {
  createPublisher,
  type OutputRuntimeBinding,
  type PublisherOptions,
} from "cloud-eventgrid-binding-runtime";
import { describe, expect, it } from "vitest";
import { errorOf } from "../binding/problems.js";
import { startTopic } from "./harness.js";
import { rejection } from "./rejection.js";

const topic = await startTopic();
const binding = { topicEndpoint: "https://t.example.com/api/events", accessKey: "key" } as const;
const keyless = { topicEndpoint: binding.topicEndpoint };
const tokens = { getToken: async () => null };
/** Options that the compiler would not accept. */
const untyped = (options: object): PublisherOptions => options;

describe("createPublisher", () => {
  it("accepts a definition with both halves", () => {
    const props = {
      ...binding,
      direction: "input, output" as const,
      cloudTenantId: "11111111-1111-4111-8111-111111111111",
      cloudSubscriptionId: "22222222-2222-4222-8222-222222222222",
      cloudClientId: "33333333-3333-4333-8333-333333333333",
      subscriberEndpoint: "https://orders.example.com/api/events",
      handshakePort: "9000",
      scope: "/subscriptions/22222222-2222-4222-8222-222222222222",
    };
    expect(createPublisher(props).operations).toEqual(["create"]);
  });

  it("adds the path of Azure's topics to an endpoint without one", async () => {
    const topicEndpoint = `http://127.0.0.1:${topic.port}`;
    await createPublisher({ ...topic.binding, topicEndpoint }).create({ type: "t", data: 1 });
    expect(topic.requests[0]?.url).toBe("/api/events?api-version=2018-01-01");
  });

  it.each<[PublisherOptions, string, string]>([
    [{ timeoutMs: 0 }, "timeoutMs", "number-range"],
    [{ timeoutMs: 2 ** 31 }, "timeoutMs", "number-range"],
    [{ attemptTimeoutMs: Number.NaN }, "attemptTimeoutMs", "number-range"],
    [{ retry: { attempts: 0 } }, "retry.attempts", "positive-integer"],
    [{ retry: { firstDelayMs: -1 } }, "retry.firstDelayMs", "number-range"],
    [untyped({ retry: { maxDelayMs: "250" } }), "retry.maxDelayMs", "number-range"],
    [{ limits: { concurrentRequests: 1.5 } }, "limits.concurrentRequests", "positive-integer"],
    [{ limits: { bufferedEvents: 0 } }, "limits.bufferedEvents", "positive-integer"],
    [untyped({ limits: null }), "limits", "type"],
    [untyped({ retry: 5 }), "retry", "type"],
    [untyped({ transport: {} }), "transport", "unknown"],
    [untyped({ telemetry: { meterProvider: {} } }), "telemetry.meterProvider", "object"],
    [untyped({ whenFull: "drop" }), "whenFull", "choice"],
    [{ source: "a b" }, "source", "uri-reference"],
    [untyped({ events: {} }), "events", "event-catalogue"],
    [untyped({ dispatcher: {} }), "dispatcher", "object"],
    [untyped({ acessKey: "key" }), "acessKey", "unknown"],
    [untyped({ retries: 3 }), "retries", "unknown"],
    [untyped({ retry: { attempt: 3 } }), "retry.attempt", "unknown"],
    [untyped({ accessKey: null }), "accessKey", "secret"],
    [{ accessKey: "a\n" }, "accessKey", "secret"],
    [untyped({ sasToken: {} }), "sasToken", "secret"],
  ])("refuses the options %j because of %s, by the rule %s", (options, field, rule) => {
    expect(() => createPublisher(binding, options)).toThrow(
      expect.objectContaining({
        code: "ERR_CONFIGURATION",
        problems: [expect.objectContaining({ field, rule })],
      }),
    );
  });

  it.each<[string, OutputRuntimeBinding, PublisherOptions, string, string]>([
    ["no credential", keyless, {}, "accessKey", "required"],
    ["two credentials", keyless, { accessKey: "a", sasToken: "b" }, "credential", "unused"],
    [
      "a key and a credential",
      keyless,
      { accessKey: "a", credential: new AzureKeyCredential("key") },
      "credential",
      "unused",
    ],
    ["a token without entra", binding, { credential: tokens }, "credential", "unused"],
    ["entra without a token", { ...keyless, publishWith: "entra" }, {}, "credential", "required"],
    [
      "entra with a key",
      { ...keyless, publishWith: "entra" },
      { credential: new AzureKeyCredential("key") },
      "credential",
      "required",
    ],
    [
      "an object that is not a credential",
      { ...keyless, publishWith: "entra" },
      untyped({ credential: {} }),
      "credential",
      "credential",
    ],
  ])("refuses %s", (_name, given, options, field, rule) => {
    expect(() => createPublisher(given, options)).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ field, rule })] }),
    );
  });

  it("does not advise to use the key of a topic that is to be published to with a token", () => {
    expect(() => createPublisher({ ...keyless, publishWith: "entra" })).toThrow(
      /such as new DefaultAzureCredential\(\) of @azure\/identity$/m,
    );
  });

  it("does not show a key that is passed in place of the options", () => {
    const key = JSON.parse('"a-key"');
    expect(() => createPublisher(binding, key)).toThrow("the options must be an object");
    expect(() => createPublisher(binding, key)).not.toThrow("a-key");
  });

  it("refuses a binding whose name cannot be the source of events, unless there is another", () => {
    const named = { ...binding, name: "<orders>" };
    const message = 'source must be a URI reference, but is "<orders>"';
    expect(errorOf(() => createPublisher(named)).problems).toEqual([
      { field: "source", rule: "uri-reference", message },
    ]);
    expect(createPublisher(named, { source: "/shop" }).operations).toEqual(["create"]);
  });

  it.each(["accessKey", "sasToken", "credential"])("does not show an invalid %s", (name) => {
    const make = () => createPublisher(binding, { [name]: "hush hush" });
    expect(make).toThrow(name);
    expect(make).not.toThrow("hush");
  });

  it("reports the problems of binding, options and their combination together", () => {
    const options: object = { timeoutMs: -1, accessKey: "se cret", sasToken: 5, source: "" };
    const make = () => createPublisher({ topicEndpoint: "http://example.com" }, options);
    expect(make).toThrow(
      expect.objectContaining({
        code: "ERR_CONFIGURATION",
        problems: [
          "topicEndpoint",
          "source",
          "accessKey",
          "sasToken",
          "timeoutMs",
          "credential",
        ].map((field) => expect.objectContaining({ field })),
      }),
    );
    expect(make).not.toThrow("se cret");
  });

  it("reports a missing binding", () => {
    expect(() => Reflect.apply(createPublisher, undefined, [])).toThrow(
      expect.objectContaining({
        problems: [
          expect.objectContaining({ field: "binding", rule: "type" }),
          expect.objectContaining({ field: "accessKey", rule: "required" }),
        ],
      }),
    );
  });

  it("throws an error that Node prints with each problem once", () => {
    let thrown: unknown;
    try {
      createPublisher(binding, { timeoutMs: -1 });
    } catch (error) {
      thrown = error;
    }
    expect(inspect(thrown).split("timeoutMs")).toHaveLength(2);
  });
});

describe("create", () => {
  it.each([
    [{ timeoutMs: 0 }, "timeoutMs must be a number from 1 to 2147483647, but is 0"],
    [{ timeoutMs: Number.NaN }, "timeoutMs must be a number from 1 to 2147483647, but is"],
    [JSON.parse('{"timeoutMs":null}'), "timeoutMs must be a number from 1 to 2147483647, but is"],
    [JSON.parse('{"signal":{}}'), "signal must be an AbortSignal, but is an object"],
    [JSON.parse('{"timeoutMS":5}'), "timeoutMS is unknown: did you mean timeoutMs?"],
    [JSON.parse('{"retries":5}'), "retries is unknown: the options are timeoutMs, signal"],
    [JSON.parse("5000"), "the options must be an object"],
  ])("refuses the options %j", async (options, message) => {
    const create = createPublisher(topic.binding).create({ type: "t", id: "a" }, options);
    const error = await rejection(create);
    expect(error).toMatchObject({
      code: "ERR_PUBLISH_OPTIONS",
      retryable: false,
      events: [{ index: 0, id: "a", type: "t", mayHaveArrived: false }],
    });
    expect(error.message).toContain(`nothing was sent: ${message}`);
    expect(topic.requests).toEqual([]);
  });
});
