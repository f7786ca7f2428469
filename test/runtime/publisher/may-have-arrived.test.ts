import { createPublisher, type PublisherOptions } from "cloud-eventgrid-binding-runtime/publisher";
import { describe, expect, it } from "vitest";
import { gate } from "../../support/gate.js";
import { ACCEPTED, refused, type TopicAnswer, TopicServer } from "../../support/topic-server.js";
import { keyless, type SendRequest, startTopic, withPolicy } from "./harness.js";
import { rejection } from "./rejection.js";

const topic = await startTopic();
const order = (id: string) => ({ type: "shop.order.placed", id, data: 1 });
/** A publisher that sends once, through a policy of its user's. */
const through = (sendRequest: SendRequest, options: PublisherOptions = {}) =>
  createPublisher(topic.binding, {
    retry: { attempts: 1 },
    client: withPolicy("perRetry", sendRequest),
    ...options,
  });
/** Sends a second time, whatever became of the first. */
const twice: SendRequest = async (request, next) => {
  await next(request).catch(() => undefined);
  return next(request);
};

describe("events of a caller who leaves a shared request before it is sent", () => {
  it("may arrive with those of the others", async () => {
    const policy = gate();
    const reached = gate();
    const controller = new AbortController();
    const shared = through(async (request, next) => {
      reached.open();
      await policy.passed;
      return next(request);
    });
    const left = rejection(shared.create(order("a"), { signal: controller.signal }));
    const stayed = shared.create(order("b"));
    await reached.passed;
    controller.abort();

    expect(await left).toMatchObject({ events: [{ id: "a", mayHaveArrived: true }] });
    policy.open();
    expect(await stayed).toEqual(["b"]);
    expect(topic.requests.map(({ events }) => events.map(({ id }) => id))).toEqual([["a", "b"]]);
  });

  it("do not when nobody else waits for it", async () => {
    const reached = gate();
    const controller = new AbortController();
    const shared = through(() => {
      reached.open();
      return new Promise(() => {});
    });
    const left = rejection(shared.create(order("a"), { signal: controller.signal }));
    await reached.passed;
    controller.abort();

    expect(await left).toMatchObject({ events: [{ mayHaveArrived: false }] });
  });

  it("do not while its key is asked for, which may take its time", async () => {
    await expectLeaverSpared([], "key");
  });

  it("do not after it was refused for its key", async () => {
    topic.answer = ({ headers }) =>
      headers["aeg-sas-key"] === "new" ? ACCEPTED : refused(401, "Unauthorized", "unknown");
    await expectLeaverSpared(["old"], "new");
  });
});

/** Two callers share a request; one leaves while its key is asked for, after these others. */
async function expectLeaverSpared(others: string[], key: string): Promise<void> {
  const vault = gate();
  const asked = gate();
  const shared = createPublisher(keyless(topic), {
    accessKey: async () => {
      const other = others.shift();
      if (other !== undefined) return other;
      asked.open();
      await vault.passed;
      return key;
    },
  });
  const controller = new AbortController();
  const left = rejection(shared.create(order("a"), { signal: controller.signal }));
  const stayed = shared.create(order("b"));
  await asked.passed;
  controller.abort();

  expect(await left).toMatchObject({ events: [{ id: "a", mayHaveArrived: false }] });
  vault.open();
  await stayed;
  expect(topic.accepted.map(({ id }) => id)).toEqual(["b"]);
}

describe("events of a caller who leaves several requests at once", () => {
  it("may have arrived with those that were sent, and all of them end", async () => {
    const closed: Promise<unknown>[] = [];
    topic.answer = ({ closed: ofRequest }) => {
      closed.push(ofRequest);
      return "hang";
    };
    const controller = new AbortController();
    const shared = createPublisher(topic.binding, {
      limits: { requestEvents: 1 },
      batching: { requests: 2 },
    });
    const orders = ["a", "b", "c"].map(order);
    const left = rejection(shared.create(orders, { signal: controller.signal }));
    await topic.arrivals(2);
    controller.abort();

    expect(await left).toMatchObject({
      events: [
        { id: "a", mayHaveArrived: true },
        { id: "b", mayHaveArrived: true },
        { id: "c", mayHaveArrived: false },
      ],
    });
    await Promise.all(closed);
    topic.answer = () => ACCEPTED;
    expect(await shared.create(order("d"))).toEqual(["d"]);
    expect(topic.accepted.map(({ id }) => id)).toEqual(["d"]);
  });
});

describe("events of a caller who leaves just when the answer is there", () => {
  it("are never said to be outside a topic that took them", async () => {
    // The answer goes through a number of promises; the caller leaves at each of them.
    let outcome: unknown;
    let hops = 0;
    for (; outcome !== "accepted" && hops < 100; hops += 1) {
      const controller = new AbortController();
      const leave = async () => {
        for (let hop = 0; hop < hops; hop += 1) await undefined;
        controller.abort();
      };
      const shared = through(async (request, next) => {
        const answer = await next(request);
        void leave();
        return answer;
      });
      outcome = await shared.create(order("a"), { signal: controller.signal }).then(
        () => "accepted",
        ({ events }) => events,
      );
      if (outcome !== "accepted") expect(outcome).toMatchObject([{ mayHaveArrived: true }]);
    }
    expect(outcome).toBe("accepted");
    expect(hops).toBeGreaterThan(5);
  });
});

describe("events that a policy sends twice, and nobody accepted the second time,", () => {
  it.each<[string, TopicAnswer, TopicAnswer, boolean]>([
    ["may have arrived the first time", "reset", refused(403, "No", "no"), true],
    ["also where they were told so", refused(503, "Busy", "busy"), refused(403, "No", "no"), true],
    [
      "but not if they were refused then",
      refused(429, "Slow", "x"),
      refused(403, "No", "no"),
      false,
    ],
  ])("%s", async (_name, first, second, mayHaveArrived) => {
    topic.answer = () => (topic.requests.length === 1 ? first : second);

    expect(await rejection(through(twice).create(order("a")))).toMatchObject({
      status: 403,
      events: [{ mayHaveArrived }],
    });
  });

  it("also when the caller leaves after the second", async () => {
    topic.answer = () =>
      topic.requests.length === 1 ? "reset" : refused(401, "Unauthorized", "unknown");
    const asked = gate();
    let keys = 0;
    const shared = createPublisher(keyless(topic), {
      accessKey: () => {
        keys += 1;
        if (keys === 1) return "old";
        asked.open();
        return new Promise(() => {});
      },
      client: withPolicy("perRetry", twice),
    });
    const controller = new AbortController();
    const left = rejection(shared.create(order("a"), { signal: controller.signal }));
    await asked.passed;
    controller.abort();

    expect(await left).toMatchObject({ events: [{ mayHaveArrived: true }] });
  });

  it("also when there is nobody the second time", async () => {
    const gone = await TopicServer.start(() => "reset");
    const shared = createPublisher(gone.binding, {
      retry: { attempts: 1 },
      client: withPolicy("perRetry", async (request, next) => {
        await next(request).catch(() => gone.stop());
        return next(request);
      }),
    });
    const error = await rejection(shared.create(order("a")));

    expect(error.message).toContain("ECONNREFUSED");
    expect(error.events).toMatchObject([{ mayHaveArrived: true }]);
  });
});

describe("an answer", () => {
  it.each([
    [201, true],
    [202, true],
    [408, true],
    [500, true],
    [504, true],
    [301, false],
    [400, false],
    [401, false],
    [403, false],
    [404, false],
    [413, false],
    [429, false],
  ])("%i leaves open whether events arrived: %s", async (status, mayHaveArrived) => {
    topic.answer = () => ({ status });
    const shared = createPublisher(topic.binding, { retry: { attempts: 1 } });

    expect(await rejection(shared.create(order("a")))).toMatchObject({
      status,
      events: [{ mayHaveArrived }],
    });
  });
});
