import { DefaultAzureCredential } from "@azure/identity";
import {
  DEFAULT_TOKEN_MANAGER_CONFIG,
  EntraIdCredentialsProviderFactory,
  REDIS_SCOPE_DEFAULT,
} from "@redis/entraid";
import { createClient } from "redis";

/** Connects to the Redis that the replicas share, as the identity of the pod, and stays connected. */
export function connectRedis(url: string) {
  const client = createClient({
    url,
    credentialsProvider: EntraIdCredentialsProviderFactory.createForDefaultAzureCredential({
      credential: new DefaultAzureCredential(),
      scopes: REDIS_SCOPE_DEFAULT,
      tokenManagerConfig: DEFAULT_TOKEN_MANAGER_CONFIG,
    }),
    disableOfflineQueue: true, // fail at once while Redis is unreachable: Event Grid tries again
  });
  client.on("error", ({ message }: Error) => console.error(`Redis: ${message}`));
  // It tries until it is connected, or destroyed.
  const connect = () => void client.connect().catch(() => {});
  connect();

  // A failover can break the connection without a sign, for a quarter of an hour.
  const watch = () => {
    if (!client.isReady) return;
    const reconnect = () => {
      client.destroy();
      connect();
    };
    const silent = setTimeout(reconnect, 10_000);
    client
      .ping()
      .catch(() => {})
      .finally(() => clearTimeout(silent));
  };
  setInterval(watch, 20_000).unref();
  return client;
}
