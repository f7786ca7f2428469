import { afterEach, expect, it, vi } from "vitest";
import { createClock } from "../../../local/src/simulation/index.js";

afterEach(() => void vi.useRealTimers());

it("the timers of a stepped clock fire in their order, unless another one cancels them", async () => {
  const clock = createClock(
    "stepped",
    () => 1_000,
    async () => {},
  );
  const fired: string[] = [];
  const schedule = (delay: number, name: string, more = () => {}) =>
    clock.schedule(delay, () => {
      fired.push(`${name} ${clock.now()}`);
      more();
    });
  schedule(30, "e");
  schedule(10, "b", () => cancel());
  const cancel = schedule(10, "none");
  schedule(-5, "a", () => schedule(10, "c"));
  schedule(20, "none")();
  schedule(31, "f");
  expect(await clock.step(() => false)).toBe(true);
  expect(fired).toEqual([]);
  expect(await clock.step(() => true)).toBe(true);
  expect(fired).toEqual(["a 1000"]);
  await clock.advance({ milliseconds: 30 });
  expect(fired.slice(1)).toEqual(["b 1010", "c 1010", "e 1030"]);
  clock.clear();
  await clock.advance({ seconds: 1 });
  expect([fired.length, clock.now()]).toEqual([4, 2_030]);
});

it("the timers of a flowing clock fire after their time on it, and leave real time where it is wanted", async () => {
  vi.useFakeTimers({ now: 1_000 });
  const clock = createClock({ scale: 10 }, Date.now, async () => {});
  const fired: string[] = [];
  const schedule = (name: string, delay: number, atLeastRealMs?: number) =>
    clock.schedule(delay, () => fired.push(`${name} ${Date.now()} ${clock.now()}`), atLeastRealMs);
  schedule("a", 101);
  schedule("b", 100, 50);
  schedule("c", 20, 50);
  schedule("none", 10)();
  vi.advanceTimersByTime(100);
  expect(fired).toEqual(["a 1011 1110", "c 1020 1200", "b 1050 1500"]);
  expect(await clock.step(() => true)).toBe(false);
  // Node fires a timer of more than 2^31 - 1 milliseconds at once.
  schedule("late", 2 ** 40);
  vi.advanceTimersByTime(5);
  schedule("none", 10);
  clock.clear();
  vi.advanceTimersByTime(100);
  expect(fired).toHaveLength(3);
});
