import {
  type Claim,
  type DeduplicationStore,
  type EventKey,
  MemoryDeduplication,
} from "cloud-eventgrid-binding-runtime/handlers";
import fastify from "fastify";
import { afterEach, describe, expect, it, vi } from "vitest";
import { gate } from "../../../support/gate.js";
import { CLIENT, TestIssuer } from "../../../support/issuer.js";
import { LogLines } from "../../../support/log-lines.js";
import { ManualClock } from "../../../support/manual-clock.js";
import { pinoTo } from "../../../support/pino.js";
import { usedHeap } from "../../../support/used-heap.js";
import { anEvent, BATCH, startService } from "../service.js";

const key = (id: string): EventKey => ({
  consumer: "app/path",
  subscriptionName: "orders",
  source: "/shop",
  id,
});

function lease(claim: Claim) {
  if (typeof claim === "string") throw new Error(`the event is ${claim}`);
  return claim;
}

/** A store that replicas share, with leases that expire. */
class SharedStore implements DeduplicationStore {
  readonly leaseMs: number;
  readonly calls: string[] = [];
  readonly #states = new Map<string, "running" | "done">();

  constructor(leaseMs = 60_000) {
    this.leaseMs = leaseMs;
  }

  async claim({ consumer, subscriptionName, source, id }: EventKey): Promise<Claim> {
    const name = `${consumer} ${subscriptionName} ${source} ${id}`;
    this.calls.push(`claim ${name}`);
    const state = this.#states.get(name);
    if (state !== undefined) return state;
    this.#states.set(name, "running");
    return {
      extend: async () => void this.calls.push("extend"),
      done: async () => void this.#states.set(name, "done"),
      release: async () => void this.#states.delete(name),
    };
  }
}

describe("deduplication", () => {
  it("does not handle an event twice", async () => {
    const { deliver, ids } = await startService();
    const event = anEvent();
    expect((await deliver(event)).status).toBe(200);
    expect((await deliver(event)).status).toBe(200);
    expect(ids()).toEqual([event.id]);
  });

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
    const { deliver, handled } = await startService();
    const message = (number: number) =>
      anEvent({ id: "same", type: "Microsoft.Devices.DeviceTelemetry", data: { number } });
    await deliver(message(1));
    await deliver(message(2));
    await deliver([message(3), message(4)], { contentType: BATCH });
    expect(handled.map(({ event }) => event.data)).toEqual(
      [1, 2, 3, 4].map((number) => ({ number })),
    );
  });

  it("compares what deduplicationKey returns, digested if it is long", async () => {
    const store = new SharedStore();
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
    const claimed = store.calls.filter((call) => call.startsWith("claim"));
    expect(claimed).toHaveLength(4);
    expect(claimed[0]).toMatch(/ \/shop key$/);
    expect(Math.max(...claimed.map(({ length }) => length))).toBeLessThan(400);
    expect(
      log.withMessage("deduplicationKey failed: the event is handled even if it is a duplicate"),
    ).toMatchObject([
      ...Array(3).fill({
        err: { message: "it returned an empty string instead of a string or undefined" },
      }),
      ...Array(3).fill({ err: { message: "no such member" } }),
    ]);
  });

  it("answers 503 to a redelivery while the first attempt runs", async () => {
    const slow = gate();
    const started = gate();
    let runs = 0;
    const { deliver } = await startService({
      on: {
        "*": async () => {
          runs += 1;
          started.open();
          await slow.passed;
        },
      },
    });
    const event = anEvent();
    const first = deliver(event);
    await started.passed;
    expect((await deliver(event)).status).toBe(503);
    slow.open();
    expect((await first).status).toBe(200);
    expect((await deliver(event)).status).toBe(200);
    expect(runs).toBe(1);
  });

  it("can be shared by replicas, and turned off", async () => {
    const issuer = await TestIssuer.start();
    const store = new SharedStore();
    const one = await startService({ issuer, deduplication: store });
    const two = await startService({ issuer, deduplication: store });
    const event = anEvent({ id: "shared" });
    await one.deliver(event);
    await two.deliver(event);
    expect([one.ids(), two.ids()]).toEqual([["shared"], []]);
    const claim = `claim ${CLIENT}/api/events orders /shop shared`;
    expect(store.calls).toEqual([claim, claim]);

    const off = await startService({ deduplication: false });
    await off.deliver(event);
    await off.deliver(event);
    expect(off.ids()).toEqual(["shared", "shared"]);
  });

  it("lets webhooks that share a store each handle the same event", async () => {
    const issuer = await TestIssuer.start();
    const deduplication = new MemoryDeduplication();
    const orders = await startService({ issuer, deduplication });
    const audit = await startService({ issuer, deduplication, path: "/api/audit" });
    const cloudClientId = "33333333-3333-3333-3333-333333333333";
    const shipping = await startService({ issuer, deduplication, binding: { cloudClientId } });
    const event = anEvent({ id: "shared" });
    await orders.deliver(event);
    await audit.deliver(event);
    await shipping.deliver(event, { token: await issuer.token({ aud: cloudClientId }) });
    expect([orders.ids(), audit.ids(), shipping.ids()]).toEqual([
      ["shared"],
      ["shared"],
      ["shared"],
    ]);
  });

  it("extends the lease of a handler that runs long", async () => {
    const store = new SharedStore(40);
    const { deliver } = await startService({
      deduplication: store,
      on: { "*": () => expect.poll(() => store.calls.includes("extend")).toBe(true) },
    });
    expect((await deliver(anEvent())).status).toBe(200);
  });

  it.each([
    ["another word", "Done", '"Done"'],
    ["nothing", undefined, "undefined"],
    ["null", null, "null"],
    ["an incomplete lease", { done: () => {}, release: () => {} }, "an object"],
  ])("answers 503 without calling the handler when a claim is %s", async (_, claim, shown) => {
    const log = new LogLines();
    const deduplication = new SharedStore();
    // A store written in JavaScript may return anything.
    Object.defineProperty(deduplication, "claim", { value: async () => claim });
    const { deliver, handled } = await startService({
      logger: pinoTo(log, "error"),
      deduplication,
    });
    expect((await deliver(anEvent())).status).toBe(503);
    expect(handled).toEqual([]);
    expect(log.text).toContain(
      JSON.stringify(`claim is ${shown}: it must be a lease`).slice(1, -1),
    );
  });

  it("extends the lease beyond the deadline, until the handler has ended", async () => {
    const store = new SharedStore(40);
    const slow = gate();
    const { deliver } = await startService({
      deduplication: store,
      deadlineMs: 50,
      on: { "*": () => slow.passed },
    });
    const event = anEvent();
    expect((await deliver(event)).status).toBe(503);
    const extensions = () => store.calls.filter((call) => call === "extend").length;
    const atDeadline = extensions();
    await expect.poll(extensions).toBeGreaterThan(atDeadline);
    expect((await deliver(event)).status).toBe(503);
    slow.open();
    await expect.poll(async () => (await deliver(event)).status).toBe(200);
    const atEnd = extensions();
    // Another handler has its lease of the same length kept five times meanwhile.
    const other = new SharedStore(store.leaseMs);
    const kept = () => other.calls.filter((call) => call === "extend").length;
    const running = await startService({
      deduplication: other,
      on: { "*": () => expect.poll(kept).toBeGreaterThan(4) },
    });
    expect((await running.deliver(anEvent())).status).toBe(200);
    expect(extensions()).toBe(atEnd);
  });

  it("releases a claim that arrives after the deadline, without calling the handler", async () => {
    const store = new SharedStore();
    const [claiming, slow] = [gate(), gate()];
    const claim = store.claim.bind(store);
    store.claim = async (key) => {
      claiming.open();
      await slow.passed;
      return claim(key);
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

  it("loses no event when the store is unreachable", async () => {
    let fails: "claim" | "done" | undefined = "claim";
    const memory = new MemoryDeduplication();
    const { deliver, ids } = await startService({
      deduplication: {
        leaseMs: 1000,
        async claim(asked) {
          if (fails === "claim") throw new Error("no connection");
          const claim = lease(memory.claim(asked));
          return {
            extend: () => {},
            done: async () => {
              if (fails === "done") throw new Error("no connection");
              await claim.done();
            },
            release: () => claim.release(),
          };
        },
      },
    });
    const event = anEvent();
    expect((await deliver(event)).status).toBe(503);
    expect(ids()).toEqual([]);
    fails = "done";
    expect((await deliver(event)).status).toBe(200);
    expect(ids()).toEqual([event.id]);
  });
});

describe("a deduplication store that does not answer", () => {
  const log = () => new LogLines();

  it("gets 503 for a claim that times out, and has it released when it arrives", async () => {
    const store = new SharedStore();
    const hanging = gate();
    const claim = store.claim.bind(store);
    store.claim = async (key) => {
      await hanging.passed;
      return claim(key);
    };
    const lines = log();
    const { deliver, ids } = await startService({
      logger: pinoTo(lines, "error"),
      deduplication: store,
      storeTimeoutMs: 50,
    });
    const event = anEvent();
    expect((await deliver(event)).status).toBe(503);
    expect(ids()).toEqual([]);
    expect(lines.text).toContain("did not claim the event within 50 ms");
    hanging.open();
    await expect.poll(async () => (await deliver(event)).status).toBe(200);
    expect(ids()).toEqual([event.id]);
  });

  it("does not hold the handler slots, so the process stays alive", async () => {
    const { deliver, url } = await startService({
      deduplication: { leaseMs: 60_000, claim: () => new Promise(() => {}) },
      storeTimeoutMs: 50,
      deadlineMs: 100,
      limits: { concurrentHandlers: 1 },
    });
    const until = performance.now() + 500;
    while (performance.now() < until) {
      await Promise.all([deliver(anEvent()), deliver(anEvent())]);
      expect((await fetch(new URL("/healthz", url))).status).toBe(200);
    }
  });

  it("does not change the 200 of a handled event whose outcome it does not store", async () => {
    const lines = log();
    const { deliver, handled } = await startService({
      logger: pinoTo(lines, "error"),
      storeTimeoutMs: 50,
      deduplication: {
        leaseMs: 60_000,
        claim: () => ({ extend() {}, done: () => new Promise(() => {}), release() {} }),
      },
    });
    expect((await deliver(anEvent())).status).toBe(200);
    expect(handled).toHaveLength(1);
    const stored = lines.withMessage("outcome not stored yet: the event may be handled again");
    expect(stored).toMatchObject([{ reason: "timed out after 50 ms" }]);
  });

  it("gets the outcome of a handled event again after a failure, until it is stored", async () => {
    const lines = log();
    const memory = new MemoryDeduplication();
    let failures = 2;
    const { deliver, ids } = await startService({
      logger: pinoTo(lines, "error"),
      deduplication: {
        leaseMs: 60_000,
        claim(asked) {
          const claim = memory.claim(asked);
          if (typeof claim === "string") return claim;
          return {
            extend() {},
            async done() {
              failures -= 1;
              if (failures >= 0) throw new Error("no connection");
              await claim.done();
            },
            release: () => claim.release(),
          };
        },
      },
    });
    const event = anEvent();
    expect((await deliver(event)).status).toBe(200);
    expect((await deliver(event)).status).toBe(503);
    await expect.poll(async () => (await deliver(event)).status).toBe(200);
    expect(ids()).toEqual([event.id]);
    expect(
      lines.withMessage("outcome not stored yet: the event may be handled again"),
    ).toHaveLength(1);
  });

  it("gets an outcome that it could not store before the listener closes", async () => {
    let isStored = false;
    let isReachable = false;
    const { deliver, listener } = await startService({
      logger: pinoTo(log(), "error"),
      deduplication: {
        leaseMs: 60_000,
        claim: () => ({
          extend() {},
          async done() {
            if (!isReachable) throw new Error("no connection");
            isStored = true;
          },
          release() {},
        }),
      },
    });
    expect((await deliver(anEvent())).status).toBe(200);
    isReachable = true;
    await listener.close();
    expect(isStored).toBe(true);
  });

  it("has a line in the log for a lease that cannot be extended", async () => {
    const lines = log();
    const failed = () =>
      lines.withMessage("lease could not be extended: the event may be handled twice");
    const { deliver } = await startService({
      logger: pinoTo(lines, "error"),
      deduplication: {
        leaseMs: 40,
        claim: () => ({
          extend: () => Promise.reject(new Error("no connection")),
          done() {},
          release() {},
        }),
      },
      on: { "*": () => expect.poll(() => failed().length).toBeGreaterThan(0) },
    });
    expect((await deliver(anEvent())).status).toBe(200);
    expect(failed()[0]).toMatchObject({ err: { message: "no connection" } });
  });
});

describe("MemoryDeduplication", () => {
  afterEach(() => void vi.useRealTimers());

  it("remembers events that are done, and forgets those that are released", () => {
    const store = new MemoryDeduplication();
    const first = lease(store.claim(key("a")));
    expect(store.claim(key("a"))).toBe("running");
    first.done();
    expect(store.claim(key("a"))).toBe("done");
    lease(store.claim(key("b"))).release();
    expect(typeof store.claim(key("b"))).toBe("object");
  });

  it("remembers at least 20,000 events, and forgets the first of twice as many", () => {
    const store = new MemoryDeduplication();
    const handle = (count: number) => {
      for (let i = 0; i < count; i += 1) lease(store.claim(key(crypto.randomUUID()))).done();
    };
    lease(store.claim(key("first"))).done();
    handle(19_999);
    expect(store.claim(key("first"))).toBe("done");
    handle(20_002);
    expect(typeof store.claim(key("first"))).toBe("object");
  });

  it("remembers long IDs and sources without keeping them in memory", () => {
    const store = new MemoryDeduplication();
    const before = usedHeap();
    const long = (text: string) => JSON.parse(`"${"x".repeat(500_000)}${text}"`);
    const event = (number: number) => ({ ...key(long(`${number}`)), source: long(`/${number}`) });
    for (let number = 0; number < 100; number += 1) lease(store.claim(event(number))).done();
    expect(usedHeap() - before).toBeLessThan(10_000_000);
    expect(store.claim(event(0))).toBe("done");
    lease(store.claim({ ...event(0), id: long("another") }));
    lease(store.claim({ ...event(0), source: long("another") }));
  });

  it("remembers for a day", () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 0 });
    const store = new MemoryDeduplication();
    lease(store.claim(key("a"))).done();
    vi.setSystemTime(24 * 60 * 60 * 1000 - 1);
    expect(store.claim(key("a"))).toBe("done");
    vi.setSystemTime(24 * 60 * 60 * 1000);
    expect(typeof store.claim(key("a"))).toBe("object");
  });

  it("remembers events even if the clock was set back", () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 });
    const store = new MemoryDeduplication();
    const claim = lease(store.claim(key("a")));
    vi.setSystemTime(999_000);
    claim.done();
    expect(store.claim(key("a"))).toBe("done");
  });

  it("remembers a limited number, at least the largest batch, and never forgets a running event", () => {
    expect(() => new MemoryDeduplication({ events: 4999 })).toThrow("5000");
    expect(() => new MemoryDeduplication(Object({ ttlMs: 5 }))).toThrow(
      "ttlMs is unknown: the options are events, rememberMs",
    );
    const store = new MemoryDeduplication({ events: 5000 });
    const running = lease(store.claim(key("running")));
    for (let i = 0; i < 20_000; i += 1) lease(store.claim(key(`${i}`))).done();
    expect(store.claim(key("running"))).toBe("running");
    expect(store.claim(key("15000"))).toBe("done");
    expect(typeof store.claim(key("0"))).toBe("object");
    running.done();
    expect(store.claim(key("running"))).toBe("done");
  });
});
