import { createReceiver, type PullRuntimeBinding } from "cloud-eventgrid-binding-runtime";
import { describe, expect, it } from "vitest";
import { gate } from "../../support/gate.js";
import { startGateway } from "./gateway.js";
import { startNamespace, startReceiver, until } from "./service.js";

const { newQueue } = await startNamespace();
const gateway = await startGateway();

const UNSETTLED =
  "the drain ended before all settlements were confirmed: the events may be delivered again";

/** A receiver with one handler at a time, which has begun the first of five events. */
async function busyReceiver(through = (binding: PullRuntimeBinding) => binding) {
  const { queue, binding, publish } = await newQueue();
  const handler = gate();
  const signals: AbortSignal[] = [];
  const first = gate();
  const service = await startReceiver(through(binding), {
    concurrency: 1,
    on: {
      "*": (event, { signal }) => {
        if (event.id === "first") return first.open();
        signals.push(signal);
        return handler.passed;
      },
    },
    signals: ["SIGUSR2"],
    health: { port: 0, host: "127.0.0.1" },
  });
  await publish({ id: "first" });
  // Now the receiver knows how long handlers take, and prefetches.
  await until(() => expect(queue.counts).toMatchObject({ acknowledged: 1 }));
  await publish({}, {}, {}, {}, {});
  await until(() => expect(queue.counts).toMatchObject({ locked: 5 }));
  await until(() => expect(signals).toHaveLength(1));
  return { ...service, queue, handler, signals };
}

describe("close()", () => {
  it("releases waiting events at once, lets the running handler finish, and receives nothing more", async () => {
    const { receiver, queue, handler, log } = await busyReceiver();
    const drained = receiver.close();
    expect(receiver.isReady()).toBe(false);
    await until(() => expect(queue.counts).toMatchObject({ released: 4, waiting: 4, locked: 1 }));
    handler.open();
    await drained;
    expect(queue.counts).toMatchObject({ acknowledged: 2, waiting: 4, locked: 0 });
    expect(log.withMessage("deliveries")).toMatchObject([
      { level: "info", deliveries: 5, outcomes: { handled: 1, released: 4 } },
    ]);
  });

  it("releases the event of a handler that takes longer than drainTimeoutMs", async () => {
    const { receiver, queue, clock, signals } = await busyReceiver();
    const drained = receiver.close();
    await clock.pass(25_000);
    await drained;
    expect(signals[0]?.aborted).toBe(true);
    expect(queue.counts).toMatchObject({ released: 5, waiting: 5, locked: 0 });
  });

  it("is called by a signal, and a second one ends the wait for handlers", async () => {
    const { receiver, queue, log } = await busyReceiver();
    process.emit("SIGUSR2", "SIGUSR2");
    await until(() => expect(queue.counts).toMatchObject({ released: 4 }));
    process.emit("SIGUSR2", "SIGUSR2");
    await receiver.close();
    expect(queue.counts).toMatchObject({ released: 5, waiting: 5 });
    expect(log.withMessage("draining before shutdown")).toMatchObject([
      { signal: "SIGUSR2", maxMs: 35_000 },
    ]);
    expect(process.listenerCount("SIGUSR2")).toBe(0);
  });

  it("ends its wait for settlements at a third signal", async () => {
    const { receiver, signals, log } = await busyReceiver(gateway.bindingTo);
    gateway.fault = ({ operation }) => (operation === "release" ? { status: 503 } : undefined);
    for (let times = 0; times < 2; times += 1) process.emit("SIGUSR2", "SIGUSR2");
    await until(() => expect(signals[0]?.aborted).toBe(true));
    process.emit("SIGUSR2", "SIGUSR2");
    await receiver.close();
    expect(log.withMessage(UNSETTLED)).toMatchObject([{ events: 5 }]);
  });

  it.each([
    ["goes on settling when the namespace recovers after 34 s", true, { acknowledged: 1 }, []],
    [
      "gives up the settlements after 35 s, and leaves no timer behind",
      false,
      { locked: 1 },
      [expect.objectContaining({ level: "warn", events: 1 })],
    ],
  ])("%s", async (_, recovers, counts, unsettled) => {
    const { queue, binding, publish } = await newQueue();
    await publish({});
    gateway.fault = ({ operation }) => (operation === "acknowledge" ? { status: 503 } : undefined);
    const { receiver, clock, log } = await startReceiver(gateway.bindingTo(binding));
    await clock.whenScheduled(125);
    const drained = receiver.close();
    for (const waitMs of [125, 250, ...Array(67).fill(500)]) await clock.pass(waitMs);
    if (recovers) gateway.fault = () => undefined;
    await clock.advanceUntil(drained, 100);
    await clock.whenIdle();
    expect(queue.counts).toMatchObject(counts);
    expect(log.withMessage(UNSETTLED)).toEqual(unsettled);
  });

  it("leaves nothing to start again", async () => {
    const { binding } = await newQueue();
    const { receiver } = await startReceiver(binding);
    await receiver.close();
    await expect(receiver.start()).rejects.toMatchObject({ code: "ERR_RECEIVER_START" });
  });
});

describe("the health routes", () => {
  it("report readiness and life until the drain has ended", async () => {
    const { receiver, handler } = await busyReceiver();
    const status = async (path: string) =>
      (await fetch(`http://127.0.0.1:${receiver.healthPort}${path}`)).status;
    expect(await status("/readyz")).toBe(200);
    expect(await status("/healthz")).toBe(200);
    expect(await status("/other")).toBe(404);
    const drained = receiver.close();
    expect(await status("/readyz")).toBe(503);
    handler.open();
    await drained;
    expect(receiver.healthPort).toBeUndefined();
  });

  it("ask for a restart when all slots are held for longer than locks can be renewed", async () => {
    const { receiver, clock, handler } = await busyReceiver();
    const live = async () =>
      (await fetch(`http://127.0.0.1:${receiver.healthPort}/healthz`)).status;
    clock.advance(60 * 60_000 + 60_000);
    expect(await live()).toBe(200);
    clock.advance(1);
    expect(await live()).toBe(503);
    handler.open();
    await until(async () => expect(await live()).toBe(200));
  });

  it("fail the start while their port is in use", async () => {
    const { binding } = await newQueue();
    const { receiver } = await startReceiver(binding, { health: { port: 0, host: "127.0.0.1" } });
    const health = { port: receiver.healthPort ?? 0, host: "127.0.0.1" };
    const on = { "*": () => {} };
    await using second = createReceiver(binding, { on, health, logger: false });
    await expect(second.start()).rejects.toMatchObject({
      code: "ERR_RECEIVER_START",
      message: expect.stringContaining("the port is in use"),
    });
    await receiver.close();
    await second.start();
    expect(second.healthPort).toBe(health.port);
  });
});
