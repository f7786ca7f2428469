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

/** A metric that an alert rule watches, and when the rule fires unless options say otherwise. */
export interface MetricRule {
  /** Name of the metric, as Microsoft's reference of supported metrics has it. */
  readonly metric: string;
  readonly operator: "GreaterThan" | "LessThanOrEqual";
  readonly threshold: number;
  readonly windowMinutes: number;
  readonly severity: number;
  /** Whether the metric counts by the dimension `EventSubscriptionName`. */
  readonly bySubscription: boolean;
  /** Whether there is an alert only if options ask for it. */
  readonly isOptional: boolean;
  readonly description: string;
}

const anyEvent = {
  operator: "GreaterThan",
  threshold: 0,
  windowMinutes: 5,
  bySubscription: true,
  isOptional: false,
} as const;
const someFailures = { ...anyEvent, threshold: 20, windowMinutes: 15, severity: 2 } as const;
const silence = {
  ...anyEvent,
  operator: "LessThanOrEqual",
  windowMinutes: 60,
  severity: 2,
  isOptional: true,
} as const;

/**
 * Alerts of an event subscription of a topic or a system topic.
 *
 * @see https://learn.microsoft.com/azure/azure-monitor/reference/supported-metrics/microsoft-eventgrid-topics-metrics
 */
export const pushRules = {
  dropped: {
    ...anyEvent,
    metric: "DroppedEventCount",
    severity: 1,
    description: "Event Grid dropped events: they are lost",
  },
  deadLettered: {
    ...anyEvent,
    metric: "DeadLetteredCount",
    severity: 2,
    description: "Event Grid dead-lettered events",
  },
  deliveryFailures: {
    ...someFailures,
    metric: "DeliveryAttemptFailCount",
    description: "Many deliveries fail. Event Grid retries them",
  },
  silence: {
    ...silence,
    metric: "DeliverySuccessCount",
    description: "No event was delivered for a while",
  },
} as const satisfies Record<string, MetricRule>;

/** Alerts of a topic: those of its event subscriptions, and of its publishers. */
export const topicRules = {
  ...pushRules,
  publishFailures: {
    ...someFailures,
    bySubscription: false,
    metric: "PublishFailCount",
    description: "The topic refuses many events of its publishers",
  },
  // All of its event subscriptions together: one that matches no events is silent, too.
  silence: { ...pushRules.silence, bySubscription: false },
} as const satisfies Record<string, MetricRule>;

/**
 * Alerts of an event subscription that services pull from. The reference has no dimensions for dropped
 * and dead-lettered events, so that these count those of the whole namespace.
 *
 * @see https://learn.microsoft.com/azure/azure-monitor/reference/supported-metrics/microsoft-eventgrid-namespaces-metrics
 * @see https://learn.microsoft.com/azure/event-grid/monitor-namespace-push-reference
 */
export const pullRules = {
  dropped: {
    ...pushRules.dropped,
    bySubscription: false,
    metric: "DroppedEvents",
  },
  deadLettered: {
    ...pushRules.deadLettered,
    bySubscription: false,
    metric: "SuccessfulDeadLetteredEvents",
  },
  receiveFailures: {
    ...someFailures,
    metric: "FailedReceivedEvents",
    description: "Event Grid fails to hand out many events",
  },
  acknowledgeFailures: {
    ...someFailures,
    metric: "FailedAcknowledgedEvents",
    description: "Many acknowledgements fail, so that events are handled again",
  },
  silence: {
    ...silence,
    metric: "SuccessfulAcknowledgedEvents",
    description: "No event was acknowledged for a while",
  },
} as const satisfies Record<string, MetricRule>;

/** Minutes that the window of a rule may have, and Azure's names for them. */
export const windows: ReadonlyMap<number, string> = new Map([
  [5, "PT5M"],
  [15, "PT15M"],
  [30, "PT30M"],
  [60, "PT1H"],
  [360, "PT6H"],
  [720, "PT12H"],
  [1440, "P1D"],
]);

/** The options of one alert. */
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
  requirement: {
    "system-topic-id":
      "must be the resource ID of a system topic " +
      "(/subscriptions/{id}/resourceGroups/{name}/providers/Microsoft.EventGrid/systemTopics/{name})",
  },
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
