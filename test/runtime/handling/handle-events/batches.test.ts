import { describe, expect, it } from "vitest";
import { gate } from "../../../support/gate.js";
import { ManualClock } from "../../../support/manual-clock.js";
import { anEvent, BATCH, STRUCTURED, startService } from "../../listener/service.js";

const events = (count: number) => Array.from({ length: count }, () => anEvent());

describe("a batch", () => {
  it("may come with either content type, and so may a single event", async () => {
    const { deliver, ids } = await startService();
    const [a, b, c] = [anEvent(), anEvent(), anEvent()];
    expect((await deliver([a, b], { contentType: BATCH })).status).toBe(200);
    expect((await deliver(c, { contentType: BATCH })).status).toBe(200);
    const d = anEvent();
    expect((await deliver([d], { contentType: STRUCTURED })).status).toBe(200);
    expect(ids()).toEqual([a.id, b.id, c.id, d.id]);
  });

  it("passes position and attempt to each handler", async () => {
    const { deliver, handled } = await startService();
    await deliver(events(3), { headers: { "aeg-delivery-count": "4" } });
    const seen = handled.map(({ context }) => ({
      at: context.batchIndex,
      of: context.batchSize,
      attempt: context.attempt,
      subscription: context.subscriptionName,
    }));
    expect(seen).toEqual([
      { at: 0, of: 3, attempt: 5, subscription: "ORDERS" },
      { at: 1, of: 3, attempt: 5, subscription: "ORDERS" },
      { at: 2, of: 3, attempt: 5, subscription: "ORDERS" },
    ]);
  });

  it("takes a quarter of the handlers at a time", async () => {
    let running = 0;
    let most = 0;
    const { deliver } = await startService({
      limits: { concurrentHandlers: 24 },
      on: {
        "*": async () => {
          running += 1;
          most = Math.max(most, running);
          await new Promise(setImmediate);
          running -= 1;
        },
      },
    });
    expect((await deliver(events(20))).status).toBe(200);
    expect(most).toBe(6);
  });

  it("gets 200 without events and 413 with too many", async () => {
    const { deliver, handled } = await startService();
    expect((await deliver([])).status).toBe(200);
    expect((await deliver(events(5_001))).status).toBe(413);
    expect(handled).toEqual([]);
    expect((await deliver(events(5_000))).status).toBe(200);
  });

  it("lets deadlines and other requests run between synchronous handlers", async () => {
    const all = events(5_000);
    const seen: string[] = [];
    const clock = new ManualClock();
    const handling = gate();
    let spentMs = 0;
    const { deliver, port } = await startService({
      timer: {
        now: () => clock.now() + spentMs,
        schedule: (delayMs, callback) => clock.schedule(delayMs, callback),
      },
      deadlineMs: 500,
      on: {
        "*": ({ id }) => {
          seen.push(id);
          handling.open();
          spentMs += 25;
          const until = performance.now() + 1;
          while (performance.now() < until);
        },
      },
    });
    const answer = deliver(all);
    await handling.passed;
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    expect(seen.length).toBeLessThan(all.length);
    clock.advance(500);
    expect((await answer).status).toBe(503);
    expect(seen.length).toBeLessThan(all.length);
  });
});
