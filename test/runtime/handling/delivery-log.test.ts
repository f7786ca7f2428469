import { expect, it } from "vitest";
import { readEvent } from "../../../runtime/src/events/envelope/index.js";
import { DeliveryLog } from "../../../runtime/src/handling/delivery-log.js";
import type { Log } from "../../../runtime/src/observability.js";
import { ManualClock } from "../../support/manual-clock.js";

/** A log of the lines that are enabled, each as its level, its message and its fields. */
function start(levels = ["debug", "info", "warn"]) {
  const lines: unknown[] = [];
  const writer = (level: string) => (fields: object, message: string) => {
    lines.push([level, message, fields]);
  };
  const log = {
    ...Object.fromEntries(levels.map((level) => [level, writer(level)])),
    isLevelEnabled: (level: string) => levels.includes(level),
  } as Partial<Log> as Log;
  const clock = new ManualClock();
  return { lines, clock, deliveries: new DeliveryLog(log, clock) };
}

it("has the first delivery, then each at level debug, and a summary a minute while there are any", () => {
  const { lines, clock, deliveries } = start();
  deliveries.ended(["handled"], 1.26, () => ({ status: 200 }));
  deliveries.ended(["handled", "duplicate", "handled"], 7.04, () => ({ status: 200 }));
  deliveries.ended(["handled"], 2, () => ({ status: 200 }));
  clock.advance(59_999);
  expect(lines).toEqual([
    ["info", "delivery", { status: 200, outcomes: "handled", ms: 1.3 }],
    ["debug", "delivery", { status: 200, outcomes: { handled: 2, duplicate: 1 }, ms: 7 }],
    ["debug", "delivery", { status: 200, outcomes: "handled", ms: 2 }],
  ]);
  lines.length = 0;
  clock.advance(1);
  clock.advance(120_000);
  const outcomes = { handled: 3, duplicate: 1 };
  expect(lines).toEqual([
    ["info", "deliveries", { deliveries: 2, outcomes, longestMs: 7, seconds: 60 }],
  ]);
});

it("has what no summary contains yet when it is closed, and what failed at once", () => {
  const { lines, clock, deliveries } = start(["info", "warn"]);
  deliveries.failed(["failed"], 3, () => ({ status: 503 }));
  for (let count = 0; count < 3; count += 1) deliveries.ended(["handled"], 1, () => ({}));
  clock.advance(29_500);
  deliveries.close();
  deliveries.close();
  clock.advance(60_000);
  expect(lines).toEqual([
    ["warn", "delivery", { status: 503, outcomes: "failed", ms: 3 }],
    ["info", "delivery", { outcomes: "handled", ms: 1 }],
    ["info", "deliveries", { deliveries: 2, outcomes: { handled: 2 }, longestMs: 1, seconds: 30 }],
  ]);
});

it("warns of rounded integers once for each type", () => {
  const { lines, deliveries } = start();
  const event = (type: string) =>
    `{"specversion":"1.0","id":"1","source":"/s","type":"${type}","data":9007199254740993}`;
  for (const type of ["a", "b", "a"]) {
    const received = [readEvent({}), readEvent(JSON.parse(event(type)))];
    deliveries.warnOfRounded(received, { jsonOf: () => event(type) });
  }
  expect(lines).toEqual(
    ["a", "b"].map((type) => [
      "warn",
      "integers beyond 2^53 were rounded: context.json has the exact text",
      { event: { id: "1", type, source: "/s" } },
    ]),
  );
});
