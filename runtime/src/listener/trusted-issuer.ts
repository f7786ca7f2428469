import type { KeyObject } from "node:crypto";
import type { TokenVersion } from "./claims.js";
import { fetchIssuerDocument } from "./issuer-document.js";

/** How an issuer's keys are kept; all in milliseconds. */
export interface KeySettings {
  /** Age at which keys are fetched anew, in the background. */
  readonly refreshMs: number;
  /** Shortest time between two fetches that tokens with unknown keys can cause. */
  readonly cooldownMs: number;
  /** How long keys are trusted while the issuer cannot be reached. */
  readonly maxStaleMs: number;
  /** Patience with the issuer at each fetch. */
  readonly timeoutMs: number;
}

/** An attempt to fetch an issuer's keys. */
export interface KeyRefresh {
  readonly version: TokenVersion;
  readonly metadataUrl: string;
  /** Why it failed, if it did. */
  readonly error?: unknown;
}

/** What the issuers of a tenant have in common. */
export interface IssuerOptions extends KeySettings {
  readonly fetch: typeof fetch;
  readonly clock: () => number;
  /** Called when keys came or went. */
  readonly onKeysChanged: () => void;
  /** Called after every fetch, with the error when it failed. */
  readonly onRefresh: (refresh: KeyRefresh) => void;
}

export interface TrustedIssuerOptions extends IssuerOptions {
  readonly version: TokenVersion;
  readonly metadataUrl: string;
  readonly tenantId: string;
  /** The issuer's name where it is known without asking. */
  readonly knownIssuer: string | undefined;
}

/** The keys of one issuer: fetched ahead of time, and kept for a while when it is out of reach. */
export class TrustedIssuer {
  readonly version: TokenVersion;
  readonly #options: TrustedIssuerOptions;
  readonly #names = new Set<string>();
  readonly #stopped = new AbortController();
  #keys: ReadonlyMap<string, KeyObject> = new Map();
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #attemptedAt = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #waiting = 0;
  #refreshing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: TrustedIssuerOptions) {
    this.version = options.version;
    this.#options = options;
    if (options.knownIssuer !== undefined) this.#names.add(options.knownIssuer);
  }

  /** Whether there are keys to judge by. */
  get isLoaded(): boolean {
    return this.#options.clock() - this.#fetchedAt < this.#options.maxStaleMs;
  }

  /** What it calls itself, as far as that is known by now. */
  get names(): Iterable<string> {
    return this.#names;
  }

  /** Whether a token's `iss` is this issuer. */
  isNamed(issuer: string): boolean {
    return this.#names.has(issuer);
  }

  /** The key of that ID, if it is there now. */
  key(id: string): KeyObject | undefined {
    return this.isLoaded ? this.#keys.get(id) : undefined;
  }

  /**
   * Asks the issuer for a key that is not there.
   *
   * @returns `undefined` when the issuer does not have it; `"unavailable"` when that cannot be told
   * now, be it because the issuer is out of reach, or because it was asked only just before
   */
  async fetchKey(id: string): Promise<KeyObject | "unavailable" | undefined> {
    if (this.#refreshing === undefined && this.#isCoolingDown) return "unavailable";
    if (this.#waiting >= MAX_WAITING) return "unavailable";
    this.#waiting += 1;
    const before = this.#fetchedAt;
    await this.refresh();
    this.#waiting -= 1;
    if (this.#fetchedAt === before) return "unavailable";
    return this.#keys.get(id);
  }

  /** Fetches the keys; several callers share one fetch. Never rejects. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#fetch().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  stop(): void {
    this.#stopped.abort();
    clearTimeout(this.#timer);
  }

  get #isCoolingDown(): boolean {
    return this.#options.clock() - this.#attemptedAt < this.#options.cooldownMs;
  }

  async #fetch(): Promise<void> {
    const { clock, onRefresh, version, metadataUrl } = this.#options;
    clearTimeout(this.#timer);
    this.#attemptedAt = clock();
    try {
      const { issuer, keys } = await fetchIssuerDocument({
        ...this.#options,
        signal: this.#stopped.signal,
      });
      this.#fetchedAt = clock();
      this.#failures = 0;
      this.#names.add(issuer);
      const changed = !hasSameKeys(this.#keys, keys);
      this.#keys = keys;
      if (changed) this.#options.onKeysChanged();
      onRefresh({ version, metadataUrl });
    } catch (error) {
      this.#failures += 1;
      if (!this.#stopped.signal.aborted) onRefresh({ version, metadataUrl, error });
    }
    this.#schedule();
  }

  #schedule(): void {
    if (this.#stopped.signal.aborted) return;
    const { refreshMs, cooldownMs } = this.#options;
    const delay =
      this.#failures === 0 ? refreshMs : Math.min(1_000 * 2 ** (this.#failures - 1), cooldownMs);
    this.#timer = setTimeout(() => void this.refresh(), delay);
    this.#timer.unref();
  }
}

/** How many requests may wait for one fetch; more are answered at once that it cannot be told. */
const MAX_WAITING = 100;

function hasSameKeys(
  one: ReadonlyMap<string, KeyObject>,
  other: ReadonlyMap<string, KeyObject>,
): boolean {
  if (one.size !== other.size) return false;
  for (const [id, key] of one) {
    const counterpart = other.get(id);
    if (counterpart === undefined || !key.equals(counterpart)) return false;
  }
  return true;
}
