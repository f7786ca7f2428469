import { expect, it } from "vitest";
import { explainPlan, readPlan } from "../../../cli/src/plan/index.js";
import { RandomFilters } from "../../support/random-filters.js";
import { describeWithTerraform } from "../../terraform/with-terraform.js";
import { resourceManager, terraform } from "./appliers.js";
import { type Configured, judge, ORIGIN, randomPair } from "./pairs.js";

it("predicts what the local Azure delivers before and after 6 random changes", async () => {
  await using applier = await resourceManager();
  const random = new RandomFilters(2024);
  for (let round = 0; round < 6; round++) {
    const pair = randomPair(random, `pair-${round}`);
    const { disagreements } = await judge(applier, pair, round);
    expect({ pair, disagreements }).toEqual({ pair, disagreements: [] });
  }
});

describeWithTerraform("explain-plan", () => {
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
