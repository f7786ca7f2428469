/** Time and timers. Pass your own to let a test decide when time passes. */
export interface Clock {
  /** The time in milliseconds since 1970. */
  now(): number;
  /** Calls `callback` after `delayMs` milliseconds. The returned function cancels that. */
  schedule(delayMs: number, callback: () => void): () => void;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

/** The machine's own clock for background work, which does not keep the process alive. */
export const backgroundClock: Clock = {
  now: () => Date.now(),
  schedule(delayMs, callback) {
    const timer = setTimeout(callback, delayMs).unref();
    return () => clearTimeout(timer);
  },
};
