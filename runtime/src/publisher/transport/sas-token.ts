import type { SASCredential } from "@azure/core-auth";
import type { Secret, TopicCredentials } from "./credentials.js";
import type { CacheOptions } from "./header-cache.js";
import { secretHeader } from "./secret-header.js";

/** Authenticates with a shared access signature, which was created with an access key. */
export function sasToken(token: Secret | SASCredential, cache: CacheOptions): TopicCredentials {
  const secret = typeof token === "object" ? { read: () => token.signature } : token;
  return secretHeader("aeg-sas-token", "sasToken", secret, cache);
}
