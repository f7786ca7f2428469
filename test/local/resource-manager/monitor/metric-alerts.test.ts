import { describe, expect, it } from "vitest";
import { GROUP, publishTo, startShop, startWebhook } from "../../support/cloud.js";
import { refusal, signIn } from "../../support/management-client.js";

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
    const fired = { state: "fired", at: minute(2), calls: [] };
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
      { state: "fired", at: minute(2), calls: [] },
      { state: "fired", at: minute(3), calls: [] },
      { state: "fired", at: minute(4), calls: [] },
    ]);
  });

  it("calls webhook receivers on the ingress table when it fires and when it is resolved", async () => {
    const { cloud, call, topic, webhook, publish } = await start();
    const chat = await startWebhook();
    cloud.ingress.route("https://chat.example.com", chat.url);
    const group = `${GROUP}/providers/Microsoft.Insights/actionGroups/on-call`;
    const receiver = (name: string, host: string, useCommonAlertSchema: boolean) => ({
      name,
      serviceUri: `https://${host}/alerts?code=hush`,
      useCommonAlertSchema,
    });
    const webhookReceivers = [
      receiver("common", "chat.example.com", true),
      receiver("own", "chat.example.com", false),
      receiver("elsewhere", "pager.example.com", true),
    ];
    const properties = { groupShortName: "on-call", enabled: true, webhookReceivers };
    await call("PUT", group, { location: "global", properties });
    const actions = [{ actionGroupId: group, webHookProperties: { team: "shop" } }];
    await call("PUT", RULE, rule(topic.id, { actions, windowSize: "PT1M" }));
    cloud.faults.deliveries({ status: 503, times: 3 });
    await publish();
    await publish();
    await publish();
    // The attempts of the first minute fail.
    await cloud.clock.advance({ minutes: 1 });
    const [common, own] = chat.requests.map(({ body }) => JSON.parse(body).data);
    expect(common).toMatchObject({
      essentials: {
        alertRule: "deliveries-fail",
        severity: "Sev1",
        monitorCondition: "Fired",
        alertTargetIDs: [topic.id.toLowerCase()],
        firedDateTime: "2027-01-31T10:01:00.000Z",
      },
      alertContext: {
        properties: { team: "shop" },
        conditionType: "SingleResourceMultipleMetricCriteria",
        condition: { windowSize: "PT1M", allOf: [{ threshold: "2", metricValue: 3 }] },
      },
    });
    expect(own).toMatchObject({ status: "Activated", context: { severity: "1" } });
    const elsewhere = {
      receiver: "elsewhere",
      error: "its address is not on the ingress table",
    };
    expect(cloud.alerts()[0]?.changes[0]?.calls).toEqual(
      expect.arrayContaining([
        { receiver: "common", status: 200 },
        { receiver: "own", status: 200 },
        elsewhere,
      ]),
    );
    await cloud.clock.advance({ minutes: 5 });
    expect(chat.requests.slice(2).map(({ body }) => JSON.parse(body).data)).toMatchObject([
      { essentials: { monitorCondition: "Resolved" } },
      { status: "Deactivated" },
    ]);
    expect(webhook.requests.filter(({ method }) => method === "POST")).toHaveLength(3);
  });

  it("fires for publish requests that a topic refuses", async () => {
    const { cloud, call, topic } = await start();
    const body = rule(topic.id);
    const [criterion] = body.properties.criteria.allOf;
    const allOf = [{ ...criterion, metricName: "PublishFailCount", threshold: 0 }];
    const criteria = { ...body.properties.criteria, allOf };
    await call("PUT", RULE, rule(topic.id, { criteria }));
    expect((await publishTo({ ...topic, accessKey: "wrong" })).status).toBe(401);
    await cloud.clock.advance({ minutes: 1 });
    expect(cloud.alerts()).toMatchObject([{ state: "firing" }]);
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
    expect(await call("PUT", RULE, body)).toMatchObject(
      refusal(400, "BadRequest", expect.stringMatching(/windowSize.*severity/)),
    );
  });
});
