import type { FastifyBaseLogger } from "fastify";
import type { Denial, DenialReason } from "./denial.js";
import { RareLines } from "./rare-lines.js";

/** Logs who was not let in, and how many more were not for the same reason. */
export class DenialLog {
  readonly #lines: RareLines<DenialReason>;

  constructor(clock: () => number) {
    this.#lines = new RareLines(clock);
  }

  write({ reason, detail, status }: Denial, log: FastifyBaseLogger): void {
    const unlogged = this.#lines.due(reason);
    if (unlogged === undefined) return;
    const line = { reason, detail, status, unlogged };
    if (reason === "role") log.error(line, "delivery not accepted: Event Grid lacks its role");
    else log.warn(line, "request not let in");
  }
}
