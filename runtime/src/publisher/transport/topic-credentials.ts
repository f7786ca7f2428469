import { accessKey } from "./access-key.js";
import type { CredentialOptions, TopicCredentials } from "./credentials.js";
import { entra } from "./entra.js";
import type { CacheOptions } from "./header-cache.js";
import { sasToken } from "./sas-token.js";

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
