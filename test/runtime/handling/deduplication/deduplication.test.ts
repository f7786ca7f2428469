import { type DeduplicationStore, MemoryDeduplication } from "cloud-eventgrid-binding-runtime";
import fastify from "fastify";
import { describe, expect, it } from "vitest";
import { gate, heldWork } from "../../../support/gate.js";
import { CLIENT, TestIssuer } from "../../../support/issuer.js";
import { LogLines } from "../../../support/log-lines.js";
import { ManualClock } from "../../../support/manual-clock.js";
import { pinoTo } from "../../../support/pino.js";
import { anEvent, BATCH, startService } from "../../listener/service.js";
import { RecordingStore } from "./recording-store.js";

/** A store of which every claim succeeds. */
function lenient(replaced: Partial<DeduplicationStore>): DeduplicationStore {
  return {
    leaseMs: 60_000,
    claim: (keys) => keys.map(() => ({})),
    settle() {},
    extend() {},
    ...replaced,
  };
}

describe("deduplication", () => {
  it("distinguishes events by subscription, source and id", async () => {
    const { deliver, handled } = await startService();
    const event = anEvent();
    await deliver(event);
    await deliver(event, { headers: { "aeg-subscription-name": "OTHER" } });
    await deliver({ ...event, source: "/other" });
    await deliver(event, { headers: { "aeg-subscription-name": "orders" } });
    expect(handled).toHaveLength(3);
  });

  it("handles every telemetry message of IoT Hub, which may have the same id", async () => {
    const deduplication = new RecordingStore();
    const { deliver, handled } = await startService({ deduplication });
    const message = (number: number) =>
      anEvent({ id: "same", type: "Microsoft.Devices.DeviceTelemetry", data: { number } });
    await deliver(message(1));
    await deliver(message(2));
    await deliver([message(3), message(4)], { contentType: BATCH });
    expect(handled.map(({ event }) => event.data)).toEqual(
      [1, 2, 3, 4].map((number) => ({ number })),
    );
    expect(deduplication.calls).toEqual([]);
  });

  it("compares what deduplicationKey returns, digested if it is long", async () => {
    const store = new RecordingStore();
    const keys: unknown = { long: "x".repeat(1_000), none: undefined, empty: "", some: "key" };
    const log = new LogLines();
    const { log: logger } = fastify({ logger: { level: "error", stream: log } });
    const { deliver, ids } = await startService({
      deduplication: store,
      logger,
      deduplicationKey: ({ data }) => {
        if (data === "throws") throw new Error("no such member");
        return Reflect.get(Object(keys), String(data));
      },
    });
    for (const data of ["some", "long", "none", "empty", "throws"]) {
      const [first, repeated] = [1, 2].map((count) => anEvent({ id: `${data} ${count}`, data }));
      expect((await deliver(first)).status).toBe(200);
      expect((await deliver([repeated, repeated], { contentType: BATCH })).status).toBe(200);
    }
    const repeated = (data: string) => ids().filter((id) => id === `${data} 2`).length;
    expect(["some", "long"].map(repeated)).toEqual([0, 0]);
    expect(["none", "empty", "throws"].map(repeated)).toEqual([2, 2, 2]);
    expect(store.claimed).toHaveLength(6);
    expect(store.claimed[0]).toMatchObject({ source: "/shop", id: "key" });
    expect(Math.max(...store.claimed.map(({ id }) => id.length))).toBeLessThan(300);
    expect(
      log.withMessage("deduplicationKey failed: the event is handled even if it is a duplicate"),
    ).toMatchObject([
      ...Array(3).fill({
        err: { message: "it returned an empty string instead of a string or undefined" },
      }),
      ...Array(3).fill({ err: { message: "no such member" } }),
    ]);
  });

  it("can be shared by replicas, and turned off", async () => {
    const issuer = await TestIssuer.start();
    const store = new RecordingStore();
    const one = await startService({ issuer, deduplication: store });
    const two = await startService({ issuer, deduplication: store });
    const event = anEvent({ id: "shared" });
    await one.deliver(event);
    await two.deliver(event);
    expect([one.ids(), two.ids()]).toEqual([["shared"], []]);
    const key = { subscriptionKey: "orders", source: "/shop", id: "shared" };
    expect(store.claimed).toEqual(Array(2).fill({ consumer: `${CLIENT}/api/events`, ...key }));

    const off = await startService({ deduplication: false });
    await off.deliver(event);
    await off.deliver(event);
    expect(off.ids()).toEqual(["shared", "shared"]);
  });

  it.each([
    ["of another word", ["Done"], `claim is "Done": it must be an object`],
    ["that are missing", [], "claim is undefined: it must be an object"],
    ["that are null", [null], "claim is null: it must be an object"],
    ["that are no list", { id: "a" }, "returned an object, not a list of claims"],
  ])("answers 503 without calling the handler for claims %s", async (_, claims, shown) => {
    const deduplication = new RecordingStore();
    // A store written in JavaScript may return anything.
    Object.defineProperty(deduplication, "claim", { value: async () => claims });
    const { deliver, handled, log } = await startService({
      logLevel: "error",
      deduplication,
    });
    expect((await deliver(anEvent())).status).toBe(503);
    expect(handled).toEqual([]);
    expect(log.text).toContain(JSON.stringify(shown).slice(1, -1));
  });

  it("extends the lease beyond the deadline, until the handler has ended", async () => {
    const store = new RecordingStore(30_000);
    const timer = new ManualClock();
    const handler = heldWork();
    const { deliver } = await startService({
      timer,
      deduplication: store,
      deadlineMs: 25_000,
      on: { "*": handler.run },
    });
    const event = anEvent();
    const first = deliver(event);
    await handler.started;
    timer.advance(25_000);
    expect((await first).status).toBe(503);
    const extensions = () => store.calls.filter((call) => call.startsWith("extend")).length;
    expect(extensions()).toBe(1);
    timer.advance(5_000);
    expect(extensions()).toBe(2);
    expect((await deliver(event)).status).toBe(503);
    handler.end();
    await expect.poll(async () => (await deliver(event)).status).toBe(200);
    timer.advance(600_000);
    expect(extensions()).toBe(2);
  });

  it("releases a claim that arrives after the deadline, without calling the handler", async () => {
    const store = new RecordingStore();
    const [claiming, slow] = [gate(), gate()];
    const claim = store.claim.bind(store);
    store.claim = async (keys) => {
      claiming.open();
      await slow.passed;
      return claim(keys);
    };
    const timer = new ManualClock();
    const { deliver, ids } = await startService({ deduplication: store, timer, deadlineMs: 4_000 });
    const [late, next] = [anEvent(), anEvent()];
    const delivering = deliver(late);
    await claiming.passed;
    timer.advance(4_000);
    expect((await delivering).status).toBe(503);
    slow.open();
    await expect.poll(async () => (await deliver(next)).status).toBe(200);
    expect(ids()).toEqual([next.id]);
    await expect.poll(async () => (await deliver(late)).status).toBe(200);
    expect(ids()).toEqual([next.id, late.id]);
  });
});

describe("a deduplication store that does not answer", () => {
  it("does not hold the handler slots, so the process stays alive", async () => {
    const timer = new ManualClock();
    const { deliver, url } = await startService({
      timer,
      deduplication: lenient({ claim: () => new Promise(() => {}) }),
      limits: { concurrentHandlers: 1 },
    });
    for (let seconds = 0; seconds < 100; seconds += 10) {
      const both = Promise.all([deliver(anEvent()), deliver(anEvent())]);
      await timer.advanceUntil(both, 10_000);
      expect((await both).map(({ status }) => status)).toEqual([503, 503]);
      expect((await fetch(new URL("/healthz", url))).status).toBe(200);
    }
  });

  it("does not change the 200 of a handled event whose outcome it does not store in 5 s", async () => {
    const timer = new ManualClock();
    const { deliver, handled, log } = await startService({
      timer,
      logLevel: "error",
      deduplication: lenient({ settle: () => new Promise(() => {}) }),
    });
    const delivering = deliver(anEvent());
    await timer.pass(5_000);
    expect((await delivering).status).toBe(200);
    expect(handled).toHaveLength(1);
    const stored = log.withMessage("outcome not stored yet: the event may be handled again");
    expect(stored).toMatchObject([{ reason: "timed out after 5000 ms" }]);
  });

  it("gets the outcome of a handled event every second until it is stored, for ten minutes", async () => {
    const memory = new MemoryDeduplication();
    const timer = new ManualClock();
    let failures = 2;
    const { deliver, ids, log } = await startService({
      timer,
      logLevel: "error",
      deduplication: lenient({
        claim: (keys) => memory.claim(keys),
        async settle(outcomes: Parameters<typeof memory.settle>[0]) {
          failures -= 1;
          if (failures >= 0) throw new Error("no connection");
          memory.settle(outcomes);
        },
      }),
    });
    const pass = async (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) {
        timer.advance(1_000);
        await new Promise(setImmediate);
      }
    };
    const event = anEvent();
    expect((await deliver(event)).status).toBe(200);
    await pass(1);
    expect((await deliver(event)).status).toBe(503);
    await pass(1);
    expect((await deliver(event)).status).toBe(200);
    expect(ids()).toEqual([event.id]);
    expect(log.withMessage("outcome not stored yet: the event may be handled again")).toHaveLength(
      1,
    );

    failures = Number.POSITIVE_INFINITY;
    await deliver(anEvent());
    const givenUp = () => log.withMessage("outcome given up: the event may be handled again");
    await pass(600);
    expect(givenUp()).toEqual([]);
    await pass(1);
    expect(givenUp()).toHaveLength(1);
  });

  it("gets an outcome that it could not store before the listener closes", async () => {
    let isStored = false;
    let isReachable = false;
    const { deliver, listener } = await startService({
      logger: pinoTo(new LogLines(), "error"),
      deduplication: lenient({
        async settle() {
          if (!isReachable) throw new Error("no connection");
          isStored = true;
        },
      }),
    });
    expect((await deliver(anEvent())).status).toBe(200);
    isReachable = true;
    await listener.close();
    expect(isStored).toBe(true);
  });

  it("has a line in the log for a lease that cannot be extended", async () => {
    const lines = new LogLines();
    const failed = () =>
      lines.withMessage("lease could not be extended: the event may be handled twice");
    const timer = new ManualClock();
    const { deliver } = await startService({
      timer,
      logger: pinoTo(lines, "error"),
      deduplication: lenient({
        leaseMs: 30_000,
        extend: () => Promise.reject(new Error("no connection")),
      }),
      on: {
        "*": () => {
          timer.advance(15_000);
          return expect.poll(() => failed().length).toBe(1);
        },
      },
    });
    expect((await deliver(anEvent())).status).toBe(200);
    expect(failed()[0]).toMatchObject({ err: { message: "no connection" } });
  });
});
