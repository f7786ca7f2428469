import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BoundedHistory } from "../../../../local/src/eventgrid/events/bounded-history.js";
import { draws } from "../../../support/draws.js";
import { startShop } from "../../support/cloud.js";

describe("the history", () => {
  it("keeps the configured number of latest entries", async () => {
    const { cloud, topic, publish } = await startShop({ history: 3 });
    for (const id of ["a", "b", "c", "d", "e"]) {
      await publish({ id });
      await cloud.drain();
    }
    const kept = ["c", "d", "e"];
    expect(cloud.deliveries().flatMap(({ events }) => events.map(({ id }) => id))).toEqual(kept);
    expect(topic.events().map(({ id }) => id)).toEqual(kept);
  });

  it("keeps the latest entries within its limits of number and bytes, and always the last", () => {
    const step = fc.oneof(
      { weight: 40, arbitrary: fc.nat(6) },
      { weight: 1, arbitrary: fc.constant("clear") },
    );
    const limit = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(limit, limit, fc.array(step, { maxLength: 99 }), (most, mostBytes, steps) => {
        const history = new BoundedHistory<number>(most, mostBytes);
        let kept: number[] = [];
        const bytes = () => kept.reduce((sum, at) => sum + Number(steps[at]), 0);
        for (const [at, given] of steps.entries()) {
          if (typeof given === "number") {
            history.add(at, given);
            kept.push(at);
          } else {
            history.clear();
            kept = [];
          }
          while (kept.length > 1 && (kept.length > most || bytes() > mostBytes)) kept.shift();
          expect(history.list()).toEqual(kept);
          expect(history.latest(2)).toEqual(kept.slice(-2));
          expect(history.latest(-1)).toEqual([]);
        }
      }),
      { numRuns: draws(60) },
    );
  });
});
