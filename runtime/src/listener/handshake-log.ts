import type { FastifyBaseLogger } from "fastify";
import { RareLines } from "./rare-lines.js";

/** What there is to say of handshakes, which anybody may ask for. */
const messages = {
  consented: ["info", "handshake"],
  notReady: ["warn", "handshake before the listener is ready"],
  notConsented: ["warn", "handshake of an origin not allowed"],
  called: ["info", "handshake callback called"],
  notOfOrigin: ["warn", "handshake callback is not on a host of the origin: not called"],
  tooMany: ["warn", "too many handshake callbacks at a time: not called"],
  failed: ["warn", "handshake callback failed"],
} as const;

/** Logs handshakes, and how many more there were of the same kind. */
export class HandshakeLog {
  readonly #lines: RareLines<keyof typeof messages>;

  constructor(clock: () => number) {
    this.#lines = new RareLines(clock);
  }

  write(kind: keyof typeof messages, line: object, log: FastifyBaseLogger): void {
    const unlogged = this.#lines.due(kind);
    if (unlogged === undefined) return;
    const [level, message] = messages[kind];
    log[level]({ ...line, unlogged }, message);
  }
}
