import { backgroundClock, type Clock, realTimer, type Timer } from "../time.js";
import type { Fetch } from "../transport/index.js";
import { KEY_TIMEOUT_MS } from "./settings/index.js";

/** What a webhook needs of the machine that it runs on. Tests replace it; no entry point exports it. */
export interface Machine {
  /** In which deadlines run. */
  readonly timer: Timer;
  /** Decides when tokens expire, keys are fetched again and events are forgotten. */
  readonly clock: Clock;
  /** Fetches the issuer's documents. @default `fetch` through the proxy of the environment, if any */
  readonly fetch?: Fetch | undefined;
  readonly keyTimeoutMs: number;
  /** How long the deduplication store may take for an answer, in milliseconds. */
  readonly storeTimeoutMs: number;
}

export const thisMachine: Machine = {
  timer: realTimer,
  clock: backgroundClock,
  keyTimeoutMs: KEY_TIMEOUT_MS,
  storeTimeoutMs: 5_000,
};
