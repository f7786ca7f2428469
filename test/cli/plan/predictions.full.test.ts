import { expect, it } from "vitest";
import { RandomFilters } from "../../support/random-filters.js";
import { describeWithTerraform } from "../../terraform/with-terraform.js";
import { resourceManager, terraform } from "./appliers.js";
import { type Applier, judge, randomPair } from "./pairs.js";

/** Applies random pairs, whose predictions must all be right, and few of them unknown. */
async function judgePairs(applier: Applier, count: number, seed: number): Promise<void> {
  const random = new RandomFilters(seed);
  const total = { findings: 0, unknown: 0, disagreements: [] as object[] };
  for (let round = 0; round < count; round++) {
    const pair = randomPair(random, `pair-${round}`);
    const { disagreements, findings, unknown } = await judge(applier, pair, round);
    if (disagreements.length > 0) total.disagreements.push({ round, pair, disagreements });
    total.findings += findings;
    total.unknown += unknown;
  }
  expect(total.disagreements).toEqual([]);
  expect(total.findings).toBeGreaterThan(count * 3);
  expect(total.unknown / total.findings).toBeLessThan(0.1);
  console.log(`${count} pairs: ${total.findings} findings about types, ${total.unknown} unknown`);
}

it("predicts what the local Azure delivers before and after 192 random changes", async () => {
  await using applier = await resourceManager();
  await judgePairs(applier, 192, 55);
}, 1_800_000);

describeWithTerraform("explain-plan", () => {
  it("predicts deliveries before and after eight random changes that Terraform plans and applies", async () => {
    await using applier = await terraform();
    await judgePairs(applier, 8, 56);
  }, 1_800_000);
});
