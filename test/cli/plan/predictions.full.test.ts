import { expect, it } from "vitest";
import { explainPlan, readPlan } from "../../../cli/src/plan/index.js";
import { RandomFilters } from "../../support/random-filters.js";
import { describeWithTerraform } from "../../terraform/with-terraform.js";
import { resourceManager, terraform } from "./appliers.js";
import { type Applier, type Configured, judge, ORIGIN, randomPair } from "./pairs.js";

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

  it("predicts that a replacement loses the event that is published during it", async () => {
    const publish = async (seq: number) => {
      const [topic] = applier.cloud.topics.list().filter(({ name }) => name === "grid");
      const time = "2026-01-01T00:00:00Z";
      const event = { id: "1", eventType: "shop.parcel.sent", subject: "7", eventTime: time };
      const response = await fetch(topic?.endpoint ?? "", {
        method: "POST",
        headers: { "aeg-sas-key": topic?.accessKey ?? "", "content-type": "application/json" },
        body: JSON.stringify([{ ...event, dataVersion: "1", data: { seq } }]),
      });
      expect(response.status).toBe(200);
    };
    let duringHandshake = async () => {};
    await using applier = await terraform(() => duringHandshake());
    const before: Configured = {
      name: "parcels",
      topic: "grid",
      url: `${ORIGIN}/parcels`,
      schema: "EventGridSchema",
      filter: {},
      deadLetter: false,
    };
    const after: Configured = { ...before, schema: "CloudEventSchemaV1_0" };
    await applier.apply([before]);
    await publish(1);
    await applier.cloud.drain();

    const plan = readPlan(await applier.plan({ before: [before], after: [after] }));
    expect((await explainPlan(plan, [], [])).resources[0]?.findings[0]).toMatchObject({
      check: "replaced",
      effect: "lost",
      message: expect.stringContaining("because of event_delivery_schema"),
    });
    duringHandshake = () => publish(2);
    await applier.apply([after]);
    duringHandshake = async () => {};
    await publish(3);
    await applier.cloud.drain();
    const delivered = applier.attempts.flatMap(({ events }) => events);
    expect(delivered.map(({ json }) => JSON.parse(json).data.seq)).toEqual([1, 3]);
  });
});
