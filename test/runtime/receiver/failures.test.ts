import { describe, expect, it } from "vitest";
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
    for (const waitMs of [125, 250, 500]) await clock.pass(waitMs);
    await clock.whenScheduled(1_000);
    expect(gateway.requests).toHaveLength(4);
    expect(receiver.isReady()).toBe(true);
    expect(log.withMessage("the namespace does not wait for events: receiving less often")).toEqual(
      [expect.objectContaining({ level: "warn" })],
    );
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
  it("covers the events that end together in one request", async () => {
    const { queue, binding, publish } = await newQueue();
    await publish(...Array.from({ length: 50 }, () => ({})));
    await startReceiver(gateway.bindingTo(binding));
    await until(() => expect(queue.counts).toMatchObject({ acknowledged: 50 }));
    const sizes = gateway.requests
      .filter(({ operation }) => operation === "acknowledge")
      .map(({ lockTokens }) => lockTokens.length);
    expect(sizes).toEqual([50]);
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
