import { describe, expect, it } from "vitest";
import { gate } from "../../../support/gate.js";
import { LogLines } from "../../../support/log-lines.js";
import { ManualClock } from "../../../support/manual-clock.js";
import { pinoTo } from "../../../support/pino.js";
import { anEvent, startService } from "../service.js";
import { RecordingStore } from "./recording-store.js";

const events = (...ids: string[]) => ids.map((id) => anEvent({ id }));

describe("a batch", () => {
  it("is claimed with one call, and settled with one when its handlers end together", async () => {
    const deduplication = new RecordingStore();
    const { deliver, ids } = await startService({ deduplication });
    expect((await deliver(events("a", "b", "c"))).status).toBe(200);
    expect(ids()).toEqual(["a", "b", "c"]);
    expect(deduplication.calls).toEqual(["claim a,b,c", "settle +a,+b,+c"]);
  });

  it("handles an event once that occurs twice in it, also with a store", async () => {
    const deduplication = new RecordingStore();
    const { deliver, ids } = await startService({ deduplication });
    expect((await deliver(events("a", "b", "a"))).status).toBe(200);
    expect(ids()).toEqual(["a", "b"]);
    expect(deduplication.calls).toEqual(["claim a,b,a", "settle +a,+b"]);
  });

  it("releases events that no handler has begun when the deadline passes", async () => {
    const deduplication = new RecordingStore();
    const [started, slow] = [gate(), gate()];
    const timer = new ManualClock();
    const { deliver } = await startService({
      deduplication,
      timer,
      limits: { concurrentHandlers: 1 },
      on: {
        "*": async () => {
          started.open();
          await slow.passed;
        },
      },
    });
    const delivering = deliver(events("a", "b", "c"));
    await started.passed;
    timer.advance(25_000);
    expect((await delivering).status).toBe(503);
    await expect.poll(() => deduplication.states).toEqual([["a", "running"]]);
    slow.open();
    await expect.poll(() => deduplication.states).toEqual([["a", "done"]]);
  });

  it("has the leases of all its events extended while it runs", async () => {
    const deduplication = new RecordingStore(40);
    const isExtended = () => deduplication.calls.includes("extend a,b");
    const { deliver } = await startService({
      deduplication,
      limits: { concurrentHandlers: 1 },
      on: {
        "*": async ({ id }) => {
          if (id === "a") await expect.poll(isExtended).toBe(true);
        },
      },
    });
    expect((await deliver(events("a", "b"))).status).toBe(200);
  });

  it("has claims released that arrive after their timeout", async () => {
    const deduplication = new RecordingStore();
    const hanging = gate();
    const claim = deduplication.claim.bind(deduplication);
    deduplication.claim = async (keys) => {
      await hanging.passed;
      return claim(keys);
    };
    const log = new LogLines();
    const { deliver } = await startService({
      logger: pinoTo(log, "error"),
      deduplication,
      storeTimeoutMs: 50,
    });
    expect((await deliver(events("a", "b"))).status).toBe(503);
    expect(log.text).toContain("did not claim the event within 50 ms");
    hanging.open();
    await expect.poll(() => deduplication.calls.length).toBeGreaterThan(1);
    await expect.poll(() => deduplication.states).toEqual([]);
  });
});
