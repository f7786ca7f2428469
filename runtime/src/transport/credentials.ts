import type { AccessToken, KeyCredential, SASCredential, TokenCredential } from "@azure/core-auth";
import { CloudEventGridError } from "../errors.js";
import { type CacheOptions, type Credentials, HeaderCache } from "./header-cache.js";

/**
 * A secret, or a function that returns it. The function is called before the first request, and again
 * when the topic refuses the secret, so a rotated key takes effect without a restart.
 */
export type Secret = string | (() => string | Promise<string>);

/** How to authenticate to the topic: at most one of these, none if the binding has an `accessKey`. */
export interface CredentialOptions {
  /** The topic's access key, instead of the binding's. */
  readonly accessKey?: Secret | undefined;
  /** A shared access signature (`r=…&e=…&s=…`), instead of the access key. */
  readonly sasToken?: Secret | undefined;
  /**
   * A credential of the Azure SDK. For a binding with `publishWith: "entra"` any `TokenCredential`,
   * such as those of `@azure/identity`; otherwise an `AzureKeyCredential` or `AzureSASCredential`.
   */
  readonly credential?: TokenCredential | KeyCredential | SASCredential | undefined;
}

/** The key, signature or token is not available. */
export class CredentialError extends CloudEventGridError {
  readonly code = "ERR_CREDENTIAL";
}

/** The headers in which a service takes keys and signatures; the prefix comes before the secret. */
export type SecretHeaders = Readonly<
  Record<"accessKey" | "sasToken", { readonly name: string; readonly prefix: string }>
>;

/** What a service expects of credentials. */
interface CredentialTarget {
  /** The binding's access key, used where no option is set. */
  readonly accessKey: string | undefined;
  /** The Entra scope of the service's cloud. */
  readonly scope: string;
  readonly secretHeaders: SecretHeaders;
}

/** Chooses among the options, which are known to be valid. */
export function chooseCredentials(
  { credential, sasToken, accessKey }: CredentialOptions,
  target: CredentialTarget,
  cache: CacheOptions,
): Credentials {
  const { secretHeaders, scope } = target;
  const secret = (option: keyof SecretHeaders, value: Secret | { read(): string }) =>
    secretHeader(option, value, secretHeaders[option], cache);
  if (credential === undefined) {
    return sasToken === undefined
      ? secret("accessKey", accessKey ?? target.accessKey ?? "")
      : secret("sasToken", sasToken);
  }
  if ("getToken" in credential) return entra(credential, scope, cache);
  return "key" in credential
    ? secret("accessKey", { read: () => credential.key })
    : secret("sasToken", { read: () => credential.signature });
}

/**
 * Sends a secret in a header of Event Grid's.
 *
 * @param option the option that the secret belongs to, for messages
 * @param secret an object is read for every request, because an `AzureKeyCredential` can be updated
 */
function secretHeader(
  option: string,
  secret: Secret | { read(): string },
  header: { readonly name: string; readonly prefix: string },
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

/** Whether a string can be sent as a secret in a header. */
export function isSecret(value: unknown): value is string {
  return typeof value === "string" && value !== "" && !/\s|\p{Cc}/u.test(value);
}

/** A token is refreshed this long before it expires, while requests still use it. */
const REFRESH_BEFORE_MS = 2 * 60_000;
/** A token is not used this shortly before it expires: clocks differ, and a request takes time. */
const UNUSED_BEFORE_MS = 5_000;

/**
 * Authenticates with tokens of Entra.
 *
 * @param scope of the cloud that the topic is in
 */
function entra(credential: TokenCredential, scope: string, cache: CacheOptions): Credentials {
  const obtain = async (claims?: string) => {
    const options = { enableCae: true, ...(claims !== undefined && { claims }) };
    let token: AccessToken | null;
    try {
      token = await credential.getToken(scope, options);
    } catch (cause) {
      throw credentialFailed(`getToken for ${scope}`, cause);
    }
    if (token === null) throw new CredentialError(`the credential has no token for ${scope}`);
    const { expiresOnTimestamp, refreshAfterTimestamp = expiresOnTimestamp } = token;
    return {
      name: "authorization",
      value: `Bearer ${token.token}`,
      expiresAt: expiresOnTimestamp - UNUSED_BEFORE_MS,
      refreshAt: Math.min(refreshAfterTimestamp, expiresOnTimestamp - REFRESH_BEFORE_MS),
    };
  };
  return new HeaderCache("the credential", obtain, cache);
}

/**
 * The error for a failed function or credential of the user. The message contains the error's name
 * or code only: its text may contain the secret.
 */
function credentialFailed(subject: string, cause: unknown): CredentialError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const name = cause instanceof Error ? cause.name : "";
  const shown = /^[A-Z][A-Z0-9_]{1,49}$/.test(code) ? code : /^[A-Z]\w{1,43}Error$/.exec(name)?.[0];
  const what = shown === undefined ? "" : ` with ${shown}`;
  return new CredentialError(`${subject} failed${what}; see the cause`, { cause });
}
