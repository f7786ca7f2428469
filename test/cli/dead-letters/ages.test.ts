import { expect, it } from "vitest";
import { Ages } from "../../../cli/src/dead-letters/ages.js";

const DAY = 24 * 60 * 60 * 1000;

it("mentions events older than the 8 days of an inbox once, however many passes there are", async () => {
  const told: number[] = [];
  let read = 0;
  const ages = new Ages(() => told.push(read));
  async function pass(...days: readonly number[]) {
    const now = Date.now();
    async function* blobs() {
      for (const day of days) {
        yield { letters: [{ publishTime: new Date(now - day * DAY).toISOString() }] };
      }
    }
    for await (const _ of ages.watch(blobs())) read += 1;
  }
  await pass(0, 7.99);
  expect(told).toEqual([]);
  await pass(8.01, 9);
  await pass(10);
  expect(told).toEqual([2]);
});
