/**
 * What Microsoft's reference of supported metrics lists, as far as alerts use it: names of metrics and
 * their dimensions, all aggregated as Total.
 */
export interface ReferencedMetrics {
  readonly source: string;
  /** Dimensions by the name of the metric; undefined where the source names none. */
  readonly metrics: Readonly<Record<string, readonly string[] | undefined>>;
}

const reference = "https://learn.microsoft.com/azure/azure-monitor/reference/supported-metrics";

const delivery = {
  DeadLetteredCount: ["DeadLetterReason", "EventSubscriptionName"],
  DeliveryAttemptFailCount: ["Error", "ErrorType", "EventSubscriptionName"],
  DeliverySuccessCount: ["EventSubscriptionName"],
  DroppedEventCount: ["DropReason", "EventSubscriptionName"],
  PublishFailCount: ["ErrorType", "Error"],
};

export const supportedMetrics: Readonly<Record<string, readonly ReferencedMetrics[]>> = {
  "Microsoft.EventGrid/topics": [
    { source: `${reference}/microsoft-eventgrid-topics-metrics`, metrics: delivery },
  ],
  "Microsoft.EventGrid/systemTopics": [
    { source: `${reference}/microsoft-eventgrid-systemtopics-metrics`, metrics: delivery },
  ],
  "Microsoft.EventGrid/namespaces": [
    {
      source: `${reference}/microsoft-eventgrid-namespaces-metrics`,
      metrics: {
        FailedAcknowledgedEvents: ["Topic", "EventSubscriptionName", "Error", "ErrorType"],
        FailedReceivedEvents: ["Topic", "EventSubscriptionName", "Error", "ErrorType"],
        SuccessfulAcknowledgedEvents: ["Topic", "EventSubscriptionName"],
      },
    },
    {
      source: "https://learn.microsoft.com/azure/event-grid/monitor-namespace-push-reference",
      metrics: { DroppedEvents: undefined, SuccessfulDeadLetteredEvents: undefined },
    },
  ],
};
