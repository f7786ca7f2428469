/** IDs of an application and of subscriptions that exist already. */
export const existing = {
  tenantId: "11111111-2222-3333-4444-000000000001",
  subscriptionId: "11111111-2222-3333-4444-000000000002",
  clientId: "11111111-2222-3333-4444-000000000003",
  writerId: "11111111-2222-3333-4444-000000000004",
  groupId: "11111111-2222-3333-4444-000000000005",
} as const;

export const resourceGroup = `/subscriptions/${existing.subscriptionId}/resourceGroups/shop`;
export const storageAccount = `${resourceGroup}/providers/Microsoft.Storage/storageAccounts/shop`;
export const identity = `${resourceGroup}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/eg`;

/** The construct path below which the existing application's app role is assigned. */
export const subscriber = `cloud-eventgrid/application-${existing.clientId}/subscriber`;

/** A binding that receives events, with an application that exists. */
export const received = {
  cloudTenantId: existing.tenantId,
  cloudSubscriptionId: existing.subscriptionId,
  cloudClientId: existing.clientId,
  subscriberEndpoint: "https://orders.example.com/api/events",
  handshakePort: "9000",
  scope: resourceGroup,
} as const;

/** The same, for an application that the stack creates. */
export const receivedWithoutApplication = {
  cloudTenantId: existing.tenantId,
  cloudSubscriptionId: existing.subscriptionId,
  subscriberEndpoint: "https://orders.example.com/api/events",
  handshakePort: "9000",
  scope: resourceGroup,
} as const;

/** A binding that publishes events. */
export const published = {
  topicEndpoint: "https://shop.westeurope-1.eventgrid.azure.net/api/events",
  publishWith: "entra",
} as const;
