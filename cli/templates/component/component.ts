/** The fields of the component document, without its secrets. */
export const component = {
  cloudTenantId: "11111111-1111-4111-8111-111111111111",
  cloudSubscriptionId: "22222222-2222-4222-8222-222222222222",
  cloudClientId: "44444444-4444-4444-8444-444444444444",
  subscriberEndpoint: "https://orders.example.com/api/events",
  handshakePort: "9000",
  scope:
    "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/orders/providers/Microsoft.EventGrid/topics/orders",
  topicEndpoint: "https://orders.westeurope-1.eventgrid.azure.net/api/events",
} as const;
