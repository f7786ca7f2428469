import { createServer } from "node:net";
import { createPublisher, type Publisher } from "cloud-eventgrid-binding-runtime/publisher";
import { beforeEach, describe, expect, it } from "vitest";
import { gate } from "../../support/gate.js";
import { ManualClock } from "../../support/manual-clock.js";
import { keyless, listen, startTopic, withPolicy } from "./harness.js";
import { rejection } from "./rejection.js";

const topic = await startTopic();
let clock: ManualClock;
beforeEach(() => {
  clock = new ManualClock();
});

/** As many as there are requests at a time. */
const HANGS = 4;
const TIME = 20_000;
const order = (id: string) => ({ type: "shop.order.placed", id, data: 1 });
const never = new Promise<never>(() => {});

/** Hangs as often as there are requests at a time, and counts; then it works. */
function hanging() {
  const all = gate();
  const state = { calls: 0, all: all.passed };
  const hang = <T>(then: () => T | Promise<T>): Promise<T> => {
    state.calls += 1;
    if (state.calls === HANGS) all.open();
    return state.calls <= HANGS ? never : Promise.resolve(then());
  };
  return { state, hang };
}

/** What that many calls reject with. */
const failures = (publisher: Publisher) =>
  Promise.all(["a", "b", "c", "d"].map((id) => rejection(publisher.create(order(id)))));

describe("requests that hang outside the topic give their place back when their time is over", () => {
  it.each(["perCall", "perRetry"] as const)("in a %s policy", async (position) => {
    const { state, hang } = hanging();
    const publisher = createPublisher(topic.binding, {
      client: withPolicy(position, (request, next) => hang(() => next(request))),
      clock,
      retry: { attempts: 1 },
      limits: { requestEvents: 1 },
    });
    const failed = failures(publisher);
    await state.all;
    clock.advance(TIME);

    for (const error of await failed) {
      expect(error).toMatchObject({
        code: "ERR_PUBLISH_TIMEOUT",
        retryable: true,
        message: `[POST] "${topic.endpoint}": a policy of client.additionalPolicies did not pass it on within 20000 ms`,
        events: [{ mayHaveArrived: false }],
      });
    }
    expect(await publisher.create(order("e"))).toEqual(["e"]);
    expect(topic.requests).toHaveLength(1);
  });

  it("in an HTTP client of one's own, which may have sent them", async () => {
    const { state, hang } = hanging();
    const publisher = createPublisher(topic.binding, {
      client: {
        httpClient: {
          sendRequest: (request) =>
            hang(() => ({ request, status: 200, headers: request.headers, bodyAsText: "" })),
        },
      },
      clock,
      retry: { attempts: 1 },
      limits: { requestEvents: 1 },
    });
    const failed = failures(publisher);
    await state.all;
    clock.advance(TIME);

    for (const error of await failed) {
      expect(error).toMatchObject({
        code: "ERR_PUBLISH_TIMEOUT",
        events: [{ mayHaveArrived: true }],
      });
    }
    expect(await publisher.create(order("e"))).toEqual(["e"]);
  });

  it("in the credential, which is asked anew", async () => {
    const { state, hang } = hanging();
    const publisher = createPublisher(
      { ...keyless(topic), publishWith: "entra" },
      {
        credential: {
          getToken: () =>
            hang(() => ({ token: "token", expiresOnTimestamp: Date.now() + 3_600_000 })),
        },
        clock,
        retry: { attempts: 1 },
      },
    );
    for (let call = 1; call <= HANGS; call += 1) {
      const failed = rejection(publisher.create(order("a")));
      await clock.whenScheduled(TIME);
      while (state.calls < call) await new Promise(setImmediate);
      clock.advance(TIME);
      expect(await failed).toMatchObject({
        code: "ERR_PUBLISH_CREDENTIAL",
        retryable: true,
        message: "the credential did not answer within 20000 ms",
        events: [{ mayHaveArrived: false }],
      });
    }
    expect(await publisher.create(order("b"))).toEqual(["b"]);
    expect(topic.requests).toHaveLength(1);
  });

  it.each(["accessKey", "sasToken"] as const)("in an %s function, too", async (name) => {
    const { state, hang } = hanging();
    const publisher = createPublisher(keyless(topic), {
      [name]: () => hang(() => "secret"),
      clock,
      retry: { attempts: 1 },
    });
    for (let call = 1; call <= HANGS; call += 1) {
      const failed = rejection(publisher.create(order("a")));
      await clock.whenScheduled(TIME);
      expect(state.calls).toBe(call);
      clock.advance(TIME);
      expect(await failed).toMatchObject({
        code: "ERR_PUBLISH_CREDENTIAL",
        retryable: true,
        message: `the ${name} function did not answer within 20000 ms`,
        events: [{ mayHaveArrived: false }],
      });
    }
    expect(await publisher.create(order("b"))).toEqual(["b"]);
    expect(topic.requests).toHaveLength(1);
  });
});

describe("what was held back until its time was over", () => {
  it("is not sent any more", async () => {
    const sent: unknown[] = [];
    const passing = gate();
    const publisher = createPublisher(topic.binding, {
      client: {
        httpClient: {
          sendRequest: async (request) => {
            sent.push(JSON.parse(String(request.body))[0].id);
            return { request, status: 200, headers: request.headers };
          },
        },
        ...withPolicy("perRetry", async (request, next) => {
          if (request.body?.toString().includes('"a"')) await passing.passed;
          return next(request);
        }),
      },
      clock,
      retry: { attempts: 1 },
    });
    const failed = rejection(publisher.create(order("a")));
    await clock.whenScheduled(TIME);
    await new Promise(setImmediate);
    clock.advance(TIME);
    expect(await failed).toMatchObject({ code: "ERR_PUBLISH_TIMEOUT" });
    passing.open();
    await publisher.create(order("b"));

    expect(sent).toEqual(["b"]);
  });
});

describe("a connection", () => {
  it("that is not made in time says clearly that the event is not in the topic", async () => {
    // It takes the connection, and never begins TLS.
    const server = createServer();
    const connected = new Promise((resolve) =>
      server.once("connection", (socket) => socket.once("data", resolve)),
    );
    const port = await listen(server);
    const publisher = createPublisher(
      { ...topic.binding, topicEndpoint: `https://127.0.0.1:${port}/api/events` },
      { clock, retry: { attempts: 1 } },
    );
    const failed = rejection(publisher.create(order("a")));
    await connected;
    clock.advance(TIME);

    expect(await failed).toMatchObject({
      code: "ERR_PUBLISH_TIMEOUT",
      message: `[POST] "https://127.0.0.1:${port}/api/events": no connection within 20000 ms`,
      events: [{ mayHaveArrived: false }],
    });
    server.close();
  });
});
