import {
  azureRules,
  boolean,
  type Check,
  type Checks,
  choiceRule,
  integerRule,
  patternRule,
  unchecked,
} from "cloud-eventgrid-binding-runtime/internal";
import { either, group, literal, recordOf, required } from "../validation/index.js";
import { type MetricRule, pullRules, pushRules, topicRules, windows } from "./alert-rules.js";

/** What may differ from the defaults of an alert. */
export interface AlertRule {
  /** The alert fires when there are more than this many events in the window; for `silence`, at most. */
  readonly threshold?: number;
  /** Minutes that the alert looks back: 5, 15, 30, 60, 360, 720 or 1440. */
  readonly windowMinutes?: number;
  /** From 0, critical, to 4, verbose. */
  readonly severity?: number;
}

/** Options that all alerts share. */
export interface CommonAlertOptions {
  /** Resource ID of the action group that is notified. */
  readonly actionGroupId: string;
  /** @default the tags of the topic; none for the alerts of a binding */
  readonly tags?: Readonly<Record<string, string>>;
}

/** Options of the alerts of a binding that receives pushed events. `false` switches an alert off. */
export interface BindingAlertOptions extends CommonAlertOptions {
  /** Events were dropped, and are lost. @default more than 0 in 5 minutes, severity 1 */
  readonly dropped?: boolean | AlertRule;
  /** Events were dead-lettered. @default more than 0 in 5 minutes, severity 2 */
  readonly deadLettered?: boolean | AlertRule;
  /** Delivery attempts fail. @default more than 20 in 15 minutes, severity 2 */
  readonly deliveryFailures?: boolean | AlertRule;
  /** Nothing was delivered; `true` for an hour. @default false */
  readonly silence?: boolean | AlertRule;
  /**
   * Resource IDs of the system topics of scopes that are not topics: by the keys of `additionalScopes`,
   * and `scope` for the binding's own scope. Their metrics are those of the system topic.
   *
   * @default none
   */
  readonly systemTopics?: Readonly<Record<string, string>>;
}

/** Options of the alerts of a topic. `false` switches an alert off. */
export interface TopicAlertOptions extends Omit<BindingAlertOptions, "systemTopics"> {
  /** The topic refuses events of its publishers. @default more than 20 in 15 minutes, severity 2 */
  readonly publishFailures?: boolean | AlertRule;
}

/** Options of the alerts of a binding that pulls. `false` switches an alert off. */
export interface PullAlertOptions extends CommonAlertOptions {
  /** The namespace dropped events. @default more than 0 in 5 minutes, severity 1 */
  readonly dropped?: boolean | AlertRule;
  /** The namespace dead-lettered events. @default more than 0 in 5 minutes, severity 2 */
  readonly deadLettered?: boolean | AlertRule;
  /** Requests for events fail. @default more than 20 in 15 minutes, severity 2 */
  readonly receiveFailures?: boolean | AlertRule;
  /** Acknowledgements fail. @default more than 20 in 15 minutes, severity 2 */
  readonly acknowledgeFailures?: boolean | AlertRule;
  /** Nothing was acknowledged; `true` for an hour. @default false */
  readonly silence?: boolean | AlertRule;
}

const systemTopicRule = patternRule({
  name: "system-topic-id",
  requirement:
    "must be the resource ID of a system topic " +
    "(/subscriptions/{id}/resourceGroups/{name}/providers/Microsoft.EventGrid/systemTopics/{name})",
  pattern:
    "^/subscriptions/[0-9a-fA-F-]{36}/[rR]esource[gG]roups/[^/]+" +
    "/providers/[mM]icrosoft[.][eE]vent[gG]rid/system[tT]opics/[^/]+$",
});

const ruleCheck = either(
  boolean,
  group<AlertRule>({
    threshold: integerRule(0, 1_000_000_000),
    windowMinutes: literal(choiceRule(...windows.keys())),
    severity: integerRule(0, 4),
  }),
);

const commonChecks = {
  actionGroupId: required(azureRules.resourceId),
  tags: unchecked,
} satisfies Checks<CommonAlertOptions>;

function checksOf<Name extends string>(rules: Readonly<Record<Name, MetricRule>>) {
  const checks = Object.fromEntries(Object.keys(rules).map((name) => [name, ruleCheck]));
  return { ...commonChecks, ...(checks as Readonly<Record<Name, Check>>) };
}

export const topicAlertChecks: Checks<TopicAlertOptions> = checksOf(topicRules);

export const bindingAlertChecks: Checks<BindingAlertOptions> = {
  ...checksOf(pushRules),
  systemTopics: recordOf(systemTopicRule, () => []),
};

export const pullAlertChecks: Checks<PullAlertOptions> = checksOf(pullRules);
