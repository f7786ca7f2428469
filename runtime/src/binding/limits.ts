import { HOUR_MS } from "../units.js";

/**
 * Azure's limits, each with the page that states it. This package's own limits, such as the number
 * of concurrent handlers, are defined where they are used.
 */
export const AZURE_LIMITS = {
  /**
   * Bytes of one published event. Measured: the documentation says 1 MB.
   * @see https://learn.microsoft.com/azure/event-grid/quotas-limits
   */
  eventBytes: 1_049_600,
  /** Bytes of one publish request. Measured: the documentation says 1 MB. */
  requestBytes: 1_536_000,
  /** Events of one publish request. */
  requestEvents: 1_000,
  /** Bytes of one publish request to a namespace, and of one event. */
  namespaceRequestBytes: 1_048_576,
  /** @see https://learn.microsoft.com/azure/event-grid/event-filtering */
  advancedFilters: 25,
  /** Values of all advanced filters of a subscription together. */
  advancedFilterValues: 25,
  /** Characters of one text in an advanced filter. */
  advancedFilterCharacters: 512,
  /** @see https://learn.microsoft.com/azure/event-grid/subscription-creation-schema */
  eventSubscriptionNameCharacters: { min: 3, max: 64 },
  /** @see https://learn.microsoft.com/azure/event-grid/delivery-and-retry#output-batching */
  eventsPerBatch: { min: 1, max: 5000 },
  batchKilobytes: { min: 1, max: 1024 },
  /** @see https://learn.microsoft.com/azure/event-grid/delivery-and-retry#retry-schedule */
  deliveryAttempts: { min: 1, max: 30 },
  eventTimeToLiveMinutes: { min: 1, max: 1440 },
  /** How long Event Grid waits for the answer to a delivery. */
  deliveryTimeoutMs: 30_000,
  /** @see https://learn.microsoft.com/azure/event-grid/delivery-properties */
  deliveryProperties: 10,
  /** Bytes of one delivery property's value. */
  deliveryPropertyBytes: 4096,
  /** @see https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules */
  topicNameCharacters: { min: 3, max: 50 },
  /**
   * Names of namespaces, and of their topics and event subscriptions.
   * @see https://learn.microsoft.com/rest/api/eventgrid/controlplane/namespaces
   */
  namespaceNameCharacters: { min: 3, max: 50 },
  /** @see https://learn.microsoft.com/azure/event-grid/pull-delivery-overview */
  receiveLockSeconds: { min: 60, max: 300 },
  /**
   * Throughput units of a namespace.
   * @see https://learn.microsoft.com/azure/event-grid/quotas-limits
   */
  namespaceCapacity: { min: 1, max: 40 },
  namespaceIpRules: 16,
  /** @see https://learn.microsoft.com/azure/event-grid/event-grid-namespace-managed-identity */
  namespaceUserAssignedIdentities: 2,
  /** Days for which a topic of a namespace keeps events. */
  eventRetentionDays: { min: 1, max: 7 },
  /** @see https://learn.microsoft.com/azure/event-grid/namespace-delivery-retry */
  namespaceDeliveryCount: { min: 1, max: 10 },
  /** Events of one receive request, and how long it waits for the first. */
  receiveEvents: { min: 1, max: 100 },
  receiveWaitSeconds: { min: 10, max: 120 },
  /** How long a released event waits for its next delivery. */
  releaseDelaySeconds: [0, 10, 60, 600, 3600],
  /** Locks can be renewed for this long after the event was received. */
  lockRenewalMs: HOUR_MS,
} as const;
