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
