import type { KeyCredential, SASCredential } from "@azure/core-auth";
import type { CredentialOptions, Secret, TopicCredentials } from "./credentials.js";
import { entra } from "./entra.js";
import type { CacheOptions } from "./header-cache.js";
import { secretHeader } from "./secret-header.js";

/**
 * Chooses among the options, which are known to be valid.
 *
 * @param bindingKey the binding's access key, used where no option is set
 * @param scope the Entra scope of the topic's cloud
 */
export function topicCredentials(
  options: CredentialOptions,
  bindingKey: string | undefined,
  scope: string,
  cache: CacheOptions,
): TopicCredentials {
  const { credential } = options;
  if (credential === undefined) {
    return options.sasToken === undefined
      ? accessKey(options.accessKey ?? bindingKey ?? "", cache)
      : sasToken(options.sasToken, cache);
  }
  if ("getToken" in credential) return entra(credential, scope, cache);
  return "key" in credential ? accessKey(credential, cache) : sasToken(credential, cache);
}

/** Authenticates with one of the topic's access keys. */
function accessKey(key: Secret | KeyCredential, cache: CacheOptions): TopicCredentials {
  const secret = typeof key === "object" ? { read: () => key.key } : key;
  return secretHeader("aeg-sas-key", "accessKey", secret, cache);
}

/** Authenticates with a shared access signature, which was created with an access key. */
function sasToken(token: Secret | SASCredential, cache: CacheOptions): TopicCredentials {
  const secret = typeof token === "object" ? { read: () => token.signature } : token;
  return secretHeader("aeg-sas-token", "sasToken", secret, cache);
}
