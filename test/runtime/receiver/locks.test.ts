import { describe, expect, it } from "vitest";
import { gate } from "../../support/gate.js";
import { measuring } from "../../support/measuring.js";
import { startGateway } from "./gateway.js";
import { type Service, startNamespace, startReceiver, until } from "./service.js";

const { cloud, newQueue } = await startNamespace();
const gateway = await startGateway();

const LOST = "lock ran out: the event is delivered again";

/** Moves the time of the cloud and of a receiver to a renewal, and waits until the next is scheduled. */
async function passToRenewal({ clock }: Service, seconds: number, next = 30) {
  await cloud.clock.advance({ seconds });
  clock.advance(seconds * 1_000);
  await clock.whenScheduled(next * 1_000);
}

describe("the lock of an event whose handler runs", () => {
  it("is renewed at half of its time, together with others", async () => {
    const { queue, binding, publish } = await newQueue();
    const handlers = gate();
    await publish({}, {});
    const service = await startReceiver(gateway.bindingTo(binding), {
      on: { "*": () => handlers.passed },
    });
    await until(() => expect(queue.counts).toMatchObject({ locked: 2 }));
    await service.clock.whenScheduled(30_000);
    for (let minute = 0; minute < 5; minute += 0.5) await passToRenewal(service, 30);
    handlers.open();
    await until(() => expect(queue.counts).toMatchObject({ acknowledged: 2, lockExpired: 0 }));
    const renewals = gateway.requests.filter(({ operation }) => operation === "renewLock");
    expect(renewals.map(({ lockTokens }) => lockTokens.length)).toEqual(Array(10).fill(2));
  });

  it("runs out after an hour and its last renewal; the signal is aborted, and another delivery waits", async () => {
    const { queue, binding, publish } = await newQueue();
    const handlers = gate();
    const signals: AbortSignal[] = [];
    const { meterProvider, measured } = measuring();
    await publish({});
    const service = await startReceiver(gateway.bindingTo(binding), {
      telemetry: { meterProvider },
      on: {
        "*": (_, { signal }) => {
          signals.push(signal);
          return handlers.passed;
        },
      },
    });
    await service.clock.whenScheduled(30_000);
    for (let minutes = 0; minutes < 59; minutes += 0.5) await passToRenewal(service, 30);
    await passToRenewal(service, 30, 24);
    await passToRenewal(service, 24, 60);
    expect(signals[0]?.aborted).toBe(false);
    service.clock.advance(60_000);
    expect(signals[0]?.aborted).toBe(true);
    expect(service.log.withMessage(LOST)).toMatchObject([{ unfinished: 1 }]);
    expect((await measured()).values["eventgrid.receiver.lost_locks"]).toEqual([["", 1]]);
    const eventually = (counts: object) =>
      until(async () => {
        await cloud.clock.advance({ seconds: 1 });
        service.clock.advance(1_000);
        expect(queue.counts).toMatchObject(counts);
      });
    await eventually({ lockExpired: 1, delayed: 1 });
    handlers.open();
    await eventually({ acknowledged: 1 });
    expect(signals).toHaveLength(1);
  });

  it("is renewed although the lock of another event has ended", async () => {
    const { queue, binding, publish } = await newQueue();
    const handlers = gate();
    const service = await startReceiver(gateway.bindingTo(binding), {
      on: { "shop.order.paid": () => {}, "*": () => handlers.passed },
    });
    // Once alone, and once together with it.
    await publish({ type: "shop.order.paid" });
    await until(() => expect(queue.counts).toMatchObject({ acknowledged: 1 }));
    await publish({}, { type: "shop.order.paid" });
    await until(() => expect(queue.counts).toMatchObject({ acknowledged: 2, locked: 1 }));
    await service.clock.whenScheduled(30_000);
    service.clock.advance(30_000);
    await until(() => expect(gateway.answered("renewLock")).toBe(1));
    handlers.open();
  });

  it.each([
    ["TokenLost", 1],
    ["BadToken", 1],
    ["InternalServerError", 0],
  ])("is lost if a renewal says so, and kept otherwise: %s", async (code, lost) => {
    const { binding, publish } = await newQueue();
    const handlers = gate();
    await publish({});
    gateway.fault = ({ operation, lockTokens: [lockToken] }) => {
      if (operation !== "renewLock") return undefined;
      const failedLockTokens = [{ lockToken, error: { code } }];
      return { status: 200, body: JSON.stringify({ succeededLockTokens: [], failedLockTokens }) };
    };
    const service = await startReceiver(gateway.bindingTo(binding), {
      on: { "*": () => handlers.passed },
    });
    await service.clock.whenScheduled(30_000);
    service.clock.advance(30_000);
    if (lost === 0) {
      await until(() => expect(gateway.answered("renewLock")).toBe(1));
      service.clock.advance(6_000);
      await until(() => expect(gateway.answered("renewLock")).toBe(2));
    }
    await until(() => expect(service.log.withMessage(LOST)).toHaveLength(lost));
    handlers.open();
  });

  it("is renewed again after a failed renewal, for as long as it lasts", async () => {
    const { binding, publish } = await newQueue();
    const handlers = gate();
    await publish({});
    gateway.fault = ({ operation }) => (operation === "renewLock" ? { status: 503 } : undefined);
    const service = await startReceiver(gateway.bindingTo(binding), {
      on: { "*": () => handlers.passed },
    });
    await service.clock.whenScheduled(30_000);
    for (const seconds of [30, 6, 6, 6, 6]) {
      const renewals = gateway.answered("renewLock");
      service.clock.advance(seconds * 1_000);
      await until(() => expect(gateway.answered("renewLock")).toBe(renewals + 1));
    }
    expect(gateway.answered("renewLock")).toBe(5);
    expect(service.log.withMessage(LOST)).toEqual([]);
    service.clock.advance(6_000);
    expect(service.log.withMessage(LOST)).toHaveLength(1);
    handlers.open();
  });
});

describe("a receiver", () => {
  it("receives no more events than handlers are free for until it knows how long they take", async () => {
    const { queue, binding, publish } = await newQueue();
    const handlers = gate();
    await publish(...Array.from({ length: 20 }, () => ({})));
    let running = 0;
    let most = 0;
    await startReceiver(gateway.bindingTo(binding), {
      concurrency: 3,
      on: {
        "*": async () => {
          running += 1;
          most = Math.max(most, running);
          await handlers.passed;
          running -= 1;
        },
      },
    });
    await until(() => expect(running).toBe(3));
    expect(queue.counts).toMatchObject({ locked: 3, waiting: 17 });
    handlers.open();
    await until(() => expect(queue.counts).toMatchObject({ acknowledged: 20 }));
    expect(most).toBe(3);
  });

  it("receives fewer events the longer its handlers take", async () => {
    const { queue, binding, publish } = await newQueue();
    const gates = [gate(), gate()];
    let calls = 0;
    await publish(...Array.from({ length: 20 }, () => ({})));
    const service = await startReceiver(gateway.bindingTo(binding), {
      concurrency: 1,
      on: { "*": () => gates[calls++]?.passed },
    });
    await until(() => expect(calls).toBe(1));
    service.clock.advance(10_000);
    gates[0]?.open();
    // 30 s of a lock's minute are enough for three handlers of 10 s, besides the one that runs.
    await until(() => expect(calls).toBe(2));
    // Meanwhile, a further request would arrive.
    for (let time = 0; time < 5; time += 1) await publish({});
    expect(queue.counts).toMatchObject({ locked: 4 });
    const receives = gateway.requests.filter(({ operation }) => operation === "receive");
    expect(receives.map(({ query }) => query.get("maxEvents"))).toEqual(["1", "4"]);
    gates[1]?.open();
  });
});
