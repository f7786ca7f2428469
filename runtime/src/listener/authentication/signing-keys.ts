import type { KeyObject } from "node:crypto";
import { type Log, loggableError } from "../../observability.js";
import { backoffMs, type Clock, settlesWithin } from "../../time.js";
import type { Fetch } from "../../transport/index.js";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../units.js";
import { fetchIssuerDocument, IssuerError } from "./issuer-document.js";
import type { TokenVersion } from "./token.js";

/** The options that all issuers of a tenant share. */
export interface IssuerOptions {
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

interface IssuerKeysOptions extends IssuerOptions {
  readonly version: TokenVersion;
  readonly metadataUrl: string;
  readonly tenantId: string;
  /** The issuer's name, if it is known without fetching the metadata. */
  readonly knownIssuer: string | undefined;
  /** Whether the keys of all issuers together suffice. */
  readonly isUsable: () => boolean;
}

/** The keys of one issuer: fetched ahead of time, and kept while the issuer is unreachable. */
export class IssuerKeys {
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

  constructor(private readonly options: IssuerKeysOptions) {
    this.version = options.version;
    if (options.knownIssuer !== undefined) this.names.add(options.knownIssuer);
  }

  /** Reports whether there are keys that are recent enough to be trusted. */
  get isLoaded(): boolean {
    return this.options.clock.now() - this.#fetchedAtMs < MAX_STALE_MS;
  }

  /** Reports whether it has failed repeatedly, so that waiting for it any longer is pointless for now. */
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

  /** Reports whether no fetch is under way, and the last one was too recent for another. */
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
      this.#failures === 0 ? REFRESH_MS : backoffMs(this.#failures, FETCH_RETRY, Math.random());
    this.#cancelRefresh = this.options.clock.schedule(delayMs, () => void this.refresh());
  }
}

/** How long keys are trusted while the issuer is unreachable. */
const MAX_STALE_MS = DAY_MS;

/** Age at which keys are fetched again, in the background. */
const REFRESH_MS = 10 * MINUTE_MS;

/** Shortest time between two fetches that requests cause. */
const COOLDOWN_MS = 30_000;

const FETCH_RETRY = { firstDelayMs: SECOND_MS, maxDelayMs: 30_000 };

/** Failures in a row after which an issuer counts as failing repeatedly. */
const REPEATED_FAILURES = 2;

/** Requests that may wait for one fetch; further ones get 503 at once. */
const MAX_WAITING = 100;
