import { describe, expect, it } from "vitest";
import {
  ACCEPTED,
  refused,
  type TopicAnswer,
  type TopicRequest,
} from "../../../support/topic-server.js";
import { intercepted, publisherWith, startTopic, type TimedOptions } from "../harness.js";
import { rejection } from "../rejection.js";

const topic = await startTopic();

const publisher = (options?: TimedOptions) => publisherWith({}, topic.binding, options);
const event = (id: string, data: unknown = null) => ({ type: "t", id, data });
const idsOf = ({ events }: TopicRequest) => events.map(({ id }) => id);
const sent = () => topic.requests.map(idsOf);
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `e${index}`);

/** Holds every response back until the test releases it. */
function held() {
  const waiting: ((answer: TopicAnswer) => void)[] = [];
  topic.answer = () => new Promise((resolve) => waiting.push(resolve));
  return {
    release: (answer: TopicAnswer = ACCEPTED) => waiting.shift()?.(answer),
    releaseAll: () => {
      topic.answer = () => ACCEPTED;
      for (const resolve of waiting.splice(0)) resolve(ACCEPTED);
    },
  };
}

describe("concurrent calls", () => {
  it("share a request, in their order, if they are made in one turn of the event loop", async () => {
    const shared = publisher();
    const ids = await Promise.all(numbered(50).map((id) => shared.create(event(id))));

    expect(ids).toEqual(numbered(50).map((id) => [id]));
    expect(sent()).toEqual([numbered(50)]);
  });

  it("share the next request if one response has resumed them, however many awaits are between", async () => {
    const shared = publisher();
    const caller = async (name: string, hops: number) => {
      await shared.create(event(`${name}1`));
      for (let hop = 0; hop < hops; hop += 1) await undefined;
      await shared.create(event(`${name}2`));
    };
    await Promise.all([caller("a", 0), caller("b", 3), caller("c", 7)]);

    expect(sent()).toEqual([
      ["a1", "b1", "c1"],
      ["a2", "b2", "c2"],
    ]);
  });

  it("wait while as many requests as allowed are under way, and share the next one", async () => {
    const topicHolds = held();
    const shared = publisher({ limits: { concurrentRequests: 2 } });
    const calls: Promise<unknown>[] = [];
    for (const id of ["a", "b", "c", "d", "e"]) {
      calls.push(shared.create(event(id)));
      if (calls.length <= 2) await topic.arrivals(calls.length);
    }
    expect(sent()).toEqual([["a"], ["b"]]);
    topicHolds.release();
    await topic.arrivals(3);
    topicHolds.releaseAll();
    await Promise.all(calls);

    expect(sent()).toEqual([["a"], ["b"], ["c", "d", "e"]]);
  });

  it("use four requests at a time by default", async () => {
    const topicHolds = held();
    let begun = 0;
    const shared = publisher({
      limits: { requestEvents: 1 },
      dispatcher: intercepted(() => {
        begun += 1;
      }),
    });
    const calls = numbered(5).map((id) => shared.create(event(id)));
    await topic.arrivals(4);
    expect(begun).toBe(4);
    topicHolds.release();
    await topic.arrivals(5);
    topicHolds.releaseAll();
    await Promise.all(calls);
  });

  it("resolve in the order in which they were made if they share a request", async () => {
    const shared = publisher();
    const resolved: string[] = [];
    await Promise.all(
      numbered(20).map(async (id) => {
        await shared.create(event(id));
        resolved.push(id);
      }),
    );

    expect(resolved).toEqual(numbered(20));
  });
});

describe("calls of different requests", () => {
  it("are settled in the order of the responses", async () => {
    const answers = new Map<unknown, (answer: TopicAnswer) => void>();
    topic.answer = (request) =>
      new Promise((resolve) => answers.set(request.events[0]?.id, resolve));
    const shared = publisher({ limits: { requestEvents: 1 } });
    const settled: string[] = [];
    const calls = ["a", "b", "c"].map(async (id) => {
      await shared.create(event(id)).catch(() => {});
      settled.push(id);
    });
    await topic.arrivals(3);
    for (const [index, id] of ["c", "a", "b"].entries()) {
      answers.get(id)?.(id === "a" ? refused(403, "No", "no") : ACCEPTED);
      while (settled.length <= index) await new Promise(setImmediate);
    }
    await Promise.all(calls);

    expect(settled).toEqual(["c", "a", "b"]);
  });
});

describe("an invalid event", () => {
  it("rejects its own call only, and is never sent", async () => {
    const shared = publisher();
    const [good, bad, other] = await Promise.allSettled([
      shared.create(event("a")),
      shared.create(event("b", 1n)),
      shared.create(event("c")),
    ]);

    expect(good).toEqual({ status: "fulfilled", value: ["a"] });
    expect(bad?.status).toBe("rejected");
    expect(other).toEqual({ status: "fulfilled", value: ["c"] });
    expect(sent()).toEqual([["a", "c"]]);
  });
});

describe.each([400, 413])("a request that is refused with %i", (status) => {
  it("is split by its calls, until only the call at fault rejects", async () => {
    topic.answer = (request) =>
      idsOf(request).includes("e13") ? refused(status, "No", "e13 is bad") : ACCEPTED;
    const shared = publisher();
    const results = await Promise.allSettled(numbered(32).map((id) => shared.create(event(id))));

    const rejected = results.flatMap((result, index) =>
      result.status === "rejected" ? [[index, result.reason]] : [],
    );
    expect(rejected).toEqual([[13, expect.objectContaining({ status })]]);
    expect(
      topic.accepted
        .map(({ id }) => id)
        .slice(-31)
        .sort(),
    ).toEqual(
      numbered(32)
        .filter((id) => id !== "e13")
        .sort(),
    );
    // Halved each time: 32, then 16 and 16, 8 and 8, 4 and 4, 2 and 2, 1 and 1.
    expect(topic.requests).toHaveLength(11);
  });

  it("is not split when it contains one call only", async () => {
    topic.answer = () => refused(status, "No", "never");
    const error = await rejection(publisher().create(numbered(3).map((id) => event(id))));

    expect(error.events.map(({ id }) => id)).toEqual(["e0", "e1", "e2"]);
    expect(topic.requests).toHaveLength(1);
  });
});

describe("a request that is refused for reasons other than its events", () => {
  it.each([401, 403, 404])("rejects all calls that share it: %i", async (status) => {
    topic.answer = () => refused(status, "No", "never");
    const shared = publisher();
    const results = await Promise.allSettled([
      shared.create(event("a")),
      shared.create(event("b")),
    ]);

    expect(results.map((result) => result.status)).toEqual(["rejected", "rejected"]);
    expect(topic.requests).toHaveLength(1);
  });
});
