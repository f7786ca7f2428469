/**
 * Listens to each `AbortSignal` once, however many calls share it: Node warns of a leak when a signal
 * has more than ten listeners.
 */
export class SignalListeners {
  readonly #callbacks = new Map<EventTarget | null, Set<() => void>>();
  readonly #notify = ({ currentTarget }: Event) => {
    // A copy, because callbacks remove themselves.
    for (const callback of [...(this.#callbacks.get(currentTarget) ?? [])]) callback();
  };

  /** @returns a function that removes the callback */
  add(signal: AbortSignal, callback: () => void): () => void {
    const callbacks = this.#callbacks.get(signal) ?? new Set();
    if (callbacks.size === 0) {
      this.#callbacks.set(signal, callbacks);
      signal.addEventListener("abort", this.#notify);
    }
    callbacks.add(callback);
    return () => {
      if (!callbacks.delete(callback) || callbacks.size > 0) return;
      this.#callbacks.delete(signal);
      signal.removeEventListener("abort", this.#notify);
    };
  }
}
