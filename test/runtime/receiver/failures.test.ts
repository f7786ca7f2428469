import { describe, expect, it } from "vitest";
import { waitAfter } from "../../../runtime/src/receiver/queue.js";
import { dispositionOf } from "../../../runtime/src/receiver/settler.js";
import { gate } from "../../support/gate.js";
import { startGateway } from "./gateway.js";
import { startNamespace, startReceiver, until } from "./service.js";

const { cloud, newQueue, namespace } = await startNamespace();
const cloudAdvance = (seconds: number) => cloud.clock.advance({ seconds });
const gateway = await startGateway();

const CANNOT_RECEIVE = "events cannot be received: trying again";
const UNCONFIRMED =
  "lock ran out before the settlement was confirmed: the event may be delivered again";

describe("a receive request that fails", () => {
  it.each([
    ["401", { status: 401 }, "EventGrid Data Receiver|access key or SAS token"],
    ["403", { status: 403 }, "network rules"],
    ["404", { status: 404 }, "Check topicName and eventSubscriptionName"],
    ["429", { status: 429 }, "429"],
    ["503", { status: 503 }, "503"],
    ["a broken connection", "break", "receive"],
    ["a body that is not JSON", { status: 200, body: "<html>" }, "is not JSON. Check namespaceEnd"],
    ["an object without events", { status: 200, body: "{}" }, 'has no list "value"'],
    ["an array", { status: 200, body: "[]" }, 'has no list "value"'],
    ["events without a lock", { status: 200, body: '{"value":[{},{}]}' }, "without a lock token"],
  ] as const)("is repeated after %s, and its reason is logged once", async (_, fault, reason) => {
    const { queue, binding, publish } = await newQueue();
    gateway.fault = () => (gateway.requests.length <= 3 ? fault : undefined);
    const service = await startReceiver(gateway.bindingTo(binding));
    expect(service.receiver.isReady()).toBe(false);
    await publish({});
    await service.clock.whenScheduled(125);
    expect(service.receiver.isReady()).toBe(false);
    service.clock.advance(125);
    await service.clock.pass(250);
    await service.clock.pass(500);
    await until(() => expect(queue.counts).toMatchObject({ acknowledged: 1 }));
    expect(service.receiver.isReady()).toBe(true);
    expect(service.log.withMessage(CANNOT_RECEIVE)).toMatchObject([
      { level: "warn", reason: expect.stringMatching(reason) },
    ]);
    expect(service.log.withMessage("events are received again")).toMatchObject([{ failures: 3 }]);
  });

  it("waits for as long as Retry-After says", async () => {
    const { binding } = await newQueue();
    const headers = { "retry-after": "7" };
    gateway.fault = () => (gateway.requests.length === 1 ? { status: 429, headers } : undefined);
    const { clock, receiver } = await startReceiver(gateway.bindingTo(binding));
    await clock.whenScheduled(7_000);
    clock.advance(6_999);
    expect(gateway.requests).toHaveLength(1);
    clock.advance(1);
    await until(() => expect(gateway.requests).toHaveLength(2));
    expect(receiver.isReady()).toBe(false);
    // A namespace refuses at once: a request that waits was accepted.
    clock.advance(2_000);
    expect(receiver.isReady()).toBe(true);
  });

  it("is repeated at once with the key that is valid now", async () => {
    const { queue, binding, publish } = await newQueue();
    await publish({});
    const keys = ["rotated-key", namespace.accessKey];
    const { accessKey: _, ...keyless } = binding;
    const service = await startReceiver(gateway.bindingTo(keyless), {
      accessKey: () => keys.shift() ?? namespace.accessKey,
    });
    await until(() => expect(queue.counts).toMatchObject({ acknowledged: 1 }));
    expect(gateway.requests[0]?.authorization).toBe("SharedAccessKey rotated-key");
    expect(service.log.withMessage(CANNOT_RECEIVE)).toEqual([]);
    expect(JSON.stringify(service.log.lines)).not.toContain("rotated-key");
  });
});

describe("a receive request", () => {
  it("is repeated less often when it returns at once without events, and that is logged", async () => {
    const { binding } = await newQueue();
    gateway.fault = () => ({ status: 200, body: '{"value":[]}' });
    const { clock, log, receiver } = await startReceiver(gateway.bindingTo(binding));
    const warned = () =>
      log.withMessage("the namespace does not wait for events: receiving less often");
    await clock.pass(125);
    await clock.whenScheduled(250);
    expect(warned()).toEqual([]);
    clock.advance(250);
    await clock.whenScheduled(500);
    expect(warned()).toEqual([expect.objectContaining({ level: "warn" })]);
    clock.advance(500);
    await clock.whenScheduled(1_000);
    expect(warned()).toHaveLength(1);
    expect(gateway.requests).toHaveLength(4);
    expect(receiver.isReady()).toBe(true);
  });

  it("is repeated at once when it has waited for a tenth of its time without events", async () => {
    const { binding } = await newQueue();
    const waits = [6_000, 5_999];
    gateway.fault = () => {
      clock.advance(waits.shift() ?? 0);
      return { status: 200, body: '{"value":[]}' };
    };
    const { clock } = await startReceiver(gateway.bindingTo(binding));
    await clock.whenScheduled(125);
    expect(gateway.requests).toHaveLength(2);
  });

  it("asks for as many events as handlers are free, for a minute, and has 20 s more", async () => {
    const { binding } = await newQueue();
    const { clock } = await startReceiver(gateway.bindingTo(binding));
    await clock.whenScheduled(80_000);
    await until(() => expect(gateway.requests).toHaveLength(1));
    expect(Object.fromEntries(gateway.requests[0]?.query ?? [])).toEqual({
      ...{ "api-version": "2024-06-01", maxEvents: "64", maxWaitTime: "60" },
    });
  });

  it("is repeated after a pause when only some of its events have a lock, which are handled", async () => {
    const { binding } = await newQueue();
    const event = { specversion: "1.0", id: "a", source: "/shop", type: "shop.order.placed" };
    const value = [{ event }, { event, brokerProperties: { lockToken: "t", deliveryCount: 1 } }];
    gateway.fault = () => ({ status: 200, body: JSON.stringify({ value }) });
    const { clock, ids, receiver } = await startReceiver(gateway.bindingTo(binding));
    await clock.whenScheduled(125);
    await until(() => expect(ids()).toEqual(["a"]));
    expect(receiver.isReady()).toBe(false);
  });
});

describe("a settlement", () => {
  it("covers the events that end together in one request, and a hundred at most", async () => {
    const { queue, binding, publish } = await newQueue();
    for (const length of [70, 50]) await publish(...Array.from({ length }, () => ({})));
    const handlers = gate();
    const on = { "*": () => handlers.passed };
    const { clock } = await startReceiver(gateway.bindingTo(binding), { on, concurrency: 120 });
    // With room for less than half of its handlers, it waits a little for more.
    await clock.pass(20);
    await until(() => expect(queue.counts).toMatchObject({ locked: 120 }));
    handlers.open();
    await until(() => expect(queue.counts).toMatchObject({ acknowledged: 120 }));
    const sizes = gateway.requests
      .filter(({ operation }) => operation === "acknowledge")
      .map(({ lockTokens }) => lockTokens.length);
    expect(sizes.toSorted()).toEqual([100, 20]);
  });

  it("holds back further events while a thousand wait for theirs", async () => {
    const { queue, binding, publish } = await newQueue();
    for (let times = 0; times < 11; times += 1) {
      await publish(...Array.from({ length: 100 }, () => ({})));
    }
    gateway.fault = ({ operation }) => (operation === "acknowledge" ? { status: 503 } : undefined);
    const { clock } = await startReceiver(gateway.bindingTo(binding), {
      concurrency: 100,
      prefetch: 0,
    });
    await until(() => expect(queue.counts).toMatchObject({ locked: 1_000 }));
    const answered = gateway.answered("acknowledge");
    await until(() => {
      clock.advance(10);
      expect(gateway.answered("acknowledge")).toBeGreaterThan(answered);
    });
    expect(queue.counts).toMatchObject({ locked: 1_000, waiting: 100 });
  });

  it("is sent again when it fails, until it succeeds", async () => {
    const { queue, binding, publish } = await newQueue();
    await publish({});
    let failures = 0;
    gateway.fault = ({ operation }) => {
      if (operation !== "acknowledge" || failures === 2) return undefined;
      failures += 1;
      return failures === 1 ? "break" : { status: 200, body: "{}" };
    };
    const { clock, handled } = await startReceiver(gateway.bindingTo(binding));
    await clock.pass(125);
    await clock.pass(250);
    await until(() => expect(queue.counts).toMatchObject({ acknowledged: 1 }));
    expect(handled).toHaveLength(1);
  });

  it("is sent again for the tokens that failed within a response of 200", async () => {
    const { queue, binding, publish } = await newQueue();
    await publish({}, {});
    gateway.fault = ({ operation, lockTokens: [lockToken] }) => {
      const isFirst = gateway.operations().filter((name) => name === "acknowledge").length === 1;
      if (operation !== "acknowledge" || !isFirst) return undefined;
      const error = { code: "InternalServerError", message: "try again" };
      const failedLockTokens = [{ lockToken, error }];
      return { status: 200, body: JSON.stringify({ succeededLockTokens: [], failedLockTokens }) };
    };
    const { clock } = await startReceiver(gateway.bindingTo(binding));
    await clock.pass(125);
    // The gateway said that the other token succeeded.
    await until(() => expect(queue.counts).toMatchObject({ acknowledged: 1, locked: 1 }));
  });

  it("is sent again when its response is lost, and logged as unconfirmed", async () => {
    const { queue, binding, publish } = await newQueue();
    await publish({});
    gateway.fault = ({ operation }) => (operation === "acknowledge" ? "lose response" : undefined);
    const { clock, log } = await startReceiver(gateway.bindingTo(binding));
    await clock.whenScheduled(125);
    gateway.fault = () => undefined;
    clock.advance(125);
    await until(() => expect(log.withMessage(UNCONFIRMED)).toHaveLength(1));
    expect(queue.counts).toMatchObject({ acknowledged: 1, waiting: 0, locked: 0 });
  });

  it("is given up when the lock has run out; the event is not handled again when it is redelivered", async () => {
    const { queue, binding, publish } = await newQueue();
    await publish({});
    const { clock, handled, log } = await startReceiver(gateway.bindingTo(binding));
    gateway.fault = ({ operation }) => (operation === "acknowledge" ? { status: 500 } : undefined);
    await until(() => {
      clock.advance(1_000);
      expect(log.withMessage(UNCONFIRMED)).toHaveLength(1);
    });
    gateway.fault = () => undefined;
    expect(queue.counts).toMatchObject({ locked: 1 });
    await cloudAdvance(60);
    await until(() => {
      // Until its next attempt to settle is due.
      clock.advance(100);
      expect(queue.counts).toMatchObject({ acknowledged: 1 });
    });
    expect(handled).toHaveLength(1);
  });
});

it.each([
  [1, undefined, 250],
  [2, undefined, 500],
  [7, undefined, 16_000],
  [8, undefined, 30_000],
  [1, 299_999, 299_999],
  [1, 300_001, 300_000],
])("the longest wait for %i failures and Retry-After %s is %i ms", (failures, asked, ms) => {
  expect(waitAfter(failures, { random: () => 1 }, asked)).toBe(ms);
});

it.each([
  ["handled", "acknowledge", undefined],
  ["duplicate", "acknowledge", undefined],
  ["unhandled", "acknowledge", undefined],
  ["rejected", "reject", undefined],
  ["malformed", "reject", undefined],
  ["failed", "release", 60],
  ["deferred", "release", 60],
  ["in-progress", "release", 10],
  ["timed-out", "release", 0],
] as const)(
  "an event that was %s at its second delivery: %s",
  (outcome, operation, delaySeconds) => {
    expect(dispositionOf(outcome, 2, [0, 60, 600])).toEqual({ operation, delaySeconds });
  },
);
