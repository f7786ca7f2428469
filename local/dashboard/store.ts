import { useEffect, useState } from "preact/hooks";
import type { ActivityRow, LiveMessage } from "../src/dashboard/protocol.js";

/** Older rows leave the page, not the cloud. */
const MOST_ROWS = 20_000;

/** The rows of the live view, as the server sends them. */
export class ActivityStore {
  /** The oldest first. */
  rows: ActivityRow[] = [];
  /** Grows with every change, so that views know when to draw again. */
  version = 0;
  pending = 0;
  skipped = 0;
  connected = false;
  /** How far the cloud's clock is from the browser's, in milliseconds. */
  clockOffset = 0;
  readonly #listeners = new Set<() => void>();
  #source: EventSource | undefined;

  connect(): void {
    const source = new EventSource("/local/live");
    this.#source = source;
    source.onopen = () => this.#update({ connected: true });
    source.onerror = () => {
      this.#update({ connected: false });
      // A server that was restarted begins to count again: start over instead of resuming.
      source.close();
      setTimeout(() => this.#reconnect(), 1_500);
    };
    source.onmessage = ({ data }) => this.#receive(JSON.parse(data));
  }

  #reconnect(): void {
    if (this.#source?.readyState !== EventSource.CLOSED) return;
    this.rows = [];
    this.connect();
  }

  /** Forgets the rows on this page; the cloud keeps its history. */
  clear(): void {
    this.rows = [];
    this.#update({ skipped: 0 });
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #receive({ rows, skipped, pending, now }: LiveMessage): void {
    if (rows.length > 0) {
      this.rows.push(...rows);
      if (this.rows.length > MOST_ROWS) this.rows = this.rows.slice(-MOST_ROWS / 2);
    }
    this.#update({
      pending,
      skipped: this.skipped + skipped,
      clockOffset: now - Date.now(),
    });
  }

  #update(change: Partial<Pick<this, "connected" | "pending" | "skipped" | "clockOffset">>): void {
    Object.assign(this, change);
    this.version++;
    for (const listener of this.#listeners) listener();
  }
}

export const activity = new ActivityStore();

/** Draws the component again when the activity changes; returns the version drawn. */
export function useActivity(): number {
  const [version, setVersion] = useState(activity.version);
  useEffect(() => {
    const update = () => setVersion(activity.version);
    // Rows may have come between the first drawing and now.
    update();
    return activity.listen(update);
  }, []);
  return version;
}

/** Loads something now, and again whenever `key` changes; keeps the old while the new comes. */
export function useLoaded<T>(load: () => Promise<T>, key: unknown) {
  const [state, setState] = useState<{ value?: T; error?: Error }>({});
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    load().then(
      (value) => isCurrent && setState({ value }),
      (error) => isCurrent && setState((old) => ({ ...old, error })),
    );
    return () => {
      isCurrent = false;
    };
  }, [key, round]);
  return { ...state, reload: () => setRound((old) => old + 1) };
}
