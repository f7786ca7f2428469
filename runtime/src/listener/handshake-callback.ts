import type { FastifyBaseLogger } from "fastify";
import type { HandshakeLog } from "./handshake-log.js";
import { withinTime } from "./patience.js";

export interface HandshakeCallbackOptions {
  /** Allowed origins, in lower case. */
  readonly origins: ReadonlySet<string>;
  readonly rate: string;
  readonly fetch: typeof fetch;
  readonly log: HandshakeLog;
}

const TIMEOUT_MS = 10_000;
/** Handshakes need no token: they must not decide how much is called. */
const MOST_AT_A_TIME = 4;

/** Calls the URL that a handshake may offer for consent. */
export class HandshakeCallback {
  readonly #options: HandshakeCallbackOptions;
  #underWay = 0;

  constructor(options: HandshakeCallbackOptions) {
    this.#options = options;
  }

  /** Never rejects: the answer to the handshake was consent enough. */
  async call(callback: string, logger: FastifyBaseLogger): Promise<void> {
    const { log } = this.#options;
    const url = URL.canParse(callback) ? new URL(callback) : undefined;
    // Path and query hold the callback's secret: the log has the host only.
    const host = url?.host;
    if (url === undefined || !this.#isOfAllowedOrigin(url)) {
      log.write("notOfOrigin", { host }, logger);
      return;
    }
    if (this.#underWay >= MOST_AT_A_TIME) {
      log.write("tooMany", { host }, logger);
      return;
    }
    this.#underWay += 1;
    try {
      const status = await withinTime(TIMEOUT_MS, (signal) => this.#post(url, signal));
      log.write("called", { host, status }, logger);
    } catch (error) {
      const reason = error instanceof Error ? error.name : "Error";
      log.write("failed", { host, reason }, logger);
    }
    this.#underWay -= 1;
  }

  async #post(url: URL, signal: AbortSignal): Promise<number> {
    const { fetch, rate } = this.#options;
    const response = await fetch(url, {
      method: "POST",
      redirect: "error",
      headers: { "webhook-allowed-rate": rate },
      signal,
    });
    await response.body?.cancel();
    return response.status;
  }

  #isOfAllowedOrigin(url: URL): boolean {
    if (url.protocol !== "https:") return false;
    if (url.username !== "" || url.password !== "") return false;
    return [...this.#options.origins].some(
      (origin) => url.host === origin || url.host.endsWith(`.${origin}`),
    );
  }
}
