import { dirname } from "node:path";
import { TerraformVariable } from "cdktf";
import {
  CloudEventGridBinding,
  CloudEventGridNamespace,
  CloudEventGridPullBinding,
  CloudEventGridTopic,
} from "cloud-eventgrid-binding";
import { describe, expect, it } from "vitest";
import { synthesized } from "../../support/synthesized.js";
import { received, resourceGroup, storageAccount } from "../fixtures.js";
import { problemsOf } from "../problems.js";
import { supportedMetrics } from "./supported-metrics.js";

const place = { resourceGroupName: "shop", location: "westeurope" };
const actionGroupId = `${resourceGroup}/providers/Microsoft.Insights/actionGroups/oncall`;
const topicId = `${resourceGroup}/providers/Microsoft.EventGrid/topics/shop`;
const systemTopic = `${resourceGroup}/providers/Microsoft.EventGrid/systemTopics/shop`;

/** Every alert that the constructs can create. */
const everyAlert = synthesized((stack) => {
  new CloudEventGridTopic(stack, "topic", { ...place, tags: { team: "shop" } }).alerts({
    actionGroupId,
    silence: true,
  });
  new CloudEventGridBinding(stack, "orders", {
    ...received,
    scope: topicId,
    additionalScopes: { files: storageAccount },
  }).alerts({ actionGroupId, silence: true, systemTopics: { files: systemTopic } });
  const namespace = new CloudEventGridNamespace(stack, "events", place);
  new CloudEventGridPullBinding(stack, "pull", {
    topic: namespace.addTopic("orders"),
    eventSubscriptionName: "shop",
    receiver: [],
  }).alerts({ actionGroupId, silence: true });
})
  .all("azurerm_monitor_metric_alert")
  .map(({ path, body }) => ({ path, body, criterion: criterionOf(body) }));

interface Criterion {
  readonly metric_namespace: string;
  readonly metric_name: string;
  readonly aggregation: string;
  readonly operator: string;
  readonly threshold: number;
  readonly dimension?: readonly { readonly name: string; readonly values: readonly string[] }[];
}

function criterionOf(body: Readonly<Record<string, unknown>>): Criterion {
  const [criterion] = body.criteria as readonly Criterion[];
  if (criterion === undefined) throw new Error("an alert has a criterion");
  return criterion;
}

function shown({ criterion, body }: (typeof everyAlert)[number]): unknown[] {
  const { metric_name, operator, threshold, dimension } = criterion;
  const values = dimension?.[0]?.values;
  return [metric_name, operator, threshold, body.window_size, body.severity, values];
}

describe("alerts", () => {
  it("use metrics and dimensions of Microsoft's reference", () => {
    expect(everyAlert).toHaveLength(5 + 4 + 4 + 5);
    for (const { path, criterion } of everyAlert) {
      const { metric_namespace, metric_name, aggregation, dimension = [] } = criterion;
      const sources = supportedMetrics[metric_namespace] ?? [];
      const source = sources.find(({ metrics }) => metric_name in metrics);
      expect(source, `${path}: ${metric_name}`).toBeDefined();
      const known = source?.metrics[metric_name] ?? [];
      for (const { name } of dimension) expect(known, path).toContain(name);
      expect(aggregation).toBe("Total");
    }
  });

  it("keep their addresses, so that another release does not replace them", () => {
    expect([...new Set(everyAlert.map(({ path }) => dirname(path)))]).toEqual([
      "orders/alerts-subscription-files",
      "orders/alerts-subscription",
      "pull/alerts",
      "topic/alerts",
    ]);
  });

  it("cover each event subscription of a topic, and its publishers", () => {
    const ofTopic = everyAlert.filter(({ path }) => path.startsWith("topic/"));
    expect(ofTopic.map(shown)).toEqual([
      ["DeadLetteredCount", "GreaterThan", 0, "PT5M", 2, ["*"]],
      ["DeliveryAttemptFailCount", "GreaterThan", 20, "PT15M", 2, ["*"]],
      ["DroppedEventCount", "GreaterThan", 0, "PT5M", 1, ["*"]],
      ["PublishFailCount", "GreaterThan", 20, "PT15M", 2, undefined],
      ["DeliverySuccessCount", "LessThanOrEqual", 0, "PT1H", 2, undefined],
    ]);
    expect(ofTopic[0]?.body).toMatchObject({
      resource_group_name: expect.stringMatching(/split\("\/", azurerm_eventgrid_topic/),
      scopes: [expect.stringContaining("azurerm_eventgrid_topic")],
      action: [{ action_group_id: actionGroupId }],
      tags: { team: "shop" },
    });
  });

  it("cover an event subscription that services pull from, and its namespace", () => {
    const ofPull = everyAlert.filter(({ path }) => path.startsWith("pull/"));
    expect(ofPull.map(shown)).toEqual([
      ["FailedAcknowledgedEvents", "GreaterThan", 20, "PT15M", 2, ["orders"]],
      ["SuccessfulDeadLetteredEvents", "GreaterThan", 0, "PT5M", 2, undefined],
      ["DroppedEvents", "GreaterThan", 0, "PT5M", 1, undefined],
      ["FailedReceivedEvents", "GreaterThan", 20, "PT15M", 2, ["orders"]],
      ["SuccessfulAcknowledgedEvents", "LessThanOrEqual", 0, "PT1H", 2, ["orders"]],
    ]);
  });

  it("cover the event subscriptions of a binding, by their topics or system topics", () => {
    const dropped = everyAlert.filter(({ path }) => /^orders\/.*\/dropped$/.test(path));
    expect(dropped.map(({ body, criterion }) => [body.scopes, criterion.dimension])).toEqual([
      [[systemTopic], [expect.objectContaining({ name: "EventSubscriptionName" })]],
      [
        [topicId],
        [{ name: "EventSubscriptionName", operator: "Include", values: [expect.any(String)] }],
      ],
    ]);
  });

  it("can be changed and switched off", () => {
    const stack = synthesized((scope) => {
      new CloudEventGridTopic(scope, "topic", place).alerts({
        actionGroupId,
        dropped: { severity: 0, threshold: 5 },
        deadLettered: false,
        deliveryFailures: false,
        publishFailures: { windowMinutes: 360 },
      });
    });
    expect(stack.all("azurerm_monitor_metric_alert").map(({ body }) => body)).toMatchObject([
      { severity: 0, criteria: [{ threshold: 5 }] },
      { window_size: "PT6H", frequency: "PT1H", criteria: [{ metric_name: "PublishFailCount" }] },
    ]);
  });

  it("look back over the windows that Azure names", () => {
    const stack = synthesized((scope) => {
      for (const windowMinutes of [5, 15, 30, 60, 360, 720, 1440]) {
        const topic = new CloudEventGridTopic(scope, `topic-${windowMinutes}`, place);
        const off = { deadLettered: false, deliveryFailures: false, publishFailures: false };
        topic.alerts({ actionGroupId, dropped: { windowMinutes }, ...off });
      }
    });
    const sizes = stack.all("azurerm_monitor_metric_alert").map(({ body }) => body.window_size);
    expect(sizes.toSorted()).toEqual(["P1D", "PT12H", "PT15M", "PT1H", "PT30M", "PT5M", "PT6H"]);
  });

  it.each([
    ["a resource group", received.scope, ["systemTopics.scope: required"]],
    ["a storage account", storageAccount, ["systemTopics.scope: required"]],
    ["a topic", topicId, []],
  ])("need a topic that Azure counts by: a binding at %s", (_, scope, problems) => {
    const alerts = (systemTopics: Record<string, string>) =>
      problemsOf((stack) => {
        const binding = new CloudEventGridBinding(stack, "orders", { ...received, scope });
        binding.alerts({ actionGroupId, systemTopics });
      });
    expect(alerts({})).toEqual(problems);
    expect(alerts({ scope: systemTopic })).toEqual([]);
    expect(alerts({ scope: systemTopic, uploads: systemTopic })).toEqual([
      "systemTopics.uploads: scope-key",
    ]);
  });

  it("accept a scope that is known only later", () => {
    const stack = synthesized((scope) => {
      const topic = new TerraformVariable(scope, "topic", { type: "string" });
      new CloudEventGridBinding(scope, "orders", {
        ...received,
        scope: topic.stringValue,
      }).alerts({ actionGroupId });
    });
    const scopes = stack.all("azurerm_monitor_metric_alert").map(({ body }) => body.scopes);
    expect(new Set(scopes.flat())).toEqual(new Set(['/${trim(var.topic, "/")}']));
  });

  it("have a severity from 0 to 4, and a threshold from 0 to a billion", () => {
    const isValid = (dropped: object) =>
      problemsOf((stack) => {
        new CloudEventGridTopic(stack, "topic", place).alerts({ actionGroupId, dropped });
      }).length === 0;
    expect([-1, 0, 4, 5].filter((severity) => isValid({ severity }))).toEqual([0, 4]);
    expect([-1, 0, 1e9, 1e9 + 1].filter((threshold) => isValid({ threshold }))).toEqual([0, 1e9]);
  });

  it("report invalid options with the name of the method", () => {
    expect(
      problemsOf((stack) => {
        const topic = new CloudEventGridTopic(stack, "topic", place);
        topic.alerts({ actionGroupId: "oncall", dropped: { windowMinutes: 7, severity: 5 } });
      }),
    ).toEqual([
      "actionGroupId: resource-id",
      "dropped.windowMinutes: choice",
      "dropped.severity: integer-range",
    ]);
  });
});
