import { describe, expect, it } from "vitest";
import {
  Counter,
  DeliveryMetrics,
  type Metric,
  PendingEvents,
} from "../../../../local/src/eventgrid/delivery/stages.js";
import { type AcceptedEvent, readRecordedEvent } from "../../../../local/src/eventgrid/index.js";
import { cloudEvent } from "../../support/cloud.js";

const MINUTE = 60_000;
const json = JSON.stringify(cloudEvent());
const events = (count: number): AcceptedEvent[] =>
  Array.from(
    { length: count },
    () => readRecordedEvent({ json, schema: "CloudEventSchemaV1_0" }, "/topics/shop", 0).event,
  );

describe("the counter of pending events", () => {
  it("counts all events, and as busy those that wait for no retry", () => {
    const busy = new Counter();
    const pending = new PendingEvents(busy);
    const counts = () => [busy.count, pending.backlog.count];
    for (let index = 0; index < 5; index++) pending.queued();
    pending.resumed();
    expect(counts()).toEqual([6, 6]);
    pending.retrying(events(2));
    expect(counts()).toEqual([4, 6]);
    pending.due(events(1));
    expect(counts()).toEqual([5, 6]);
    pending.settled(events(2));
    expect(counts()).toEqual([3, 4]);
    pending.cleared("", 3, 1);
    expect(counts()).toEqual([0, 0]);
  });

  it("resolves when nothing is left, or after the given time", async () => {
    const counter = new Counter();
    await counter.zero();
    counter.add(2);
    await counter.zero(1);
    let isZero = false;
    const zero = counter.zero().then(() => {
      isZero = true;
    });
    counter.add(-1);
    await Promise.resolve();
    expect([isZero, counter.count]).toEqual([false, 1]);
    counter.add(-1);
    await zero;
  });
});

describe("the metrics", () => {
  const start = () => {
    const clock = { time: 10 * MINUTE, now: () => clock.time };
    const metrics = new DeliveryMetrics(clock);
    const total = (metric: Metric, from = 0, to = Number.POSITIVE_INFINITY) =>
      metrics.total("/A", metric, from, to);
    return { clock, metrics, total };
  };

  it("count attempts and the ends of events, not the expiry of a time to live", () => {
    const { metrics, total } = start();
    const attempt = (outcome: "delivered" | "retrying" | "dropped", number?: number) =>
      metrics.attempted({
        ...{ subscription: "a", subscriptionId: "/a", at: 0, durationMs: 0, status: undefined },
        ...{ events: events(2), attempt: number, outcome },
      });
    attempt("delivered", 1);
    attempt("retrying", 1);
    attempt("dropped", 2);
    attempt("dropped");
    metrics.matched("/a", 3);
    for (const [end, count] of [
      ["delivered", 1],
      ["deadLettered", 2],
      ["dropped", 4],
      ["discarded", 8],
    ] as const) {
      metrics.settled(events(count), "/a", end);
    }
    metrics.unmatched("/a");
    metrics.unmatched("/b");
    expect(total("DeliverySuccessCount")).toBe(2);
    expect(total("DeliveryAttemptFailCount")).toBe(4);
    expect(total("MatchedEventCount")).toBe(3);
    expect(total("DeadLetteredCount")).toBe(2);
    expect(total("DroppedEventCount")).toBe(4);
    expect(total("UnmatchedEventCount")).toBe(1);
    metrics.clear();
    expect(total("MatchedEventCount")).toBe(0);
  });

  it("sum the minutes from a time until before another, for a day", () => {
    const { clock, metrics, total } = start();
    for (let minute = 0; minute < 24 * 60; minute++) {
      clock.time = (10 + minute) * MINUTE + 59_999;
      metrics.matched("/a", 1);
      metrics.matched("/a", 1);
    }
    expect([total("MatchedEventCount"), total("DroppedEventCount")]).toEqual([2 * 24 * 60, 0]);
    expect(total("MatchedEventCount", 10 * MINUTE, 12 * MINUTE)).toBe(4);
    expect(total("MatchedEventCount", 10 * MINUTE + 1, 12 * MINUTE + 1)).toBe(4);
    clock.time += 1;
    metrics.matched("/a", 1);
    expect(total("MatchedEventCount")).toBe(2 * 24 * 60 - 1);
    expect(total("MatchedEventCount", 0, 11 * MINUTE)).toBe(0);
  });
});
