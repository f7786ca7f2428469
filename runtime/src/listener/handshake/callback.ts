import { type Log, LogThrottle } from "../../log.js";
import { type Timer, withTimeout } from "../../timer.js";
import type { Fetch } from "../../transport/index.js";

export interface HandshakeCallbackDependencies {
  /** Allowed origins, in lower case. */
  readonly origins: ReadonlySet<string>;
  readonly fetch: Fetch;
  readonly now: () => number;
  readonly timer: Timer;
}

/** Consent to any number of requests per minute: above its capacity the listener answers 503. */
export const ANY_RATE = "*";

const TIMEOUT_MS = 10_000;
/** Handshakes need no token, so the number of concurrent calls is limited. */
const MAX_CONCURRENT = 4;

/** Calls the URL that a handshake may offer for consent. */
export class HandshakeCallback {
  readonly #dependencies: HandshakeCallbackDependencies;
  readonly #throttle: LogThrottle<"called" | "not-allowed" | "too-many" | "failed">;
  #running = 0;

  constructor(dependencies: HandshakeCallbackDependencies) {
    this.#dependencies = dependencies;
    this.#throttle = new LogThrottle(dependencies.now);
  }

  /** Never rejects: the handshake's response is consent enough. */
  async call(callback: string, log: Log): Promise<void> {
    const url = URL.canParse(callback) ? new URL(callback) : undefined;
    // The path and the query hold the callback's secret, so only the host is logged.
    const host = url?.host;
    if (url === undefined || !this.#isAllowed(url)) {
      this.#throttle.write("not-allowed", (counted) =>
        log.warn({ host, ...counted }, "handshake callback skipped: host not allowed"),
      );
      return;
    }
    if (this.#running >= MAX_CONCURRENT) {
      this.#throttle.write("too-many", (counted) =>
        log.warn({ host, ...counted }, "handshake callback skipped: too many at once"),
      );
      return;
    }
    this.#running += 1;
    try {
      const status = await withTimeout(
        TIMEOUT_MS,
        (signal) => this.#post(url, signal),
        this.#dependencies.timer,
      );
      this.#throttle.write("called", (counted) =>
        log.info({ host, status, ...counted }, "handshake callback called"),
      );
    } catch (error) {
      const reason = error instanceof Error ? error.name : "Error";
      this.#throttle.write("failed", (counted) =>
        log.warn({ host, reason, ...counted }, "handshake callback failed"),
      );
    }
    this.#running -= 1;
  }

  async #post(url: URL, signal: AbortSignal): Promise<number> {
    const response = await this.#dependencies.fetch(url, {
      method: "POST",
      redirect: "error",
      headers: { "webhook-allowed-rate": ANY_RATE },
      signal,
    });
    await response.body?.cancel();
    return response.status;
  }

  /**
   * Only https URLs on hosts of the allowed origins, and below them, are called. The port does not
   * matter: Event Grid's own URLs use 553.
   */
  #isAllowed({ protocol, username, password, hostname }: URL): boolean {
    if (protocol !== "https:" || username !== "" || password !== "") return false;
    return [...this.#dependencies.origins].some((origin) => {
      const host = origin.replace(/:\d+$/, "");
      return hostname === host || hostname.endsWith(`.${host}`);
    });
  }
}
