import type { FastifyBaseLogger } from "fastify";
import type { Denial, DenialReason } from "./denial.js";

/** One warning in this time for each reason: who is not let in must not decide how much is logged. */
const INTERVAL_MS = 10_000;

/** Logs who was not let in, and how many more were not for the same reason. */
export class DenialLog {
  readonly #clock: () => number;
  readonly #entries = new Map<DenialReason, { loggedAt: number; unlogged: number }>();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  write(denial: Denial, log: FastifyBaseLogger): void {
    const { reason, detail, status } = denial;
    const now = this.#clock();
    const entry = this.#entries.get(reason);
    if (entry !== undefined && now - entry.loggedAt < INTERVAL_MS) {
      entry.unlogged += 1;
      return;
    }
    const line = { reason, detail, status, unlogged: entry?.unlogged ?? 0 };
    this.#entries.set(reason, { loggedAt: now, unlogged: 0 });
    if (reason === "role") log.error(line, "delivery not accepted: Event Grid lacks its role");
    else log.warn(line, "request not let in");
  }
}
