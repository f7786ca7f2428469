import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Deadlines } from "../../../../runtime/src/listener/intake/deadlines.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("deadlines that one timer watches", () => {
  it("give each delivery its whole time, whatever becomes of those before it", () => {
    const expired: string[] = [];
    const deadlines = new Deadlines(100);
    const add = (name: string) => {
      const one = {
        arrivedAt: performance.now(),
        expire: () => void expired.push(name),
        previous: undefined,
        next: undefined,
      };
      deadlines.add(one);
      return one;
    };
    const answered = add("answered");
    add("first");
    vi.advanceTimersByTime(60);
    add("second");
    deadlines.remove(answered);
    vi.advanceTimersByTime(40);
    expect(expired).toEqual(["first"]);
    vi.advanceTimersByTime(59);
    expect(expired).toEqual(["first"]);
    vi.advanceTimersByTime(1);
    expect(expired).toEqual(["first", "second"]);
    vi.advanceTimersByTime(1000);
    add("third");
    vi.advanceTimersByTime(100);
    expect(expired).toEqual(["first", "second", "third"]);
  });
});
