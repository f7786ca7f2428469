import type { KeyCredential, SASCredential } from "@azure/core-auth";
import type { CredentialOptions, Credentials, Secret } from "./credentials.js";
import { entra } from "./entra.js";
import type { CacheOptions } from "./header-cache.js";
import { type HeaderForm, secretHeader } from "./secret-header.js";

/** The headers in which a service takes keys and signatures. */
export interface SecretHeaders {
  readonly accessKey: HeaderForm;
  readonly sasToken: HeaderForm;
}

/** Of topics, see https://learn.microsoft.com/azure/event-grid/authenticate-with-access-keys-shared-access-signatures */
export const topicHeaders: SecretHeaders = {
  accessKey: { name: "aeg-sas-key", prefix: "" },
  sasToken: { name: "aeg-sas-token", prefix: "" },
};

/** Of namespaces. */
export const namespaceHeaders: SecretHeaders = {
  accessKey: { name: "authorization", prefix: "SharedAccessKey " },
  sasToken: { name: "authorization", prefix: "SharedAccessSignature " },
};

/** What credentials are for. */
export interface CredentialTarget {
  /** The binding's access key, used where no option is set. */
  readonly bindingKey: string | undefined;
  /** The Entra scope of the service's cloud. */
  readonly scope: string;
  readonly headers: SecretHeaders;
  readonly cache: CacheOptions;
}

/** Chooses among the options, which are known to be valid. */
export function chooseCredentials(
  options: CredentialOptions,
  target: CredentialTarget,
): Credentials {
  const { credential } = options;
  if (credential === undefined) {
    return options.sasToken === undefined
      ? accessKey(options.accessKey ?? target.bindingKey ?? "", target)
      : sasToken(options.sasToken, target);
  }
  if ("getToken" in credential) return entra(credential, target.scope, target.cache);
  return "key" in credential ? accessKey(credential, target) : sasToken(credential, target);
}

/** Authenticates with an access key of the topic or the namespace. */
function accessKey(key: Secret | KeyCredential, { headers, cache }: CredentialTarget): Credentials {
  const secret = typeof key === "object" ? { read: () => key.key } : key;
  return secretHeader(headers.accessKey, "accessKey", secret, cache);
}

/** Authenticates with a shared access signature, which was created with an access key. */
function sasToken(
  token: Secret | SASCredential,
  { headers, cache }: CredentialTarget,
): Credentials {
  const secret = typeof token === "object" ? { read: () => token.signature } : token;
  return secretHeader(headers.sasToken, "sasToken", secret, cache);
}
