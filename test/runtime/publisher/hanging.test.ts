import { createServer } from "node:net";
import {
  type ClientOptions,
  createPublisher,
  type PublisherOptions,
} from "cloud-eventgrid-binding-runtime/publisher";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ACCEPTED, refused, TopicServer } from "../../support/topic-server.js";
import { ManualClock } from "./manual-clock.js";
import { rejection } from "./rejection.js";

let topic: TopicServer;
let clock: ManualClock;
beforeAll(async () => {
  topic = await TopicServer.start();
});
afterAll(() => topic.stop());
beforeEach(() => {
  clock = new ManualClock();
  topic.requests.length = 0;
  topic.answer = () => ACCEPTED;
});

/** As many as there are requests at a time. */
const HANGS = 4;
const TIME = 20_000;
const order = (id: string) => ({ type: "shop.order.placed", id, data: 1 });
const never = new Promise<never>(() => {});

/** The binding without its key. */
function keyless() {
  const { accessKey: _, ...binding } = topic.binding;
  return binding;
}

/** Hangs as often as there are requests at a time, and counts; then it works. */
function hanging() {
  const state = { calls: 0, all: never as Promise<unknown> };
  let reached = () => {};
  state.all = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const hang = <T>(then: () => T | Promise<T>): Promise<T> => {
    state.calls += 1;
    if (state.calls === HANGS) reached();
    return state.calls <= HANGS ? never : Promise.resolve(then());
  };
  return { state, hang };
}

type Policies = NonNullable<ClientOptions["additionalPolicies"]>;
const policy = (
  position: Policies[number]["position"],
  hang: ReturnType<typeof hanging>["hang"],
): PublisherOptions => ({
  client: {
    additionalPolicies: [
      {
        position,
        policy: { name: "own", sendRequest: (request, next) => hang(() => next(request)) },
      },
    ],
  },
});

describe("requests that hang outside the topic give their place back when their time is over", () => {
  it.each(["perCall", "perRetry"] as const)("in a %s policy", async (position) => {
    const { state, hang } = hanging();
    const publisher = createPublisher(topic.binding, {
      ...policy(position, hang),
      clock,
      retry: { attempts: 1 },
      limits: { requestEvents: 1 },
    });
    const failed = ["a", "b", "c", "d"].map((id) => rejection(publisher.create(order(id))));
    await state.all;
    clock.advance(TIME);

    for (const error of await Promise.all(failed)) {
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
    const failed = ["a", "b", "c", "d"].map((id) => rejection(publisher.create(order(id))));
    await state.all;
    clock.advance(TIME);

    for (const error of await Promise.all(failed)) {
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
      { ...keyless(), publishWith: "entra" },
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
    const publisher = createPublisher(keyless(), {
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

describe("a key function that hangs", () => {
  it("is told to all requests that wait for it", async () => {
    const publisher = createPublisher(keyless(), {
      accessKey: () => never,
      clock,
      retry: { attempts: 1 },
      limits: { requestEvents: 1 },
    });
    const failed = ["a", "b", "c", "d"].map((id) => rejection(publisher.create(order(id))));
    await clock.whenScheduled(TIME);
    clock.advance(TIME);

    expect((await Promise.all(failed)).map(({ code }) => code)).toEqual(
      Array(4).fill("ERR_PUBLISH_CREDENTIAL"),
    );
  });

  it("is asked anew by the next attempt of the same call", async () => {
    let asked = 0;
    const publisher = createPublisher(keyless(), {
      accessKey: () => (++asked === 1 ? never : "key-2"),
      clock,
      random: () => 0,
    });
    const created = publisher.create(order("a"));
    await clock.whenScheduled(TIME);
    clock.advance(TIME);
    await clock.whenScheduled(125);
    clock.advance(125);

    expect(await created).toEqual(["a"]);
    expect(topic.requests.map(({ headers }) => headers["aeg-sas-key"])).toEqual(["key-2"]);
  });

  it("is asked no more often for calls that have less time than an attempt", async () => {
    let asked = 0;
    const publisher = createPublisher(keyless(), {
      accessKey: () => (++asked === 1 ? never : "key-2"),
      clock,
    });
    const errors = [];
    for (let call = 0; call < 4; call += 1) {
      const failed = rejection(publisher.create(order("a"), { timeoutMs: 5_000 }));
      await clock.whenScheduled(TIME);
      clock.advance(5_000);
      errors.push(await failed);
    }

    expect(errors.map(({ code }) => code)).toEqual(Array(4).fill("ERR_PUBLISH_TIMEOUT"));
    expect(errors.flatMap(({ events }) => events.map((event) => event.mayHaveArrived))).toEqual(
      Array(4).fill(false),
    );
    expect(asked).toBe(1);
    expect(await publisher.create(order("b"), { timeoutMs: 5_000 })).toEqual(["b"]);
    expect(asked).toBe(2);
  });

  it("and answers in the end does not replace a newer key", async () => {
    let answer = (_: string) => {};
    const answers = [
      new Promise<string>((resolve) => {
        answer = resolve;
      }),
      "key-2",
    ];
    const publisher = createPublisher(keyless(), {
      accessKey: () => answers.shift() ?? "key-3",
      clock,
      retry: { attempts: 1 },
    });
    const failed = rejection(publisher.create(order("a")));
    await clock.whenScheduled(TIME);
    clock.advance(TIME);
    await failed;
    await publisher.create(order("b"));
    answer("key-1");
    await new Promise(setImmediate);
    await publisher.create(order("c"));

    expect(topic.requests.map(({ headers }) => headers["aeg-sas-key"])).toEqual(["key-2", "key-2"]);
  });

  it("after a refusal says clearly that the event is not in the topic", async () => {
    topic.answer = () => refused(401, "Unauthorized", "unknown");
    let asked = 0;
    const publisher = createPublisher(keyless(), {
      accessKey: () => (++asked === 1 ? "key-1" : never),
      clock,
      retry: { attempts: 1 },
    });
    const failed = rejection(publisher.create(order("a")));
    while (asked < 2) await new Promise(setImmediate);
    clock.advance(TIME);

    expect(await failed).toMatchObject({
      code: "ERR_PUBLISH_CREDENTIAL",
      events: [{ mayHaveArrived: false }],
    });
  });
});

describe("what was held back until its time was over", () => {
  it("is not sent any more", async () => {
    const sent: unknown[] = [];
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const publisher = createPublisher(topic.binding, {
      client: {
        httpClient: {
          sendRequest: async (request) => {
            sent.push(JSON.parse(String(request.body))[0].id);
            return { request, status: 200, headers: request.headers };
          },
        },
        additionalPolicies: [
          {
            position: "perRetry",
            policy: {
              name: "own",
              sendRequest: async (request, next) => {
                if (request.body?.toString().includes('"a"')) await held;
                return next(request);
              },
            },
          },
        ],
      },
      clock,
      retry: { attempts: 1 },
    });
    const failed = rejection(publisher.create(order("a")));
    await clock.whenScheduled(TIME);
    await new Promise(setImmediate);
    clock.advance(TIME);
    expect(await failed).toMatchObject({ code: "ERR_PUBLISH_TIMEOUT" });
    goOn();
    await publisher.create(order("b"));

    expect(sent).toEqual(["b"]);
  });
});

describe("a policy that sends a request once more", () => {
  it.each([
    ["when there was no answer", "reset"],
    ["when it is told to", refused(503, "ServiceUnavailable", "busy")],
  ] as const)("%s may do so", async (_when, first) => {
    topic.answer = () => (topic.requests.length === 1 ? first : ACCEPTED);
    const publisher = createPublisher(topic.binding, {
      client: {
        additionalPolicies: [
          {
            position: "perRetry",
            policy: {
              name: "own",
              sendRequest: async (request, next) => {
                const answer = await next(request).catch(() => undefined);
                return answer?.status === 200 ? answer : next(request);
              },
            },
          },
        ],
      },
      retry: { attempts: 1 },
    });

    expect(await publisher.create(order("a"))).toEqual(["a"]);
    expect(topic.requests.map(({ body }) => body)).toEqual([
      topic.requests[0]?.body,
      topic.requests[0]?.body,
    ]);
  });
});

describe("a policy that passes on a copy of the request", () => {
  it("changes nothing of the time, nor of what is known of the events", async () => {
    topic.answer = () => "hang";
    const publisher = createPublisher(topic.binding, {
      client: {
        additionalPolicies: [
          {
            position: "perRetry",
            policy: { name: "own", sendRequest: (request, next) => next({ ...request }) },
          },
        ],
      },
      clock,
      retry: { attempts: 1 },
    });
    const failed = rejection(publisher.create(order("a")));
    await topic.arrivals(1);
    clock.advance(TIME);

    expect(await failed).toMatchObject({ events: [{ mayHaveArrived: true }] });
    await topic.requests[0]?.closed;
    expect(topic.requests[0]?.headers).not.toHaveProperty("x-publisher-request");
  });
});

describe("a connection", () => {
  it("that is not made in time says clearly that the event is not in the topic", async () => {
    // It takes the connection, and never begins TLS.
    const server = createServer();
    const connected = new Promise((resolve) =>
      server.once("connection", (socket) => socket.once("data", resolve)),
    );
    const port = await new Promise((resolve) =>
      server.listen(0, "127.0.0.1", () => resolve(Object(server.address()).port)),
    );
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

describe("an answer of 101", () => {
  /** A server that switches protocols, whatever that may mean to it. */
  async function switching(headers: string) {
    const server = createServer((socket) => {
      socket.once("data", () => socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`));
      socket.on("error", () => {});
    });
    const port = await new Promise((resolve) =>
      server.listen(0, "127.0.0.1", () => resolve(Object(server.address()).port)),
    );
    return { server, topicEndpoint: `http://127.0.0.1:${port}/api/events` };
  }

  it("is an answer that is not 200", async () => {
    const { server, topicEndpoint } = await switching("Connection: Upgrade\r\nUpgrade: other\r\n");
    const publisher = createPublisher({ ...topic.binding, topicEndpoint }, { clock });

    expect(await rejection(publisher.create(order("a")))).toMatchObject({
      code: "ERR_PUBLISH_REFUSED",
      status: 101,
      retryable: false,
    });
    server.close();
  });

  it("that is only said on the way is none", async () => {
    const { server, topicEndpoint } = await switching("");
    const publisher = createPublisher(
      { ...topic.binding, topicEndpoint },
      { clock, retry: { attempts: 1 } },
    );
    const sent = new Promise((resolve) =>
      server.on("connection", (socket) => socket.once("data", resolve)),
    );
    const failed = rejection(publisher.create(order("a")));
    await sent;
    clock.advance(TIME);

    expect(await failed).toMatchObject({
      code: "ERR_PUBLISH_TIMEOUT",
      events: [{ mayHaveArrived: true }],
    });
    server.close();
  });
});
