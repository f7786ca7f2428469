interface Listener {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

/**
 * Listens to each `AbortSignal` once, however many calls share it: Node warns of a leak when a signal
 * has more than ten listeners. The events are not used: those of other implementations of `AbortSignal`
 * have no target.
 */
export class SignalListeners {
  readonly #listeners = new Map<AbortSignal, Listener>();

  /** @returns a function that removes the callback */
  add(signal: AbortSignal, callback: () => void): () => void {
    const { callbacks } = this.#listeners.get(signal) ?? this.#listen(signal);
    callbacks.add(callback);
    return () => {
      callbacks.delete(callback);
      if (callbacks.size === 0) this.#unlisten(signal);
    };
  }

  #listen(signal: AbortSignal): Listener {
    const callbacks = new Set<() => void>();
    const listener = () => {
      for (const callback of [...callbacks]) callback();
    };
    signal.addEventListener("abort", listener);
    this.#listeners.set(signal, { callbacks, listener });
    return { callbacks, listener };
  }

  #unlisten(signal: AbortSignal): void {
    const entry = this.#listeners.get(signal);
    if (entry === undefined) return;
    this.#listeners.delete(signal);
    signal.removeEventListener("abort", entry.listener);
  }
}
