import { CredentialError, type Credentials, credentialFailed, type Secret } from "./credentials.js";
import { type CacheOptions, HeaderCache } from "./header-cache.js";

/** Whether a string can be sent as a secret in a header. */
export function isSecret(value: unknown): value is string {
  return typeof value === "string" && value !== "" && !/\s|\p{Cc}/u.test(value);
}

/** A header that carries a secret. */
export interface HeaderForm {
  readonly name: string;
  /** Comes before the secret. */
  readonly prefix: string;
}

/**
 * Sends a secret in a header of Event Grid's.
 *
 * @param option the option that the secret comes from, for messages
 * @param secret an object is read for every request, because an `AzureKeyCredential` can be updated
 */
export function secretHeader(
  header: HeaderForm,
  option: string,
  secret: Secret | { read(): string },
  cache: CacheOptions,
): Credentials {
  const name = `the ${option} function`;
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
