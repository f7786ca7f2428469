import { describe, expect, it } from "vitest";
import { startShop } from "../../support/cloud.js";
import { signIn } from "../../support/management-client.js";

const GROUP = "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/shop";
const RULE = `${GROUP}/providers/Microsoft.Insights/metricAlerts/deliveries-fail`;

interface Dimension {
  readonly name: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** A rule as az and azurerm write it: more than two failed attempts in five minutes. */
function rule(scope: string, changes: object = {}, dimensions: readonly Dimension[] = []) {
  return {
    location: "global",
    properties: {
      severity: 1,
      scopes: [scope],
      evaluationFrequency: "PT1M",
      windowSize: "PT5M",
      criteria: {
        "odata.type": "Microsoft.Azure.Monitor.SingleResourceMultipleMetricCriteria",
        allOf: [
          {
            criterionType: "StaticThresholdCriterion",
            name: "failures",
            metricName: "DeliveryAttemptFailCount",
            timeAggregation: "Total",
            operator: "GreaterThan",
            threshold: 2,
            dimensions,
          },
        ],
      },
      ...changes,
    },
  };
}

/** A whole minute, at which the clock starts. */
const START = Date.UTC(2027, 0, 31, 10);
const minute = (count: number) => START + count * 60_000;

async function start() {
  const shop = await startShop({ control: { eventGridRegistered: true }, now: () => START });
  const call = await signIn(shop.cloud);
  await call("PUT", GROUP, { location: "westeurope" });
  return { ...shop, call };
}

describe("a metric alert", () => {
  it("fires while the webhook is down, and is resolved after its repair", async () => {
    const { cloud, call, topic, webhook, publish } = await start();
    const written = await call("PUT", RULE, rule(topic.id, { windowSize: "PT15M" }));
    expect(written.status).toBe(200);
    const consent = webhook.answer;
    webhook.answer = () => ({ status: 503 });
    await publish();
    // Attempts fail at once, after 30 seconds, and after another minute.
    await cloud.clock.advance({ minutes: 1 });
    expect(cloud.alerts()).toMatchObject([{ state: "healthy", changes: [] }]);
    await cloud.clock.advance({ minutes: 9 });
    const fired = { state: "fired", at: minute(2) };
    expect(cloud.alerts()).toEqual([
      {
        rule: "deliveries-fail",
        ruleId: RULE,
        scope: topic.id,
        severity: 1,
        state: "firing",
        changes: [fired],
      },
    ]);

    webhook.answer = consent;
    await cloud.drain();
    await cloud.clock.advance({ minutes: 20 });
    const [alert] = cloud.alerts();
    expect(alert).toMatchObject({ state: "healthy", changes: [fired, { state: "resolved" }] });
    const overHttp = await fetch(`${cloud.httpOrigin}/local/alerts`);
    expect(await overHttp.json()).toMatchObject([
      { state: "healthy", changes: [{ state: "fired", at: "2027-01-31T10:02:00.000Z" }, {}] },
    ]);
  });

  it("has a time series for each event subscription that its dimension names", async () => {
    const { cloud, call, topic, webhook, publish } = await start();
    const states = [];
    webhook.answer = () => ({ status: 503 });
    await publish();
    for (const values of [["*"], ["orders-sub"], ["another"]]) {
      const dimension = { name: "EventSubscriptionName", operator: "Include", values };
      await call("PUT", `${RULE}-${states.length}`, rule(topic.id, {}, [dimension]));
      states.push(values[0]);
    }
    await cloud.clock.advance({ minutes: 5 });
    expect(cloud.alerts().map(({ state }) => state)).toEqual(["firing", "firing", "healthy"]);
  });

  it("fires at each evaluation if it is stateless", async () => {
    const { cloud, call, topic, webhook, publish } = await start();
    await call("PUT", RULE, rule(topic.id, { autoMitigate: false }));
    webhook.answer = () => ({ status: 503 });
    await publish();
    await cloud.clock.advance({ minutes: 4 });
    expect(cloud.alerts()[0]?.changes).toEqual([
      { state: "fired", at: minute(2) },
      { state: "fired", at: minute(3) },
      { state: "fired", at: minute(4) },
    ]);
  });

  it("is shown as not evaluated if it is disabled or needs what is not counted", async () => {
    const { cloud, call, topic } = await start();
    await call("PUT", RULE, rule(topic.id, { enabled: false }));
    const dimension = { name: "Error", operator: "Include", values: ["*"] };
    await call("PUT", `${RULE}-2`, rule(topic.id, {}, [dimension]));
    expect(cloud.alerts().map(({ state }) => state)).toEqual(["notEvaluated", "notEvaluated"]);
  });

  it("is refused with every problem", async () => {
    const { call, topic } = await start();
    const body = rule(topic.id, { severity: 5, windowSize: "PT1M", evaluationFrequency: "PT5M" });
    expect(await call("PUT", RULE, body)).toMatchObject({
      status: 400,
      body: {
        error: { code: "BadRequest", message: expect.stringMatching(/windowSize.*severity/) },
      },
    });
  });

  it("is gone after the deletion of its rule", async () => {
    const { cloud, call, topic } = await start();
    await call("PUT", RULE, rule(topic.id));
    expect(cloud.alerts()).toHaveLength(1);
    expect((await call("DELETE", RULE)).status).toBe(200);
    expect(cloud.alerts()).toEqual([]);
  });
});
