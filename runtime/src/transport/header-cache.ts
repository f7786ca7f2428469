import type { Clock } from "../time.js";

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
   * @param challenge the response's `WWW-Authenticate`
   * @returns whether {@link header} now returns another one
   * @throws {CredentialError} when it is not available
   */
  renew(refused: AuthorizationHeader, challenge?: string): Promise<boolean>;
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
export class HeaderCache implements Credentials {
  #current: ObtainedHeader | undefined;
  /** How many calls have begun, and which of them returned the current header. */
  #calls = 0;
  #currentCall = 0;
  #pending:
    | {
        readonly header: Promise<ObtainedHeader>;
        readonly since: number;
        readonly claims: string | undefined;
      }
    | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(
    readonly name: string,
    private readonly obtain: (claims?: string) => Promise<ObtainedHeader>,
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

  async renew(refused: AuthorizationHeader, challenge?: string): Promise<boolean> {
    // Another request may have been refused earlier, and renewed it.
    if (this.#current !== undefined && this.#current.value !== refused.value) return true;
    const { value } = await this.#shared(claimsOf(challenge));
    return value !== refused.value;
  }

  /**
   * Requests that need a header at the same time share one call. A request whose header was refused for
   * its claims does not share a call without them, which would return another such header.
   */
  #shared(claims?: string): Promise<ObtainedHeader> {
    const now = this.options.clock.now();
    const pending = this.#pending;
    if (pending && now - pending.since < this.options.timeoutMs) {
      if (claims === undefined || claims === pending.claims) return pending.header;
    }
    this.#calls += 1;
    const call = this.#calls;
    // What earlier calls without these claims return would be refused, too.
    if (claims !== undefined && pending?.claims === undefined) this.#currentCall = call - 1;
    const header = this.obtain(claims).then(
      (obtained) => {
        this.#leave(header);
        // A call that was considered hung, or one for other claims, does not replace a newer result.
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
    this.#pending = { header, since: now, claims };
    return header;
  }

  #leave(header: Promise<ObtainedHeader>): void {
    if (this.#pending?.header === header) this.#pending = undefined;
  }
}

/**
 * The claims that Entra demands of the next token, as JSON.
 * @see https://learn.microsoft.com/entra/identity-platform/claims-challenge
 */
function claimsOf(challenge = ""): string | undefined {
  const encoded = /\bclaims="([^"]+)"/.exec(challenge)?.[1];
  return encoded && Buffer.from(encoded, "base64").toString("utf8");
}
