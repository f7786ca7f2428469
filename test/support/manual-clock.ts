import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../runtime/src/time.js";

interface Timer {
  at: number;
  readonly milliseconds: number;
  readonly callback: () => void;
  readonly keepsProcess: boolean;
}

/** A clock that moves only when the test moves it. */
export class ManualClock implements Clock {
  #time: number;
  readonly #timers = new Set<Timer>();
  readonly #watchers = new Set<() => void>();

  constructor(start = Date.UTC(2026, 0, 2, 12, 0, 0)) {
    this.#time = start;
  }

  now(): number {
    return this.#time;
  }

  schedule(milliseconds: number, callback: () => void, keepsProcess = true): () => void {
    const timer = { at: this.#time + milliseconds, milliseconds, callback, keepsProcess };
    this.#timers.add(timer);
    this.#changed();
    return () => {
      this.#timers.delete(timer);
      this.#changed();
    };
  }

  /** Sets the time, as people and NTP do, without an effect on timers. */
  setBack(milliseconds: number): void {
    this.#time -= milliseconds;
    for (const timer of this.#timers) timer.at -= milliseconds;
  }

  /** Resolves as soon as a timer of that length is scheduled. */
  whenScheduled(milliseconds: number): Promise<void> {
    return this.#until((timers) => timers.some((timer) => timer.milliseconds === milliseconds));
  }

  /** Lets the time of a timer pass, as soon as one of that length is scheduled. */
  async pass(milliseconds: number): Promise<void> {
    await this.whenScheduled(milliseconds);
    this.advance(milliseconds);
  }

  /** Resolves as soon as no timer keeps the process alive any more. */
  whenIdle(): Promise<void> {
    return this.#until((timers) => timers.every(({ keepsProcess }) => !keepsProcess));
  }

  #until(holds: (timers: readonly Timer[]) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const watch = () => {
        if (!holds([...this.#timers])) return;
        this.#watchers.delete(watch);
        resolve();
      };
      this.#watchers.add(watch);
      watch();
    });
  }

  #changed(): void {
    for (const watch of this.#watchers) watch();
  }

  /** Advances the time, and fires due timers in order. */
  advance(milliseconds: number): void {
    const end = this.#time + milliseconds;
    while (true) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#time = next.at;
      next.callback();
    }
    this.#time = end;
    this.#changed();
  }

  /** Advances the time again and again until the work ends, which may begin late. */
  async advanceUntil(work: Promise<unknown>, milliseconds: number): Promise<void> {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      this.advance(milliseconds);
      await setImmediate();
    }
    await done;
  }
}
