/** Azure's built-in roles that a binding assigns: the same IDs in every subscription and cloud. */
export const azureRoles = {
  /** Writes event subscriptions. */
  "EventGrid EventSubscription Contributor": "428e0ff0-5e57-4d9c-a221-2c70d0e0a443",
  /** Publishes to topics with an Entra token. */
  "EventGrid Data Sender": "d5a91429-5739-47e2-a06b-3470a27159e7",
  /** Writes blobs: what the identity needs that dead-letters into a container. */
  "Storage Blob Data Contributor": "ba92f5b4-2d11-453d-a403-e96b0029c9fe",
} as const;

/** Name of a built-in role. */
export type AzureRole = keyof typeof azureRoles;
