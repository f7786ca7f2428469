/** Time, as the publisher needs it. */
export interface PublisherClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back after that many milliseconds, unless what it returns is called before. */
  schedule(milliseconds: number, callback: () => void): () => void;
}

/** The machine's own clock. */
export const systemClock: PublisherClock = {
  now: () => Date.now(),
  schedule(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};
