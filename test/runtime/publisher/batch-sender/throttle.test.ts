import { describe, expect, it } from "vitest";
import { type AttemptFailure, Throttle } from "../../../../runtime/src/publisher/batch-sender.js";
import { ManualClock } from "../../../support/manual-clock.js";

const MAX_MS = 300_000;

function asking(retryAfterMs: number, status = 429): AttemptFailure {
  const code = "ERR_PUBLISH_UNAVAILABLE";
  return { code, message: "slow", retryable: true, ambiguous: false, status, retryAfterMs };
}

function start() {
  const clock = new ManualClock();
  return { clock, throttle: new Throttle(clock) };
}

describe("a throttle", () => {
  it("calls back once for all who wait, and again the next time", () => {
    const { clock, throttle } = start();
    const calls: number[] = [];
    const wait = () => throttle.wait(() => calls.push(clock.now()));
    for (const expected of [1, 2]) {
      throttle.extend(asking(10_000));
      wait();
      wait();
      clock.advance(9_999);
      expect(calls).toHaveLength(expected - 1);
      clock.advance(1);
      expect(calls).toHaveLength(expected);
    }
  });

  it("refuses a call whose time ends before, and says for how many seconds", () => {
    const { clock, throttle } = start();
    expect(throttle.refusal(0)).toBeUndefined();
    throttle.extend(asking(10_001));
    const end = clock.now() + 10_001;
    expect(throttle.refusal(end + 1)).toBeUndefined();
    expect(throttle.refusal(end)?.message).toContain("another 11 s,");
    clock.advance(1);
    expect(throttle.refusal(end)?.message).toContain("another 10 s,");
  });

  it("follows 429 and 503 only, to the latest end, for five minutes at most", () => {
    const { clock, throttle } = start();
    expect(throttle.extend(asking(1_000, 500))).toBe(false);
    expect(throttle.extend(asking(1_000, 503))).toBe(true);
    expect(throttle.extend(asking(1_000))).toBe(false);
    expect(throttle.extend(asking(MAX_MS + 1))).toBe(true);
    clock.advance(MAX_MS - 1);
    expect(throttle.reason).toMatchObject({ status: 429 });
    clock.advance(1);
    expect(throttle.reason).toBeUndefined();
  });
});
