/** The settings of an event subscription to a webhook, with every default. */
export const settings = {
  deliverySchema: "CloudEventSchemaV1_0",
  filter: {},
  retryPolicy: { maxDeliveryAttempts: 30, eventTimeToLiveInMinutes: 1440 },
  deadLetter: undefined,
  expiresAt: undefined,
  labels: [],
  endpointUrl: "https://orders.example.com/api/events",
  destination: undefined,
  clientId: undefined,
  tenantId: "",
  batching: { maxEventsPerBatch: 1, preferredBatchSizeInKilobytes: 64 },
  deliveryProperties: [],
} as const;
