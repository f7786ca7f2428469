/** Where an example is deployed, and where its service is reached. */
export interface Place {
  readonly cloudTenantId: string;
  readonly cloudSubscriptionId: string;
  /** Client ID of the webhook's application. */
  readonly cloudClientId: string;
  /** Issuer of the tokens, if it is a local Azure. */
  readonly cloudAuthorityHost?: string;
  readonly subscriberEndpoint: string;
  readonly handshakePort: string;
}

/** Reads a place from variables; invents missing ones, which is enough to look at the JSON. */
export function placeFromEnvironment(env: NodeJS.ProcessEnv = process.env): Place {
  return {
    cloudTenantId: env.CLOUD_TENANT_ID ?? "11111111-1111-4111-8111-111111111111",
    cloudSubscriptionId: env.CLOUD_SUBSCRIPTION_ID ?? "22222222-2222-4222-8222-222222222222",
    cloudClientId: env.CLOUD_CLIENT_ID ?? "33333333-3333-4333-8333-333333333333",
    subscriberEndpoint: env.SUBSCRIBER_ENDPOINT ?? "https://events.example.com/api/events",
    handshakePort: env.HANDSHAKE_PORT ?? "9000",
    ...(env.CLOUD_AUTHORITY_HOST && { cloudAuthorityHost: env.CLOUD_AUTHORITY_HOST }),
  };
}
