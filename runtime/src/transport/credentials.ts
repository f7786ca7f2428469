import type { AccessToken, KeyCredential, SASCredential, TokenCredential } from "@azure/core-auth";
import { CloudEventGridError } from "../errors.js";
import type { Clock } from "../time.js";
import { MINUTE_MS } from "../units.js";

/**
 * A secret, or a function that returns it. The function is called before the first request, and again
 * when the topic refuses the secret, so a rotated key takes effect without a restart.
 */
export type Secret = string | (() => string | Promise<string>);

/** How to authenticate to the topic: at most one of these, none if the binding has an `accessKey`. */
export interface CredentialOptions {
  /** The access key, or a function that returns it. @default the binding's */
  readonly accessKey?: Secret | undefined;
  /** A shared access signature (`r=…&e=…&s=…`) instead of the key, or a function that returns it. */
  readonly sasToken?: Secret | undefined;
  /**
   * A credential of the Azure SDK: for Entra any `TokenCredential`, such as those of
   * `@azure/identity`; otherwise an `AzureKeyCredential` or an `AzureSASCredential`.
   */
  readonly credential?: TokenCredential | KeyCredential | SASCredential | undefined;
}

/** The key, signature or token is not available. */
export class CredentialError extends CloudEventGridError {
  readonly code = "ERR_CREDENTIAL";
}

/** The option `credential`, as messages name it. */
const CREDENTIAL = "the credential";

/** The headers in which a service takes keys and signatures; the prefix comes before the secret. */
type SecretHeaders = Readonly<
  Record<"accessKey" | "sasToken", { readonly name: string; readonly prefix: string }>
>;

/** The credentials that a service expects. */
export interface CredentialTarget {
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
  const read = () => {
    const value = typeof secret === "string" ? secret : checkedSecret(CREDENTIAL, secret.read());
    return `${header.prefix}${value}`;
  };
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
  return checkedSecret(name, value);
}

/** @throws {CredentialError} when a function or a credential of the user returned no secret */
function checkedSecret(subject: string, value: unknown): string {
  if (isSecret(value)) return value;
  throw new CredentialError(
    `${subject} returned no secret: empty, not a string, or with white space in it`,
  );
}

/** Reports whether a string can be sent as a secret in a header. */
export function isSecret(value: unknown): value is string {
  return typeof value === "string" && value !== "" && !/\s|\p{Cc}/u.test(value);
}

/** A token is refreshed this long before it expires, while requests still use it. */
const REFRESH_BEFORE_MS = 2 * MINUTE_MS;
/** A token is not used this shortly before it expires: clocks differ, and a request takes time. */
const UNUSED_BEFORE_MS = 5_000;

/**
 * Authenticates with tokens of Entra.
 *
 * @param scope of the cloud that the topic is in
 */
function entra(credential: TokenCredential, scope: string, cache: CacheOptions): Credentials {
  const obtain = async () => {
    let token: AccessToken | null | undefined;
    try {
      token = await credential.getToken(scope);
    } catch (cause) {
      throw credentialFailed(`getToken for ${scope}`, cause);
    }
    if (!token) throw new CredentialError(`${CREDENTIAL} has no token for ${scope}`);
    const { expiresOnTimestamp, refreshAfterTimestamp = expiresOnTimestamp } = token;
    return {
      name: "authorization",
      value: `Bearer ${checkedSecret(CREDENTIAL, token.token)}`,
      expiresAt: expiresOnTimestamp - UNUSED_BEFORE_MS,
      refreshAt: Math.min(refreshAfterTimestamp, expiresOnTimestamp - REFRESH_BEFORE_MS),
    };
  };
  return new HeaderCache(CREDENTIAL, obtain, cache);
}

/**
 * The error for a failed function or credential of the user. The message contains the error's name
 * or code only: its text may contain the secret.
 */
function credentialFailed(subject: string, cause: unknown): CredentialError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const name = cause instanceof Error ? cause.name : "";
  const isCode = isWord(code) && code === code.toUpperCase();
  const isName = isWord(name) && name.endsWith("Error") && name !== "Error";
  const what = isCode ? ` with ${code}` : isName ? ` with ${name}` : "";
  return new CredentialError(`${subject} failed${what}; see the cause`, { cause });
}

const MAX_WORD_LENGTH = 50;

/** Reports whether a text is the name or the code of an error, and hardly a secret. */
function isWord(text: string): boolean {
  return /^[A-Z]/.test(text) && !/\W/.test(text) && text.length <= MAX_WORD_LENGTH;
}

/** A header that authenticates a request. */
export interface AuthorizationHeader {
  readonly name: string;
  readonly value: string;
}

/** Authenticates requests to a topic. */
export interface Credentials {
  /** The origin of the header, for messages: "the accessKey function". */
  readonly name: string;
  /**
   * The header for the next request.
   *
   * @throws {CredentialError} when it is not available
   */
  header(): Promise<AuthorizationHeader>;
  /**
   * Looks for another header after the topic refused one with 401.
   *
   * @returns whether {@link header} now returns another one
   * @throws {CredentialError} when it is not available
   */
  renew(refused: AuthorizationHeader): Promise<boolean>;
}

/** The time between a failed refresh and the next attempt. */
const REFRESH_RETRY_MS = 3_000;

/** A header and how long it may be used, in milliseconds since 1970. */
interface ObtainedHeader extends AuthorizationHeader {
  readonly expiresAt: number;
  /** From then on another one is obtained, while requests still use this one. */
  readonly refreshAt: number;
}

export interface CacheOptions {
  readonly clock: Clock;
  /** A call that takes longer counts as hung: the next request makes another. */
  readonly timeoutMs: number;
}

/** Caches a header that a function or credential of the user provides. */
class HeaderCache implements Credentials {
  #current: ObtainedHeader | undefined;
  /** How many calls have begun, and which of them returned the current header. */
  #calls = 0;
  #currentCall = 0;
  #pending: { readonly header: Promise<ObtainedHeader>; readonly since: number } | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(
    readonly name: string,
    private readonly obtain: () => Promise<ObtainedHeader>,
    private readonly options: CacheOptions,
  ) {}

  async header(): Promise<AuthorizationHeader> {
    const now = this.options.clock.now();
    const current = this.#current;
    if (current === undefined || current.expiresAt <= now) return this.#shared();
    if (current.refreshAt <= now && this.#failedAt + REFRESH_RETRY_MS <= now) {
      // Once the header has expired, the request that needs another reports the failure.
      this.#shared().catch(() => {});
    }
    return current;
  }

  async renew(refused: AuthorizationHeader): Promise<boolean> {
    // Another request may have been refused earlier, and renewed it.
    if (this.#current !== undefined && this.#current.value !== refused.value) return true;
    const { value } = await this.#shared();
    return value !== refused.value;
  }

  /** Requests that need a header at the same time share one call. */
  #shared(): Promise<ObtainedHeader> {
    const now = this.options.clock.now();
    const pending = this.#pending;
    if (pending && now - pending.since < this.options.timeoutMs) return pending.header;
    this.#calls += 1;
    const call = this.#calls;
    const header = this.obtain().then(
      (obtained) => {
        this.#leave(header);
        // A call that was considered hung does not replace a newer result.
        if (call > this.#currentCall) {
          this.#currentCall = call;
          this.#current = obtained;
        }
        return obtained;
      },
      (error) => {
        this.#leave(header);
        this.#failedAt = this.options.clock.now();
        throw error;
      },
    );
    this.#pending = { header, since: now };
    return header;
  }

  #leave(header: Promise<ObtainedHeader>): void {
    if (this.#pending?.header === header) this.#pending = undefined;
  }
}
