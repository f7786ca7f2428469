import type { MonitorMetricAlert } from "@cdktf/provider-azurerm/lib/monitor-metric-alert/index.js";
import { type TerraformProvider, Token } from "cdktf";
import {
  type Problem,
  patternRule,
  problem,
  showName,
  showValue,
} from "cloud-eventgrid-binding-runtime/internal";
import type { Construct } from "constructs";
import {
  type BindingAlertOptions,
  bindingAlertChecks,
  createAlerts,
  pushRules,
} from "../monitoring/index.js";
import type { ScopedSubscription } from "../subscription/index.js";
import { identityOf } from "../terraform/index.js";
import { named, report, validated } from "../validation/index.js";

/** Creates the alerts of a binding's event subscriptions, or reports the problems of the options. */
export function bindingAlerts(
  construct: Construct,
  scopes: readonly ScopedSubscription[],
  options: BindingAlertOptions,
  azurerm: TerraformProvider | undefined,
): MonitorMetricAlert[] {
  const { props, problems } = validated(options, bindingAlertChecks);
  const { systemTopics = {} } = props;
  const all = [...problems, ...scopeProblems(construct, scopes, systemTopics)];
  if (all.length > 0) {
    report(construct, () => named("alerts", all));
    return [];
  }
  return scopes.flatMap(({ key, id, scope, name }) => {
    const systemTopic = systemTopics[key];
    const target = {
      id: `alerts-${id}`,
      resourceId: systemTopic ?? scope,
      metricNamespace: `Microsoft.EventGrid/${systemTopic === undefined ? "topics" : "systemTopics"}`,
      dimensions: { EventSubscriptionName: name },
      azurerm,
    };
    return createAlerts(construct, target, pushRules, props);
  });
}

function scopeProblems(
  construct: Construct,
  scopes: readonly ScopedSubscription[],
  systemTopics: Readonly<Record<string, string>>,
): Problem[] {
  const unknown = Object.keys(systemTopics)
    .filter((key) => scopes.every((scope) => scope.key !== key))
    .map((key) => {
      const message = `${showValue(key)} is no scope of the binding: use "scope" or a key of additionalScopes`;
      return problem(`systemTopics.${showName(key)}`, { "scope-key": message });
    });
  const uncounted = scopes
    .filter(({ key, scope }) => systemTopics[key] === undefined && !mayBeTopic(construct, scope))
    .map(({ key, scope }) => {
      const message =
        `is required, because the scope is not a topic and Azure counts by topics: name the system ` +
        `topic of ${identityOf(construct, scope)}, or leave the alerts out`;
      return problem(`systemTopics.${key}`, { required: message });
    });
  return [...unknown, ...uncounted];
}

/** Reports whether a scope may be a custom topic, as far as synthesis knows. */
function mayBeTopic(construct: Construct, scope: string): boolean {
  if (!Token.isUnresolved(scope)) return topicRule.test(scope);
  return !OTHER_RESOURCE.test(identityOf(construct, scope));
}

const OTHER_RESOURCE = /\bazurerm_(?!eventgrid_topic\.)[^.]*\.[^.]*\.id\b/;

const topicRule = patternRule({
  requirement: {
    "topic-id": "must be the resource ID of a topic, or have its system topic in systemTopics",
  },
  pattern: "/providers/[mM]icrosoft[.][eE]vent[gG]rid/topics/[^/]+$",
});
