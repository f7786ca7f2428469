import { type Claim, type EventKey, MemoryDeduplication } from "cloud-eventgrid-binding-runtime";
import { afterEach, describe, expect, it, vi } from "vitest";
import { usedHeap } from "../../support/used-heap.js";

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

describe("MemoryDeduplication", () => {
  afterEach(() => void vi.useRealTimers());

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
