import { describe, expect, it } from "vitest";
import { all, azureClients } from "../support/azure-clients.js";
import { startCloud } from "../support/cloud.js";
import { refusal, signIn } from "../support/management-client.js";

async function start() {
  const cloud = await startCloud({ control: { eventGridRegistered: true } });
  const clients = azureClients(cloud);
  await clients.resources.resourceGroups.createOrUpdate("shop", { location: "westeurope" });
  const topic = await clients.eventGrid.topics.beginCreateOrUpdateAndWait("shop", "orders", {
    location: "westeurope",
  });
  return { ...clients, call: await signIn(cloud), scope: topic.id ?? "" };
}

it("alerts of @azure/arm-monitor are created with their action group, changed, listed and deleted", async () => {
  const { monitor, scope } = await start();
  const group = await monitor.actionGroups.createOrUpdate("shop", "on-call", {
    location: "global",
    groupShortName: "on-call",
    enabled: true,
    webhookReceivers: [{ name: "chat", serviceUri: "https://chat.example.com/alerts" }],
  });
  expect(group).toMatchObject({ emailReceivers: [], webhookReceivers: [{ name: "chat" }] });
  await expect(
    monitor.actionGroups.createOrUpdate("shop", "other", {
      location: "global",
      groupShortName: "much too long",
      enabled: true,
    }),
  ).rejects.toMatchObject({ statusCode: 400, code: "BadRequest" });

  const rule = await monitor.metricAlerts.createOrUpdate("shop", "failures", {
    location: "global",
    severity: 0,
    enabled: true,
    scopes: [scope],
    evaluationFrequency: "PT1M",
    windowSize: "PT5M",
    criteria: {
      odataType: "Microsoft.Azure.Monitor.SingleResourceMultipleMetricCriteria",
      allOf: [
        {
          criterionType: "StaticThresholdCriterion",
          name: "failures",
          metricName: "DeliveryAttemptFailCount",
          timeAggregation: "Total",
          operator: "GreaterThan",
          threshold: 0,
        },
      ],
    },
    actions: [{ actionGroupId: group.id ?? "" }],
  });
  expect(rule).toMatchObject({ autoMitigate: true, criteria: { allOf: [{ threshold: 0 }] } });
  await monitor.metricAlerts.update("shop", "failures", { severity: 2 });
  expect(await all(monitor.metricAlerts.listByResourceGroup("shop"))).toMatchObject([
    { name: "failures", severity: 2, scopes: [scope] },
  ]);
  await monitor.metricAlerts.delete("shop", "failures");
  await monitor.actionGroups.delete("shop", "on-call");
  expect(await all(monitor.metricAlerts.listBySubscription())).toEqual([]);
  expect(await all(monitor.actionGroups.listBySubscriptionId())).toEqual([]);
});

it("an alert rule is refused with every problem", async () => {
  const { call, scope } = await start();
  const rule = scope.replace(/EventGrid.*/, "Insights/metricAlerts/failures");
  const criteria = { allOf: [{ metricName: "DeliveryAttemptFailCount" }] };
  const windows = { windowSize: "PT1M", evaluationFrequency: "PT5M" };
  const properties = { severity: 5, scopes: [scope], criteria, ...windows };
  expect(await call("PUT", rule, { location: "global", properties })).toMatchObject(
    refusal(400, "BadRequest", expect.stringMatching(/windowSize.*severity/)),
  );
});

describe("diagnostic settings of @azure/arm-monitor", () => {
  const storageAccountId =
    "/subscriptions/s/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/logs";
  const failures = { logs: [{ category: "DeliveryFailures", enabled: true }] };

  it("are created, listed for their resource only, and deleted", async () => {
    const { monitor, scope } = await start();
    const settings = monitor.diagnosticSettings;
    const created = await settings.createOrUpdate(scope, "to-storage", {
      ...failures,
      storageAccountId,
    });
    expect(created).toMatchObject({
      name: "to-storage",
      storageAccountId,
      logs: [{ category: "DeliveryFailures", retentionPolicy: { days: 0 } }],
    });
    expect((await settings.list(scope)).value).toHaveLength(1);
    const group = scope.replace(/\/providers\/.*/, "");
    expect((await settings.list(group)).value).toEqual([]);
    await settings.delete(scope, "to-storage");
    expect((await settings.list(scope)).value).toEqual([]);
  });

  it("are refused for a topic that does not exist", async () => {
    const { monitor, scope } = await start();
    const setting = { ...failures, storageAccountId };
    await expect(
      monitor.diagnosticSettings.createOrUpdate(`${scope}-missing`, "to-storage", setting),
    ).rejects.toMatchObject({ statusCode: 404, code: "ResourceNotFound" });
  });

  it.each([
    [{}, 400, "At least one data sink needs to be specified"],
    [
      { storageAccountId, logs: [{ category: "AuditEvent", enabled: true }] },
      400,
      "Category 'AuditEvent' is not supported",
    ],
    [
      { storageAccountId, logs: [...failures.logs, { categoryGroup: "allLogs", enabled: true }] },
      400,
      "does not support mix of log category and log category group",
    ],
    [{ storageAccountId, ...failures }, 409, "is already used in diagnostic setting 'first'"],
  ])("are refused as Azure does, such as %j", async (properties, status, message) => {
    const { call, scope } = await start();
    // The client sends no groups of categories.
    const id = `${scope}/providers/Microsoft.Insights/diagnosticSettings`;
    await call("PUT", `${id}/first`, { properties: { storageAccountId, ...failures } });
    expect(await call("PUT", `${id}/second`, { properties })).toMatchObject(
      refusal(status, undefined, expect.stringContaining(message)),
    );
  });
});
