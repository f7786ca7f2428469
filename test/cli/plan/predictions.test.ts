import { expect, it } from "vitest";
import { RandomFilters } from "../../support/random-filters.js";
import { resourceManager } from "./appliers.js";
import { judge, randomPair } from "./pairs.js";

it("predicts what the local Azure delivers before and after 6 random changes", async () => {
  await using applier = await resourceManager();
  const random = new RandomFilters(2024);
  for (let round = 0; round < 6; round++) {
    const pair = randomPair(random, `pair-${round}`);
    const { disagreements } = await judge(applier, pair, round);
    expect({ pair, disagreements }).toEqual({ pair, disagreements: [] });
  }
});
