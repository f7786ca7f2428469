import { describe, expect, it } from "vitest";
import { Deadlines } from "../../../../runtime/src/listener/in-flight.js";
import { gate } from "../../../support/gate.js";
import { ManualClock } from "../../../support/manual-clock.js";
import { anEvent, startService } from "../service.js";

describe("the deadlines", () => {
  it("give each delivery its whole time, with one timer", () => {
    const timer = new ManualClock();
    const expired: string[] = [];
    interface Item {
      readonly name: string;
      readonly arrivedAtMs: number;
      previous: Item | undefined;
      next: Item | undefined;
    }
    const deadlines = new Deadlines<Item>(100, timer, ({ name }) => void expired.push(name));
    const add = (name: string) => {
      const item = { name, arrivedAtMs: timer.now(), previous: undefined, next: undefined };
      deadlines.add(item);
      return item;
    };
    const answered = add("answered");
    add("first");
    timer.advance(60);
    add("second");
    deadlines.remove(answered);
    timer.advance(40);
    expect(expired).toEqual(["first"]);
    timer.advance(59);
    expect(expired).toEqual(["first"]);
    timer.advance(1);
    expect(expired).toEqual(["first", "second"]);
    timer.advance(1000);
    add("third");
    timer.advance(100);
    expect(expired).toEqual(["first", "second", "third"]);
  });
});

describe("the deadline", () => {
  it("is visible to a handler that reads its signal only afterwards", async () => {
    const [started, slow, looked] = [gate(), gate(), gate()];
    let reason: unknown;
    const timer = new ManualClock();
    const { deliver } = await startService({
      timer,
      on: {
        "*": async (_, context) => {
          started.open();
          await slow.passed;
          reason = context.signal.reason;
          looked.open();
        },
      },
    });
    const delivering = deliver(anEvent());
    await started.passed;
    timer.advance(25_000);
    expect((await delivering).status).toBe(503);
    slow.open();
    await looked.passed;
    expect(reason).toMatchObject({ name: "TimeoutError" });
  });

  it("keeps a handler that gets its slot too late from starting", async () => {
    const slow = gate();
    const seen: string[] = [];
    const timer = new ManualClock();
    const { deliver } = await startService({
      timer,
      limits: { concurrentHandlers: 1 },
      on: {
        "*": async ({ id }) => {
          seen.push(id);
          await slow.passed;
        },
      },
    });
    const [first, second, third] = [anEvent(), anEvent(), anEvent()];
    const late = [deliver(first)];
    await expect.poll(() => seen).toEqual([first.id]);
    late.push(deliver(second));
    const answers = Promise.all(late);
    await timer.advanceUntil(answers, 25_000);
    for (const { status } of await answers) expect(status).toBe(503);
    slow.open();
    await expect.poll(async () => (await deliver(third)).status).toBe(200);
    expect(seen).toEqual([first.id, third.id]);
  });
});
