/** Counts what is going on, and tells when nothing is. */
export class Tally {
  #count = 0;
  #waiting: (() => void)[] = [];

  get count(): number {
    return this.#count;
  }

  add(number: number): void {
    this.#count += number;
    if (this.#count > 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** Resolves at zero, or after `patienceMs` real milliseconds. */
  async zero(patienceMs?: number): Promise<void> {
    if (this.#count === 0) return;
    await new Promise<void>((resolve) => {
      const timer = patienceMs === undefined ? undefined : setTimeout(resolve, patienceMs);
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
