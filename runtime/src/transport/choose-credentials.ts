import {
  CredentialError,
  type CredentialOptions,
  type Credentials,
  credentialFailed,
  isSecret,
  type Secret,
} from "./credentials.js";
import { entra } from "./entra.js";
import { type CacheOptions, HeaderCache } from "./header-cache.js";

/** The headers in which a service takes keys and signatures; the prefix comes before the secret. */
export type SecretHeaders = Readonly<
  Record<"accessKey" | "sasToken", { readonly name: string; readonly prefix: string }>
>;

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

interface CredentialTarget {
  /** The binding's access key, used where no option is set. */
  readonly bindingKey: string | undefined;
  /** The Entra scope of the service's cloud. */
  readonly scope: string;
  readonly headers: SecretHeaders;
  readonly cache: CacheOptions;
}

/** Chooses among the options, which are known to be valid. */
export function chooseCredentials(
  { credential, sasToken, accessKey }: CredentialOptions,
  target: CredentialTarget,
): Credentials {
  if (credential === undefined) {
    return sasToken === undefined
      ? secretHeader("accessKey", accessKey ?? target.bindingKey ?? "", target)
      : secretHeader("sasToken", sasToken, target);
  }
  if ("getToken" in credential) return entra(credential, target.scope, target.cache);
  return "key" in credential
    ? secretHeader("accessKey", { read: () => credential.key }, target)
    : secretHeader("sasToken", { read: () => credential.signature }, target);
}

/**
 * Sends a secret in a header of Event Grid's.
 *
 * @param option the option that the secret belongs to, also for messages
 * @param secret an object is read for every request, because an `AzureKeyCredential` can be updated
 */
function secretHeader(
  option: keyof SecretHeaders,
  secret: Secret | { read(): string },
  { headers, cache }: CredentialTarget,
): Credentials {
  const name = `the ${option} function`;
  const header = headers[option];
  if (typeof secret === "function") {
    const obtain = async () => {
      const value = `${header.prefix}${await call(name, secret)}`;
      return { name: header.name, value, expiresAt: Infinity, refreshAt: Infinity };
    };
    return new HeaderCache(name, obtain, cache);
  }
  const read = () => `${header.prefix}${typeof secret === "string" ? secret : secret.read()}`;
  return {
    name,
    header: async () => ({ name: header.name, value: read() }),
    renew: async (refused) => read() !== refused.value,
  };
}

async function call(name: string, secret: () => string | Promise<string>): Promise<string> {
  let value: unknown;
  try {
    value = await secret();
  } catch (cause) {
    throw credentialFailed(name, cause);
  }
  if (isSecret(value)) return value;
  throw new CredentialError(
    `${name} returned no secret: empty, not a string, or with white space in it`,
  );
}
