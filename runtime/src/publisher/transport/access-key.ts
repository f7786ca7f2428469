import type { KeyCredential } from "@azure/core-auth";
import type { Secret, TopicCredentials } from "./credentials.js";
import type { CacheOptions } from "./header-cache.js";
import { secretHeader } from "./secret-header.js";

/** Authenticates with one of the topic's access keys. */
export function accessKey(key: Secret | KeyCredential, cache: CacheOptions): TopicCredentials {
  const secret = typeof key === "object" ? { read: () => key.key } : key;
  return secretHeader("aeg-sas-key", "accessKey", secret, cache);
}
