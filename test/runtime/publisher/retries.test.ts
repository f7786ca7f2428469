import { createPublisher, type PublisherOptions } from "cloud-eventgrid-binding-runtime/publisher";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ACCEPTED, refused, type TopicAnswer, TopicServer } from "../../support/topic-server.js";
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

/** Answers in this order, and accepts from then on. */
function answers(...list: TopicAnswer[]) {
  topic.answer = () => list.shift() ?? ACCEPTED;
}

const order = { type: "shop.order.placed", id: "a", data: 1 };
/** Without jitter the first wait is half of `firstDelayMs`, 125 ms. */
const publisher = (options: PublisherOptions = {}) =>
  createPublisher(topic.binding, { clock, random: () => 0, ...options });

const BUSY = refused(503, "ServiceUnavailable", "busy");

describe("what may succeed later is sent again", () => {
  it.each<[string, TopicAnswer]>([
    ["408", refused(408, "RequestTimeout", "slow")],
    ["429", refused(429, "TooManyRequests", "slow down")],
    ["500", refused(500, "InternalServerError", "oops")],
    ["502", { status: 502 }],
    ["503", BUSY],
    ["504", { status: 504 }],
    ["a reset", "reset"],
  ])("%s", async (_name, answer) => {
    answers(answer);
    const created = publisher().create(order);
    await clock.whenScheduled(125);
    clock.advance(125);

    expect(await created).toEqual(["a"]);
    expect(topic.requests.map(({ body }) => body)).toEqual([
      topic.requests[0]?.body,
      topic.requests[0]?.body,
    ]);
  });

  it("a topic that cannot be reached", async () => {
    const gone = await TopicServer.start();
    const { binding, endpoint } = gone;
    await gone.stop();
    const created = createPublisher(binding, {
      clock,
      random: () => 0,
      retry: { attempts: 2 },
    }).create(order);
    const failed = rejection(created);
    await clock.whenScheduled(125);
    clock.advance(125);

    expect(await failed).toMatchObject({
      code: "ERR_PUBLISH_UNAVAILABLE",
      status: undefined,
      retryable: true,
      events: [{ id: "a", mayHaveArrived: false }],
    });
    expect((await failed).message).toMatch(
      new RegExp(`^\\[POST\\] "${endpoint}": .*ECONNREFUSED.* \\(after 2 attempts\\)$`),
    );
  });
});

describe("waits between attempts", () => {
  it("double, up to their limit, half of each by chance", async () => {
    answers(BUSY, BUSY, BUSY, BUSY);
    const created = publisher({
      random: () => 0.5,
      retry: { attempts: 5, firstDelayMs: 100, maxDelayMs: 300 },
    }).create(order);
    for (const wait of [75, 150, 225]) {
      await clock.whenScheduled(wait);
      clock.advance(wait);
    }
    await clock.whenScheduled(225);
    clock.advance(225);

    expect(await created).toEqual(["a"]);
  });

  it("are from 250 ms to 10 s between five attempts, when nothing is set", async () => {
    topic.answer = () => BUSY;
    const most = (retry: PublisherOptions["retry"]) =>
      rejection(
        publisher({ random: () => 0.999999, timeoutMs: 600_000, ...(retry && { retry }) }).create(
          order,
        ),
      );
    const five = most(undefined);
    for (const wait of [250, 500, 1_000, 2_000]) {
      await clock.whenScheduled(wait);
      clock.advance(wait);
    }
    expect((await five).message).toMatch(/ \(after 5 attempts\)$/);

    const eight = most({ attempts: 8 });
    for (const wait of [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000]) {
      await clock.whenScheduled(wait);
      clock.advance(wait);
    }
    expect((await eight).message).toMatch(/ \(after 8 attempts\)$/);
  });

  it("are as long as Retry-After says, in seconds", async () => {
    answers(refused(429, "TooManyRequests", "slow down", { "retry-after": "17" }));
    const created = publisher().create(order);
    await clock.whenScheduled(17_000);
    clock.advance(17_000);

    expect(await created).toEqual(["a"]);
  });

  it("but not shorter than without it", async () => {
    answers(refused(429, "TooManyRequests", "slow down", { "retry-after": "1" }));
    const created = publisher({ retry: { firstDelayMs: 8_000 } }).create(order);
    await clock.whenScheduled(4_000);
    clock.advance(4_000);

    expect(await created).toEqual(["a"]);
  });

  it("or until the date that it says", async () => {
    const date = new Date(clock.now() + 9_000).toUTCString();
    answers(refused(503, "ServiceUnavailable", "busy", { "retry-after": date }));
    const created = publisher().create(order);
    await clock.whenScheduled(9_000);
    clock.advance(9_000);

    expect(await created).toEqual(["a"]);
  });

  it("nothing is waited for when time will have run out: the failure is told at once", async () => {
    answers(refused(429, "TooManyRequests", "slow down", { "retry-after": "61" }));

    expect(await rejection(publisher({ timeoutMs: 60_000 }).create(order))).toMatchObject({
      status: 429,
      retryable: true,
      message: `[POST] "${topic.endpoint}": 429 TooManyRequests: slow down (after 1 attempt, and time runs out before the next)`,
    });
    await clock.whenIdle();
  });
});

describe("Retry-After is for all events", () => {
  const SLOW_DOWN = refused(429, "TooManyRequests", "slow down", { "retry-after": "10" });
  let sent = 0;
  beforeEach(() => {
    sent = 0;
  });
  /** Counts requests as they begin: what has not arrived yet may be on its way. */
  const counted = (options: PublisherOptions = {}) =>
    publisher({
      ...options,
      client: {
        additionalPolicies: [
          {
            position: "perCall",
            policy: {
              name: "count",
              sendRequest: (request, next) => {
                sent += 1;
                return next(request);
              },
            },
          },
        ],
      },
    });
  const ids = () => topic.requests.map(({ events }) => events.map(({ id }) => id));

  it.each<[string, TopicAnswer]>([
    ["429", SLOW_DOWN],
    ["503", refused(503, "ServiceUnavailable", "busy", { "retry-after": "10" })],
  ])("of a %s: what is created meanwhile waits, too", async (_name, answer) => {
    answers(answer);
    const shared = counted();
    const first = shared.create(order);
    await clock.whenScheduled(10_000);
    const second = shared.create({ ...order, id: "b" });
    await new Promise(setImmediate);
    clock.advance(9_999);
    await new Promise(setImmediate);
    expect(sent).toBe(1);
    clock.advance(1);

    expect(await Promise.all([first, second])).toEqual([["a"], ["b"]]);
    expect(ids().slice(1).flat().sort()).toEqual(["a", "b"]);
  });

  it("what waited for a request to end waits on, also when nobody waits for that any more", async () => {
    const controller = new AbortController();
    answers(SLOW_DOWN);
    const shared = counted({ batching: { requests: 1 } });
    const first = rejection(shared.create(order, { signal: controller.signal }));
    await topic.arrivals(1);
    const second = shared.create({ ...order, id: "b" });
    await clock.whenScheduled(10_000);
    controller.abort();
    await first;
    await new Promise(setImmediate);
    expect(sent).toBe(1);
    clock.advance(10_000);

    expect(await second).toEqual(["b"]);
  });

  it("a call waits no longer than its time, and tells what it waited for", async () => {
    answers(SLOW_DOWN);
    const shared = counted();
    const first = shared.create(order);
    await clock.whenScheduled(10_000);
    const second = rejection(shared.create({ ...order, id: "b" }, { timeoutMs: 5_000 }));
    await clock.whenScheduled(5_000);
    clock.advance(5_000);

    expect(await second).toMatchObject({
      code: "ERR_PUBLISH_TIMEOUT",
      message: `the topic did not accept all events within 5000 ms (last: [POST] "${topic.endpoint}": 429 TooManyRequests: slow down)`,
      events: [{ id: "b", mayHaveArrived: false }],
    });
    clock.advance(5_000);
    await first;
  });

  it("but no longer than the publisher's time, so that no answer silences it for good", async () => {
    answers(refused(429, "TooManyRequests", "slow down", { "retry-after": "864000" }));
    const shared = counted({ timeoutMs: 30_000 });
    await rejection(shared.create(order));
    clock.advance(29_999);
    const second = shared.create({ ...order, id: "b" });
    await new Promise(setImmediate);
    expect(sent).toBe(1);
    clock.advance(1);

    expect(await second).toEqual(["b"]);
  });

  it("the longest counts", async () => {
    answers(SLOW_DOWN, refused(429, "TooManyRequests", "slow down", { "retry-after": "3" }));
    const shared = counted({ limits: { requestEvents: 1 } });
    const both = shared.create([order, { ...order, id: "b" }]);
    await clock.whenScheduled(10_000);
    await clock.whenScheduled(3_000);
    clock.advance(9_999);
    await new Promise(setImmediate);
    expect(sent).toBe(2);
    clock.advance(1);

    expect(await both).toEqual(["a", "b"]);
  });

  it("events that linger wait, too", async () => {
    let refuse = () => {};
    const gate = new Promise<void>((resolve) => {
      refuse = resolve;
    });
    topic.answer = async () => {
      await gate;
      return topic.requests.length === 1 ? SLOW_DOWN : ACCEPTED;
    };
    const shared = counted({ batching: { lingerMs: 50 } });
    const first = shared.create(order);
    await topic.arrivals(1);
    const second = shared.create({ ...order, id: "b" });
    await clock.whenScheduled(50);
    refuse();
    await clock.whenScheduled(10_000);
    clock.advance(50);
    await new Promise(setImmediate);
    expect(sent).toBe(1);
    clock.advance(10_000);

    expect(await Promise.all([first, second])).toEqual([["a"], ["b"]]);
  });

  it("keeps no timer when nobody waits", async () => {
    answers(SLOW_DOWN);
    const controller = new AbortController();
    const shared = counted();
    const first = rejection(shared.create(order, { signal: controller.signal }));
    await clock.whenScheduled(10_000);
    const second = rejection(shared.create({ ...order, id: "b" }, { signal: controller.signal }));
    await new Promise(setImmediate);
    controller.abort();
    await Promise.all([first, second]);
    await clock.whenIdle();
  });

  it("nor for callers who left before it was told", async () => {
    let refuse = () => {};
    const gate = new Promise<void>((resolve) => {
      refuse = resolve;
    });
    topic.answer = () => gate.then(() => SLOW_DOWN);
    const controller = new AbortController();
    const shared = counted({ batching: { lingerMs: 50 }, retry: { attempts: 1 } });
    const first = rejection(shared.create(order));
    await topic.arrivals(1);
    const second = rejection(shared.create({ ...order, id: "b" }, { signal: controller.signal }));
    await clock.whenScheduled(50);
    controller.abort();
    await second;
    refuse();
    await first;
    await clock.whenIdle();
  });

  describe("holds what is to be sent again for another reason", () => {
    /** `a` is due again while `b`, which nobody wants any more, was told to wait; `c` is under way. */
    async function heldBack() {
      let answerC = () => {};
      const gate = new Promise<void>((resolve) => {
        answerC = resolve;
      });
      const oops = refused(500, "InternalServerError", "oops");
      topic.answer = async ({ events }) => {
        const id = events[0]?.id;
        if (id === "c") await gate;
        return topic.requests.length > 3 ? ACCEPTED : id === "b" ? SLOW_DOWN : oops;
      };
      const shared = counted({ limits: { requestEvents: 1 }, retry: { attempts: 2 } });
      const wants = ["a", "b", "c"].map(() => new AbortController());
      const [a, b, c] = ["a", "b", "c"].map((id, index) =>
        shared.create({ ...order, id }, { signal: wants[index]?.signal ?? AbortSignal.abort() }),
      );
      await clock.whenScheduled(10_000);
      await clock.whenScheduled(125);
      wants[1]?.abort();
      await expect(b).rejects.toMatchObject({ code: "ERR_PUBLISH_ABORTED" });
      clock.advance(125);
      await clock.whenScheduled(9_875);
      return { a, c, wants, answerC };
    }

    it("until the time is over", async () => {
      const { a, c, wants, answerC } = await heldBack();
      wants[2]?.abort();
      await expect(c).rejects.toMatchObject({ code: "ERR_PUBLISH_ABORTED" });
      answerC();
      clock.advance(9_875);

      expect(await a).toEqual(["a"]);
    });

    it("and keeps no timer for it when nobody wants it", async () => {
      const { a, c, wants, answerC } = await heldBack();
      wants[0]?.abort();
      await expect(a).rejects.toMatchObject({ code: "ERR_PUBLISH_ABORTED" });
      wants[2]?.abort();
      await expect(c).rejects.toMatchObject({ code: "ERR_PUBLISH_ABORTED" });
      answerC();
      await new Promise(setImmediate);
      await clock.whenIdle();
    });
  });

  it("is over when the machine's clock was set back, and the next is heeded all the same", async () => {
    answers(SLOW_DOWN, ACCEPTED, SLOW_DOWN);
    const shared = counted({ retry: { attempts: 1 } });
    await rejection(shared.create(order));
    clock.setBack(3_600_000);
    expect(await shared.create({ ...order, id: "b" })).toEqual(["b"]);
    await rejection(shared.create(order));
    const third = shared.create({ ...order, id: "c" });
    await clock.whenScheduled(10_000);
    expect(sent).toBe(3);
    clock.advance(10_000);

    expect(await third).toEqual(["c"]);
  });

  it("of other answers it is for their events only", async () => {
    answers(refused(500, "InternalServerError", "oops", { "retry-after": "10" }));
    const shared = counted();
    const first = shared.create(order);
    await clock.whenScheduled(10_000);
    expect(await shared.create({ ...order, id: "b" })).toEqual(["b"]);
    clock.advance(10_000);
    await first;
  });
});

describe("attempts are bounded", () => {
  it("by their number", async () => {
    topic.answer = () => BUSY;
    const failed = rejection(publisher({ retry: { attempts: 3 } }).create(order));
    for (const wait of [125, 250]) {
      await clock.whenScheduled(wait);
      clock.advance(wait);
    }

    expect(await failed).toMatchObject({
      status: 503,
      code: "ERR_PUBLISH_UNAVAILABLE",
      retryable: true,
      message: `[POST] "${topic.endpoint}": 503 ServiceUnavailable: busy (after 3 attempts)`,
      events: [{ id: "a", mayHaveArrived: true }],
    });
    expect(topic.requests).toHaveLength(3);
  });

  it("429 says clearly that the event is not in the topic", async () => {
    topic.answer = () => refused(429, "TooManyRequests", "slow down");

    expect(await rejection(publisher({ retry: { attempts: 1 } }).create(order))).toMatchObject({
      events: [{ id: "a", mayHaveArrived: false }],
    });
  });

  it("each by a time-out of its own, also when nothing is set", async () => {
    answers("hang");
    const created = publisher().create(order);
    await clock.whenScheduled(20_000);
    await topic.arrivals(1);
    clock.advance(20_000);
    await clock.whenScheduled(125);
    clock.advance(125);

    expect(await created).toEqual(["a"]);
  });

  it("all together by the call's time", async () => {
    topic.answer = () => "hang";
    const failed = rejection(publisher().create(order, { timeoutMs: 5_000 }));
    await topic.arrivals(1);
    clock.advance(5_000);

    expect(await failed).toMatchObject({
      code: "ERR_PUBLISH_TIMEOUT",
      retryable: true,
      message: "the topic did not accept all events within 5000 ms",
      events: [{ id: "a", mayHaveArrived: true }],
    });
    await clock.whenIdle();
  });

  it("which tells why the last attempt failed", async () => {
    answers(BUSY, "hang");
    const failed = rejection(publisher({ timeoutMs: 5_000 }).create(order));
    await clock.whenScheduled(125);
    clock.advance(125);
    await topic.arrivals(2);
    clock.advance(5_000);

    expect(await failed).toMatchObject({
      code: "ERR_PUBLISH_TIMEOUT",
      message: `the topic did not accept all events within 5000 ms (last: [POST] "${topic.endpoint}": 503 ServiceUnavailable: busy)`,
    });
  });

  it("which is a minute when nothing is set", async () => {
    topic.answer = () => "hang";
    const failed = rejection(publisher({ attemptTimeoutMs: 100_000 }).create(order));
    await topic.arrivals(1);
    clock.advance(60_000);

    expect(await failed).toMatchObject({ code: "ERR_PUBLISH_TIMEOUT" });
  });
});

describe("an AbortSignal", () => {
  it("that is aborted already keeps everything back", async () => {
    const reason = new Error("no longer wanted");
    const error = await rejection(publisher().create(order, { signal: AbortSignal.abort(reason) }));

    expect(error).toMatchObject({ code: "ERR_PUBLISH_ABORTED", retryable: false });
    expect(error.cause).toBe(reason);
    expect(error.events).toEqual([
      { index: 0, id: "a", type: "shop.order.placed", mayHaveArrived: false },
    ]);
    expect(topic.requests).toEqual([]);
  });

  it("ends the request under way", async () => {
    let closed: Promise<unknown> | undefined;
    topic.answer = ({ closed: ofRequest }) => {
      closed = ofRequest;
      return "hang";
    };
    const controller = new AbortController();
    const failed = rejection(publisher().create(order, { signal: controller.signal }));
    await topic.arrivals(1);
    controller.abort();

    expect(await failed).toMatchObject({
      code: "ERR_PUBLISH_ABORTED",
      events: [{ mayHaveArrived: true }],
    });
    await closed;
    await clock.whenIdle();
  });

  it("ends the wait for the next attempt", async () => {
    topic.answer = () => BUSY;
    const controller = new AbortController();
    const failed = rejection(publisher().create(order, { signal: controller.signal }));
    await clock.whenScheduled(125);
    controller.abort();

    expect(await failed).toMatchObject({ code: "ERR_PUBLISH_ABORTED" });
    await clock.whenIdle();
    expect(topic.requests).toHaveLength(1);
  });

  it("leaves the request to the others who share it", async () => {
    let accept: (() => void) | undefined;
    topic.answer = () =>
      new Promise((resolve) => {
        accept = () => resolve(ACCEPTED);
      });
    const controller = new AbortController();
    const shared = publisher();
    const failed = rejection(shared.create(order, { signal: controller.signal }));
    const other = shared.create({ ...order, id: "b" });
    await topic.arrivals(1);
    controller.abort();

    expect(await failed).toMatchObject({ code: "ERR_PUBLISH_ABORTED" });
    accept?.();
    expect(await other).toEqual(["b"]);
  });

  it("is let go when the call is settled", async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    await publisher().create(order, { signal });

    expect(listeners).toBe(0);
  });
});
