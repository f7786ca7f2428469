import { type Claim, type EventKey, MemoryDeduplication } from "cloud-eventgrid-binding-runtime";
import { afterEach, describe, expect, it, vi } from "vitest";
import { usedHeap } from "../../../support/used-heap.js";

const key = (id: string): EventKey => ({
  consumer: "app/path",
  subscriptionKey: "orders",
  source: "/shop",
  id,
});

function claim(store: MemoryDeduplication, event: EventKey): Claim | undefined {
  return store.claim([event])[0];
}

function handle(store: MemoryDeduplication, event: EventKey, isHandled = true): void {
  for (const lease of store.claim([event])) {
    if (typeof lease === "string") throw new Error(`the event is ${lease}`);
    store.settle([{ lease, isHandled }]);
  }
}

describe("MemoryDeduplication", () => {
  afterEach(() => void vi.useRealTimers());

  it("holds up to 40,000 events, and then forgets the older half", () => {
    const store = new MemoryDeduplication();
    const handleOthers = (count: number) => {
      for (let i = 0; i < count; i += 1) handle(store, key(crypto.randomUUID()));
    };
    handle(store, key("first"));
    handleOthers(39_998);
    expect(claim(store, key("first"))).toBe("done");
    handleOthers(1);
    expect(typeof claim(store, key("first"))).toBe("object");
  });

  it("remembers long IDs and sources without keeping them in memory", () => {
    const store = new MemoryDeduplication();
    const before = usedHeap();
    const long = (text: string) => JSON.parse(`"${"x".repeat(500_000)}${text}"`);
    const event = (number: number) => ({ ...key(long(`${number}`)), source: long(`/${number}`) });
    for (let number = 0; number < 30; number += 1) handle(store, event(number));
    expect(usedHeap() - before).toBeLessThan(10_000_000);
    expect(claim(store, event(0))).toBe("done");
    expect(typeof claim(store, { ...event(0), id: long("another") })).toBe("object");
    expect(typeof claim(store, { ...event(0), source: long("another") })).toBe("object");
  });

  it("keeps nothing of sources whose events were never handled", () => {
    const store = new MemoryDeduplication();
    const before = usedHeap();
    for (let number = 0; number < 50_000; number += 1) {
      handle(store, { ...key("1"), source: `/orders/${number}` }, false);
    }
    expect(usedHeap() - before).toBeLessThan(10_000_000);
    handle(store, { ...key("1"), source: "/orders/1" });
    expect(claim(store, { ...key("1"), source: "/orders/1" })).toBe("done");
  });

  it.each([
    ["a day", {}, 24 * 60 * 60_000],
    ["as long as rememberMs says", { rememberMs: 60_000 }, 60_000],
  ])("remembers for %s", (_, options, rememberedMs) => {
    vi.useFakeTimers({ toFake: ["Date"], now: 0 });
    const store = new MemoryDeduplication(options);
    handle(store, key("a"));
    vi.setSystemTime(rememberedMs - 1);
    expect(claim(store, key("a"))).toBe("done");
    vi.setSystemTime(rememberedMs);
    expect(typeof claim(store, key("a"))).toBe("object");
  });

  it("remembers events even if the clock was set back", () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 });
    const store = new MemoryDeduplication();
    const [lease] = store.claim([key("a")]);
    vi.setSystemTime(999_000);
    if (typeof lease === "object") store.settle([{ lease, isHandled: true }]);
    expect(claim(store, key("a"))).toBe("done");
  });

  it("remembers a limited number, at least the largest batch, and never forgets a running event", () => {
    expect(() => new MemoryDeduplication({ events: 4999 })).toThrow("5000");
    expect(() => new MemoryDeduplication(Object({ ttlMs: 5 }))).toThrow(
      "ttlMs is unknown: the options are events, rememberMs",
    );
    const store = new MemoryDeduplication({ events: 5000 });
    const [running] = store.claim([key("running")]);
    for (let i = 0; i < 20_000; i += 1) handle(store, key(`${i}`));
    expect(claim(store, key("running"))).toBe("running");
    expect(claim(store, key("15000"))).toBe("done");
    expect(typeof claim(store, key("0"))).toBe("object");
    if (typeof running === "object") store.settle([{ lease: running, isHandled: true }]);
    expect(claim(store, key("running"))).toBe("done");
  });

  it("forgets in its time an event that was handled when others had become the older half", () => {
    const store = new MemoryDeduplication({ events: 5000 });
    const [lease] = store.claim([key("late")]);
    const handleOthers = (count: number) => {
      for (let i = 0; i < count; i += 1) handle(store, key(crypto.randomUUID()));
    };
    handleOthers(7_000);
    if (typeof lease === "object") store.settle([{ lease, isHandled: true }]);
    handleOthers(4_000);
    expect(claim(store, key("late"))).toBe("done");
    handleOthers(10_000);
    expect(typeof claim(store, key("late"))).toBe("object");
  });
});
