import { describe, expect, it } from "vitest";
import { all, azureClients } from "../../support/azure-clients.js";
import { startCloud } from "../../support/cloud.js";
import { refusal, signIn } from "../../support/management-client.js";

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
  const { monitor, call, scope } = await start();
  const shown = async (type: string, name: string) => {
    const { body } = await call("GET", scope.replace(/EventGrid.*/, `Insights/${type}/${name}`));
    expect(body).toMatchObject({ name, location: "global" });
    return Object(body).properties;
  };
  const provisioningState = "Succeeded";
  const ofGroup = { groupShortName: "a".repeat(12), enabled: true };
  const create = (groupShortName: string) =>
    monitor.actionGroups.createOrUpdate("shop", "on-call", {
      ...{ ...ofGroup, groupShortName, location: "global" },
    });
  await expect(create("a".repeat(13))).rejects.toMatchObject({
    statusCode: 400,
    code: "BadRequest",
  });
  const group = await create(ofGroup.groupShortName);
  const lists = ["email", "sms", "webhook", "itsm", "azureAppPush", "automationRunbook"].concat(
    ["voice", "logicApp", "azureFunction", "armRole", "eventHub"], // as in the REST reference
  );
  expect(await shown("actionGroups", "on-call")).toEqual({
    ...Object.fromEntries(lists.map((each) => [`${each}Receivers`, []])),
    ...{ ...ofGroup, provisioningState },
  });
  const criterion = {
    ...({ criterionType: "StaticThresholdCriterion", name: "failures", threshold: 0 } as const),
    ...{
      metricName: "DeliveryAttemptFailCount",
      timeAggregation: "Total",
      operator: "GreaterThan",
    },
  };
  const odataType = "Microsoft.Azure.Monitor.SingleResourceMultipleMetricCriteria" as const;
  const rule = {
    severity: 4,
    enabled: true,
    scopes: [scope],
    actions: [{ actionGroupId: group.id ?? "" }],
  };
  await monitor.metricAlerts.createOrUpdate("shop", "failures", {
    ...{ ...rule, location: "global", evaluationFrequency: "PT1H", windowSize: "P1D" },
    criteria: { odataType, allOf: [criterion] },
  });
  expect(await shown("metricAlerts", "failures")).toEqual({
    ...{ ...rule, evaluationFrequency: "PT1H", windowSize: "P1D", autoMitigate: true },
    ...{ criteria: { "odata.type": odataType, allOf: [criterion] }, provisioningState },
  });
  await monitor.metricAlerts.update("shop", "failures", { severity: 2 });
  expect(await all(monitor.metricAlerts.listByResourceGroup("shop"))).toMatchObject([
    { name: "failures", severity: 2, scopes: [scope] },
  ]);
  await monitor.metricAlerts.delete("shop", "failures");
  await monitor.actionGroups.delete("shop", "on-call");
  expect(await all(monitor.metricAlerts.listBySubscription())).toEqual([]);
  expect(await all(monitor.actionGroups.listBySubscriptionId())).toEqual([]);
});

it("an alert rule is enabled, and has no actions, unless somebody wrote otherwise", async () => {
  const { call, scope } = await start();
  const id = scope.replace(/EventGrid.*/, "Insights/metricAlerts/failures");
  const { body } = await call("PUT", id, { location: "global", properties: ruleOf(scope) });
  expect(body).toMatchObject({ properties: { enabled: true, autoMitigate: true, actions: [] } });
});

const ruleOf = (scope: string) => ({
  severity: 0,
  scopes: [scope],
  criteria: { allOf: [{ metricName: "DeliveryAttemptFailCount" }] },
  windowSize: "PT1M",
  evaluationFrequency: "PT1M",
});

it.each([
  [{ severity: 5, windowSize: "PT1M", evaluationFrequency: "PT5M" }, /windowSize.*; severity/],
  [{ severity: "1" }, /: severity must be a number from 0 to 4\.$/],
  [{ scopes: [] }, /: scopes must name a resource\.$/],
  [{ criteria: { allOf: [] } }, /: criteria\.allOf must have a criterion\.$/],
  [{ windowSize: "PT7M" }, /: windowSize must be a duration such as PT5M\.$/],
  [{ evaluationFrequency: null }, /: evaluationFrequency must be a duration such as PT1M\.$/],
])("an alert rule is refused with %j", async (change, message) => {
  const { call, scope } = await start();
  const rule = scope.replace(/EventGrid.*/, "Insights/metricAlerts/failures");
  const properties = { ...ruleOf(scope), ...change };
  expect(await call("PUT", rule, { location: "global", properties })).toMatchObject(
    refusal(400, "BadRequest", expect.stringMatching(message)),
  );
});

describe("diagnostic settings of @azure/arm-monitor", () => {
  const storageAccountId =
    "/subscriptions/s/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/logs";
  const SETTINGS = "providers/Microsoft.Insights/diagnosticSettings";
  const failures = { logs: [{ category: "DeliveryFailures", enabled: true }] };

  it("are created, listed for their resource only, and deleted", async () => {
    const { monitor, call, scope } = await start();
    const settings = monitor.diagnosticSettings;
    const metrics = [{ category: "AllMetrics", enabled: false }];
    const written = { ...failures, metrics, storageAccountId };
    const retentionPolicy = { enabled: false, days: 0 };
    expect(await settings.createOrUpdate(scope, "to-storage", written)).toMatchObject({
      ...{ ...written, name: "to-storage" },
    });
    const nothing = "workspaceId eventHubAuthorizationRuleId eventHubName serviceBusRuleId";
    const { body } = await call("GET", `${scope}/${SETTINGS}/to-storage`);
    expect(Object(body).properties).toEqual({
      storageAccountId,
      logs: [{ ...failures.logs[0], categoryGroup: null, retentionPolicy }],
      metrics: [{ ...metrics[0], timeGrain: null, retentionPolicy }],
      ...Object.fromEntries(nothing.split(" ").map((name) => [name, null])),
      ...{ marketplacePartnerId: null, logAnalyticsDestinationType: null },
      provisioningState: "Succeeded",
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
    [
      { storageAccountId, metrics: [{ category: "Requests", enabled: true }] },
      400,
      "Metric category 'Requests' is not supported",
    ],
    [{ storageAccountId, ...failures }, 409, "is already used in diagnostic setting 'first'"],
  ])("are refused as Azure does, such as %j", async (properties, status, message) => {
    const { call, scope } = await start();
    // The client sends no groups of categories.
    const id = `${scope}/${SETTINGS}`;
    await call("PUT", `${id}/first`, { properties: { storageAccountId, ...failures } });
    expect(await call("PUT", `${id}/second`, { properties })).toMatchObject(
      refusal(status, status === 409 ? "Conflict" : "BadRequest", expect.stringContaining(message)),
    );
  });

  it.each([
    ["topics", ["DataPlaneRequests", "DeliveryFailures", "PublishFailures"]],
    ["domains", ["DataPlaneRequests", "DeliveryFailures", "PublishFailures"]],
    ["systemTopics", ["DeliveryFailures"]],
    [
      "namespaces",
      [
        ...["FailedHttpDataPlaneOperations", "FailedMqttConnections"],
        ...["FailedMqttPublishedMessages", "FailedMqttSubscriptionOperations"],
        ...["MqttDisconnections", "SuccessfulHttpDataPlaneOperations"],
        "SuccessfulMqttConnections",
      ],
    ],
  ])("have the categories that Azure Monitor lists for %s, and AllMetrics", async (type, names) => {
    const { call, scope } = await start();
    const id = scope.replace("topics/orders", `${type}/logged`);
    const source = scope.replace(/EventGrid.*/, "Storage/storageAccounts/files");
    const properties = { source, topicType: "Microsoft.Storage.StorageAccounts" };
    const body = { location: "westeurope", ...(type === "systemTopics" && { properties }) };
    expect((await call("PUT", id, body)).status).toBeLessThan(300);
    const write = (logs: readonly string[]) =>
      call("PUT", `${id}/${SETTINGS}/all`, {
        properties: {
          storageAccountId,
          logs: logs.map((category) => ({ category, enabled: true })),
          metrics: [{ category: "AllMetrics", enabled: true }],
        },
      });
    expect((await write(names)).status).toBe(200);
    const supported = `Supported categories: ${names.join(", ")}.`;
    expect(await write(["AuditEvent"])).toMatchObject(
      refusal(400, "BadRequest", expect.stringContaining(supported)),
    );
  });
});
