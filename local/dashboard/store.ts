import { useEffect, useState } from "preact/hooks";
import type { ActivityRow, LiveMessage } from "../src/dashboard/index.js";

/** Older rows are removed from the page, but stay in the cloud. */
const MOST_ROWS = 20_000;

/** The rows of the live view, as the server sends them. */
export class ActivityStore {
  /** The oldest first. */
  rows: ActivityRow[] = [];
  /** Incremented by every change, so that views know when to render again. */
  version = 0;
  pending = 0;
  skipped = 0;
  connected = false;
  /** The cloud's time in the last message, when the message arrived, and the speed of its clock. */
  #clock = { now: Date.now(), receivedAt: Date.now(), speed: 1 };
  readonly #listeners = new Set<() => void>();
  #source: EventSource | undefined;

  connect(): void {
    const source = new EventSource("/local/live");
    this.#source = source;
    source.onopen = () => this.#update({ connected: true });
    source.onerror = () => {
      this.#update({ connected: false });
      // A restarted server counts from 1 again: start over instead of resuming.
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

  /** Clears the rows of this page; the cloud keeps its history. */
  clear(): void {
    this.rows = [];
    this.#update({ skipped: 0 });
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The time on the cloud's clock, in milliseconds since 1970. */
  now(): number {
    const { now, receivedAt, speed } = this.#clock;
    return now + (Date.now() - receivedAt) * speed;
  }

  #receive({ rows, skipped, pending, now, clockSpeed }: LiveMessage): void {
    this.#clock = { now, receivedAt: Date.now(), speed: clockSpeed };
    if (rows.length > 0) {
      this.rows.push(...rows);
      if (this.rows.length > MOST_ROWS) this.rows = this.rows.slice(-MOST_ROWS / 2);
    }
    this.#update({ pending, skipped: this.skipped + skipped });
  }

  #update(change: Partial<Pick<this, "connected" | "pending" | "skipped">>): void {
    Object.assign(this, change);
    this.version++;
    for (const listener of this.#listeners) listener();
  }
}

export const activity = new ActivityStore();

/** Renders the component again when the activity changes; returns the rendered version. */
export function useActivity(): number {
  const [version, setVersion] = useState(activity.version);
  useEffect(() => {
    const update = () => setVersion(activity.version);
    // Rows may have arrived since the first rendering.
    update();
    return activity.listen(update);
  }, []);
  return version;
}

/** Renders the component again every second, for times that pass; returns the number of seconds. */
export function useSeconds(isNeeded = true): number {
  const [tick, setTick] = useState(0);
  useEffect(() => {
    if (!isNeeded) return;
    const timer = setInterval(() => setTick((ticks) => ticks + 1), 1_000);
    return () => clearInterval(timer);
  }, [isNeeded]);
  return tick;
}

/** Loads data now, and again whenever `key` changes. Keeps the old data until the new arrives. */
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
