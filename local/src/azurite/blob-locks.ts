/** Lets operations on a blob complete one after the other. */
export class BlobLocks {
  readonly #last = new Map<string, Promise<void>>();

  /**
   * Waits until no other operation on these blobs is in progress.
   *
   * @returns a function that ends this one
   */
  async acquire(blobs: readonly string[]): Promise<() => void> {
    const releases: (() => void)[] = [];
    // Two operations on the same blobs take them in the same order, so neither waits for the other.
    for (const blob of [...new Set(blobs)].sort()) releases.push(await this.#acquire(blob));
    return () => {
      for (const release of releases) release();
    };
  }

  async #acquire(blob: string): Promise<() => void> {
    let release = () => {};
    const ended = new Promise<void>((resolve) => {
      release = resolve;
    });
    const before = this.#last.get(blob);
    this.#last.set(blob, ended);
    await before;
    return () => {
      if (this.#last.get(blob) === ended) this.#last.delete(blob);
      release();
    };
  }
}
