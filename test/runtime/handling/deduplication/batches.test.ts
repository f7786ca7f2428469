import { describe, expect, it } from "vitest";
import { gate, heldWork } from "../../../support/gate.js";
import { ManualClock } from "../../../support/manual-clock.js";
import { anEvent, startService } from "../../listener/service.js";
import { RecordingStore } from "./recording-store.js";

const events = (...ids: string[]) => ids.map((id) => anEvent({ id }));

/** A service that handles one event at a time, each until `slow` opens, on a clock that stands still. */
async function startSlow() {
  const deduplication = new RecordingStore();
  const handler = heldWork();
  const timer = new ManualClock();
  const { deliver } = await startService({
    deduplication,
    timer,
    limits: { concurrentHandlers: 1 },
    on: { "*": handler.run },
  });
  return { deduplication, handler, timer, deliver };
}

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
    const { deduplication, handler, timer, deliver } = await startSlow();
    const delivering = deliver(events("a", "b", "c"));
    await handler.started;
    timer.advance(25_000);
    expect((await delivering).status).toBe(503);
    await expect.poll(() => deduplication.states).toEqual([["a", "running"]]);
    handler.end();
    await expect.poll(() => deduplication.states).toEqual([["a", "done"]]);
  });

  it("releases one event at its deadline, while it waits for the handler of another", async () => {
    const { deduplication, handler, timer, deliver } = await startSlow();
    const first = deliver(events("a"));
    await handler.started;
    const second = deliver(events("b"));
    const running = (id: string) => [id, "running"];
    await expect.poll(() => deduplication.states).toEqual([running("a"), running("b")]);
    timer.advance(25_000);
    expect([(await first).status, (await second).status]).toEqual([503, 503]);
    await expect.poll(() => deduplication.states).toEqual([running("a")]);
    handler.end();
    await expect.poll(() => deduplication.states).toEqual([["a", "done"]]);
  });

  it("has the leases of all its events extended while it runs, at half of their time", async () => {
    const deduplication = new RecordingStore(40_000);
    const timer = new ManualClock();
    const { deliver } = await startService({
      deduplication,
      timer,
      limits: { concurrentHandlers: 1 },
      on: { "*": ({ id }) => id === "a" && timer.advance(20_000) },
    });
    expect((await deliver(events("a", "b"))).status).toBe(200);
    expect(deduplication.calls).toContain("extend a,b");
  });

  it("has the leases of the rest extended if some of its events were handled before", async () => {
    const deduplication = new RecordingStore(40_000);
    const timer = new ManualClock();
    const on = { "*": ({ id }: { readonly id: string }) => id === "b" && timer.advance(20_000) };
    const { deliver } = await startService({ deduplication, timer, on });
    await deliver(events("a"));
    expect((await deliver(events("a", "b"))).status).toBe(200);
    expect(deduplication.calls).toContain("extend b");
  });

  it("has an event settled as soon as it is handled, while others are still handled", async () => {
    const deduplication = new RecordingStore();
    const slow = gate();
    const on = { "*": ({ id }: { readonly id: string }) => (id === "b" ? slow.passed : undefined) };
    const { deliver } = await startService({ deduplication, on });
    const delivering = deliver(events("a", "b"));
    await expect.poll(() => deduplication.calls).toContain("settle +a");
    slow.open();
    expect((await delivering).status).toBe(200);
    expect(deduplication.calls).toEqual(["claim a,b", "settle +a", "settle +b"]);
  });

  it.each([
    ["released", false],
    ["left alone if they were handled before", true],
  ])("has claims that arrive after their timeout %s", async (_, wereHandled) => {
    const deduplication = new RecordingStore();
    if (wereHandled) {
      const before = await startService({ deduplication });
      await before.deliver(events("a", "b"));
      deduplication.calls.length = 0;
    }
    const hanging = gate();
    const claim = deduplication.claim.bind(deduplication);
    deduplication.claim = async (keys) => {
      await hanging.passed;
      return claim(keys);
    };
    const timer = new ManualClock();
    const { deliver, log } = await startService({
      logLevel: "error",
      deduplication,
      timer,
    });
    const delivering = deliver(events("a", "b"));
    await timer.pass(5_000);
    expect((await delivering).status).toBe(503);
    expect(log.text).toContain("did not claim the event within 5000 ms");
    hanging.open();
    const calls = wereHandled ? ["claim a,b"] : ["claim a,b", "settle -a,-b"];
    await expect.poll(() => deduplication.calls).toEqual(calls);
    await new Promise(setImmediate);
    expect(deduplication.calls).toEqual(calls);
  });
});
