import { createPublicKey, type KeyObject } from "node:crypto";
import { type CloudEnvironment, isLoopback } from "../binding/index.js";
import { withRemedy } from "../network.js";
import { type Log, loggableError } from "../observability.js";
import { backoffMs, type Clock, settlesWithin, withTimeout } from "../time.js";
import type { Fetch } from "../transport/index.js";
import { isObject } from "../validation/index.js";
import type { TokenVersion } from "./token.js";

/** The tenant whose tokens are accepted. */
interface Tenant {
  readonly cloudTenantId: string;
  /** Base URL of the token issuer, without a trailing slash. */
  readonly cloudAuthorityHost: string;
  readonly cloud: CloudEnvironment;
}

/** What the issuers of a tenant have in common. */
interface IssuerOptions {
  /** Timeout of each document, and of a delivery that waits for a key, in milliseconds. */
  readonly timeoutMs: number;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly timer: Clock;
  readonly log: Log;
  /** Called when keys have been fetched, which may be others than before. */
  readonly onKeys: () => void;
  readonly onRefresh: (version: TokenVersion, succeeded: boolean) => void;
}

/** The signing keys of a tenant's two issuers, of v1 and of v2 tokens. */
export class SigningKeys {
  readonly #issuers: readonly TrustedIssuer[];

  constructor({ cloudAuthorityHost, cloudTenantId, cloud }: Tenant, options: IssuerOptions) {
    const base = `${cloudAuthorityHost}/${cloudTenantId}`;
    // Another authority's issuer names are only known from its metadata.
    const isCloudsOwn = cloudAuthorityHost === cloud.authorityHost;
    const common = { ...options, tenantId: cloudTenantId, isUsable: () => this.isUsable };
    this.#issuers = [
      new TrustedIssuer({
        ...common,
        version: "v1",
        metadataUrl: `${base}/.well-known/openid-configuration`,
        knownIssuer: isCloudsOwn ? `${cloud.v1IssuerBase}/${cloudTenantId}/` : undefined,
      }),
      new TrustedIssuer({
        ...common,
        version: "v2",
        metadataUrl: `${base}/v2.0/.well-known/openid-configuration`,
        knownIssuer: isCloudsOwn ? `${base}/v2.0` : undefined,
      }),
    ];
  }

  /**
   * Whether deliveries can be accepted: the keys of both issuers are loaded, or those of one while
   * the other keeps failing. Event Grid's tokens have one version only.
   */
  get isUsable(): boolean {
    return (
      this.#issuers.some((issuer) => issuer.isLoaded) &&
      this.#issuers.every((issuer) => issuer.isLoaded || issuer.keepsFailing)
    );
  }

  /** Fetches all keys once and keeps them fresh from then on. Resolves even if a fetch fails. */
  async prefetch(): Promise<void> {
    await Promise.all(this.#issuers.map((issuer) => issuer.refresh()));
  }

  /**
   * Fetches keys that have expired, such as while the process was frozen, or never arrived. Anonymous
   * requests may call it: it shares the fetches of others, which begin at most once in 30 s then.
   * Resolves even if a fetch fails.
   */
  async renew(): Promise<void> {
    await Promise.all(this.#issuers.map((issuer) => issuer.renew()));
  }

  /** The issuers' names that are known so far. */
  get names(): string[] {
    return this.#issuers.flatMap((issuer) => [...issuer.names]);
  }

  /** The issuer that a token's `iss` names; `"metadata-missing"` while it cannot be told. */
  issuerOf(issuer: unknown): TrustedIssuer | "unknown" | "metadata-missing" {
    if (typeof issuer !== "string") return "unknown";
    for (const trusted of this.#issuers) if (trusted.names.has(issuer)) return trusted;
    return this.#issuers.every(({ isLoaded }) => isLoaded) ? "unknown" : "metadata-missing";
  }

  stop(): void {
    for (const issuer of this.#issuers) issuer.stop();
  }
}

interface TrustedIssuerOptions extends IssuerOptions {
  readonly version: TokenVersion;
  readonly metadataUrl: string;
  readonly tenantId: string;
  /** The issuer's name, if it is known without fetching the metadata. */
  readonly knownIssuer: string | undefined;
  /** Whether the keys of all issuers together suffice. */
  readonly isUsable: () => boolean;
}

/** The keys of one issuer: fetched ahead of time, and kept while the issuer is unreachable. */
class TrustedIssuer {
  readonly version: TokenVersion;
  readonly names = new Set<string>();
  readonly #stopped = new AbortController();
  #keys: ReadonlyMap<string, KeyObject> = new Map();
  #fetchedAtMs = Number.NEGATIVE_INFINITY;
  #attemptedAtMs = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #waiting = 0;
  #refreshing: Promise<void> | undefined;
  #cancelRefresh = () => {};

  constructor(private readonly options: TrustedIssuerOptions) {
    this.version = options.version;
    if (options.knownIssuer !== undefined) this.names.add(options.knownIssuer);
  }

  /** Whether there are keys that are recent enough to be trusted. */
  get isLoaded(): boolean {
    return this.options.clock.now() - this.#fetchedAtMs < MAX_STALE_MS;
  }

  /** Whether it has failed repeatedly, so that waiting for it any longer is pointless for now. */
  get keepsFailing(): boolean {
    return this.#failures >= REPEATED_FAILURES;
  }

  /** The key with this ID, if it has been fetched. */
  key(id: string): KeyObject | undefined {
    return this.isLoaded ? this.#keys.get(id) : undefined;
  }

  /**
   * Fetches the keys again to find one that is missing.
   *
   * @returns `undefined` when the issuer does not publish it; `"unavailable"` when that is unknown,
   * because the issuer is unreachable or was requested a moment ago
   */
  async fetchKey(id: string): Promise<KeyObject | "unavailable" | undefined> {
    if (this.#isCoolingDown || this.#waiting >= MAX_WAITING) return "unavailable";
    this.#waiting += 1;
    const before = this.#fetchedAtMs;
    const { timeoutMs, timer } = this.options;
    await settlesWithin(timeoutMs, this.refresh(), timer);
    this.#waiting -= 1;
    if (this.#fetchedAtMs === before) return "unavailable";
    return this.#keys.get(id);
  }

  /** Fetches keys that are not usable, unless that was tried a moment ago. Waits `timeoutMs` at most. */
  async renew(): Promise<void> {
    if (this.isLoaded || this.#isCoolingDown) return;
    await settlesWithin(this.options.timeoutMs, this.refresh(), this.options.timer);
  }

  /** Whether no fetch is under way, and the last one was too recent for another. */
  get #isCoolingDown(): boolean {
    const agoMs = this.options.clock.now() - this.#attemptedAtMs;
    return this.#refreshing === undefined && agoMs < COOLDOWN_MS;
  }

  /** Fetches the keys; concurrent calls share one fetch. Never rejects. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#fetch().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  stop(): void {
    this.#stopped.abort();
    this.#cancelRefresh();
  }

  async #fetch(): Promise<void> {
    const { clock, log, onKeys, onRefresh, version } = this.options;
    this.#cancelRefresh();
    this.#attemptedAtMs = clock.now();
    try {
      const { issuer, keys } = await fetchIssuerDocument({
        ...this.options,
        signal: this.#stopped.signal,
      });
      this.#fetchedAtMs = clock.now();
      this.names.add(issuer);
      this.#keys = keys;
      onKeys();
      log[this.#failures > 0 ? "info" : "debug"]({ version }, "signing keys fetched");
      this.#failures = 0;
      onRefresh(version, true);
    } catch (error) {
      this.#failures += 1;
      if (this.#stopped.signal.aborted) return;
      onRefresh(version, false);
      this.#logFailure(error);
    }
    this.#schedule();
  }

  #logFailure(error: unknown): void {
    const { isUsable, log, metadataUrl, version } = this.options;
    const cause =
      error instanceof IssuerError
        ? { reason: error.message, version }
        : { err: loggableError(error), version, metadataUrl };
    log.error(cause, "signing keys could not be fetched");
    if (this.#failures !== REPEATED_FAILURES || !isUsable()) return;
    log.warn({ version }, "ready without the signing keys of this version, whose tokens get 503");
  }

  #schedule(): void {
    if (this.#stopped.signal.aborted) return;
    const delayMs =
      this.#failures === 0 ? REFRESH_MS : backoffMs(this.#failures, RETRY, Math.random());
    this.#cancelRefresh = this.options.clock.schedule(delayMs, () => void this.refresh());
  }
}

/** How long keys are trusted while the issuer is unreachable. */
const MAX_STALE_MS = 24 * 60 * 60_000;

/** Age at which keys are fetched again, in the background. */
const REFRESH_MS = 10 * 60_000;

/** Shortest time between two fetches that requests cause. */
const COOLDOWN_MS = 30_000;

const RETRY = { firstDelayMs: 1_000, maxDelayMs: 30_000 };

/** Failures in a row after which an issuer counts as failing repeatedly. */
const REPEATED_FAILURES = 2;

/** Requests that may wait for one fetch; further ones get 503 at once. */
const MAX_WAITING = 100;

interface IssuerDocument {
  readonly issuer: string;
  readonly keys: ReadonlyMap<string, KeyObject>;
}

interface IssuerRequest {
  readonly metadataUrl: string;
  readonly tenantId: string;
  readonly fetch: Fetch;
  /** Timeout of each of the two documents. */
  readonly timeoutMs: number;
  readonly timer: Clock;
  readonly signal: AbortSignal;
}

/** Why an issuer's keys could not be fetched. Log its message; its stack adds nothing. */
class IssuerError extends Error {}

/**
 * Fetches an issuer's OpenID metadata and the keys it points to.
 *
 * @throws {IssuerError} when either cannot be fetched or is not valid
 */
export async function fetchIssuerDocument(request: IssuerRequest): Promise<IssuerDocument> {
  const { metadataUrl, tenantId } = request;
  const metadata = await fetchJson(metadataUrl, request, tenantId);
  const { issuer, jwks_uri: keysUrl } = metadata;
  if (typeof issuer !== "string" || !issuer.toLowerCase().includes(tenantId)) {
    throw new IssuerError(`${metadataUrl} does not name an issuer of tenant ${tenantId}`);
  }
  if (typeof keysUrl !== "string" || !isTrustworthy(keysUrl, metadataUrl)) {
    throw new IssuerError(`${metadataUrl} has no https jwks_uri`);
  }
  const { keys: published } = await fetchJson(keysUrl, request);
  const keys = new Map<string, KeyObject>();
  for (const key of Array.isArray(published) ? published : []) {
    const read = readKey(key, tenantId);
    if (read !== undefined) keys.set(read.id, read.key);
  }
  if (keys.size === 0) throw new IssuerError(`${keysUrl} has no usable signing key`);
  return { issuer, keys };
}

/** Keys come over https; over http only from the machine that also served the metadata. */
function isTrustworthy(keysUrl: string, metadataUrl: string): boolean {
  if (!URL.canParse(keysUrl)) return false;
  const url = new URL(keysUrl);
  return url.protocol === "https:" || (isLoopback(url) && isLoopback(new URL(metadataUrl)));
}

const MIN_MODULUS_BITS = 2048;

function readKey(jwk: unknown, tenantId: string): { id: string; key: KeyObject } | undefined {
  if (!isObject(jwk)) return undefined;
  const { kid, kty, n, e, use, alg, issuer } = jwk;
  if (kty !== "RSA" || typeof kid !== "string" || typeof n !== "string" || typeof e !== "string") {
    return undefined;
  }
  if ((use ?? "sig") !== "sig" || (alg ?? "RS256") !== "RS256") return undefined;
  if (typeof issuer === "string" && isOfOtherTenant(issuer, tenantId)) return undefined;
  try {
    const key = createPublicKey({ key: { kty, n, e }, format: "jwk" });
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    return bits >= MIN_MODULUS_BITS ? { id: kid, key } : undefined;
  } catch {
    return undefined;
  }
}

/** Entra lists keys that sign for every tenant next to keys that sign for a single one. */
function isOfOtherTenant(issuer: string, tenantId: string): boolean {
  const text = issuer.toLowerCase();
  return !text.includes("{tenantid}") && !text.includes(tenantId);
}

/** @param tenantId set when a 400 or 404 of this URL means that the tenant does not exist */
async function fetchJson(
  url: string,
  { fetch, signal, timeoutMs, timer }: IssuerRequest,
  tenantId?: string,
): Promise<Readonly<Record<string, unknown>>> {
  const text = await withTimeout(
    timeoutMs,
    (overdue) => fetchText(url, fetch, AbortSignal.any([signal, overdue]), tenantId),
    timer,
  ).catch((error: unknown) => {
    throw readableFailure(url, error) ?? error;
  });
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Reported below, without the parser's message, which quotes the response.
  }
  throw new IssuerError(`${url} did not answer with a JSON object`);
}

/** The reason of a network failure is the cause of the error that `fetch` throws. */
function readableFailure(url: string, error: unknown): IssuerError | undefined {
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return new IssuerError(`${url} could not be fetched: ${error.message}`);
  }
  if (!(error instanceof TypeError && error.cause instanceof Error)) return undefined;
  const { cause, message } = error;
  // After several addresses failed, the cause has a code but no message.
  const code = "code" in cause ? String(cause.code) : message;
  const reason = withRemedy(cause.message || code, code);
  return new IssuerError(`${url} could not be fetched: ${reason}`);
}

const MAX_DOCUMENT_BYTES = 512 * 1024;

async function fetchText(
  url: string,
  fetch: Fetch,
  signal: AbortSignal,
  tenantId?: string,
): Promise<string> {
  const response = await fetch(url, {
    headers: { accept: "application/json" },
    redirect: "error",
    signal,
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    // Entra answers 400 (AADSTS90002) for an unknown tenant, and 404 for an unknown path.
    if (tenantId !== undefined && (response.status === 400 || response.status === 404)) {
      throw new IssuerError(
        `${new URL(url).host} has no tenant ${tenantId} (${url} answered ${response.status}): check cloudTenantId and cloudEnvironment`,
      );
    }
    throw new IssuerError(`${url} answered ${response.status}`);
  }
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_DOCUMENT_BYTES)
      throw new IssuerError(`the response of ${url} is too large`);
  }
  return text;
}
