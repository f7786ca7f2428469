/** A complete input direction, valid in every field. */
export const inputProps = {
  cloudTenantId: "6d1f0cf3-38a9-4c5a-9b8e-6a3d6a2f7f11",
  cloudSubscriptionId: "0a7c3c36-6a0f-4a55-8b0b-6ba0f5e4d9c2",
  cloudClientId: "f2a9c6e1-0d55-4c4e-8f38-1f5b2d6f9a07",
  subscriberEndpoint: "https://orders.example.com/api/events",
  handshakePort: "9000",
  scope:
    "/subscriptions/0a7c3c36-6a0f-4a55-8b0b-6ba0f5e4d9c2/resourceGroups/shop/providers/Microsoft.EventGrid/topics/orders",
};

/** A complete output direction, valid in every field. */
export const outputProps = {
  topicEndpoint: "https://orders.westeurope-1.eventgrid.azure.net/api/events",
  accessKey: "a-key-that-no-message-may-show",
};
