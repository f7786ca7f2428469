import { ServiceError } from "../base/index.js";
import type {
  AcceptedEvent,
  DeadLetter,
  DeliveryProgress,
  Journal,
  PendingDelivery,
} from "../eventgrid/index.js";
import { RecordLog } from "./record-log.js";

/** A smaller log is not worth compacting. */
const COMPACT_ABOVE_BYTES = 4 * 1024 * 1024;

/** An event that some subscriptions have not settled yet. */
interface PendingEvent {
  readonly number: number;
  readonly event: AcceptedEvent;
  /** By the subscription's resource ID. */
  readonly targets: Map<string, Target>;
  /** Whether the log has the event. */
  isWritten: boolean;
}

interface Target {
  /** How many deliveries of the event the subscription has to settle. */
  count: number;
  /** Whether the log knows that the subscription is to get the event. */
  isWritten: boolean;
  progress: DeliveryProgress | undefined;
}

/** Records of the log: `n` is the number of an event, `s` the resource ID of a subscription. */
type JournalRecord =
  /** The first one, which tells a new log from one that was emptied. */
  | { readonly k: "log" }
  | { readonly k: "event"; readonly n: number; readonly e: AcceptedEvent; readonly s: string[] }
  | { readonly k: "targets"; readonly n: number; readonly s: string[] }
  | { readonly k: "retry"; readonly n: number; readonly s: string; readonly p: DeliveryProgress }
  | { readonly k: "settled"; readonly n: number[]; readonly s: string }
  | { readonly k: "cleared"; readonly s: string }
  | { readonly k: "deadLetter"; readonly d: DeadLetter }
  | { readonly k: "deadLettersCleared" };

/** The deliveries that were pending when the last process ended. */
export interface Recovered {
  readonly pending: readonly PendingDelivery[];
  readonly deadLetters: readonly DeadLetter[];
}

/** Undelivered events and dead letters in an append-only log. */
export class DeliveryJournal implements Journal {
  readonly recovered: Recovered;
  /** Whether the log did not exist, or was empty. */
  readonly isNew: boolean;
  readonly #log: RecordLog;
  readonly #events = new Map<AcceptedEvent, PendingEvent>();
  /** Events with targets that the log does not have yet. */
  readonly #unwritten = new Set<PendingEvent>();
  #lastNumber = 0;
  #liveBytes = 0;
  #flushScheduled = false;
  /** A log up to this size is not compacted. */
  #compactAbove = COMPACT_ABOVE_BYTES;
  #closed = false;
  /** Whether the last write failed. */
  #isFailing = false;

  /** @param deadLetters those that are kept when the log is compacted */
  constructor(
    file: string,
    private readonly deadLetters: () => readonly DeadLetter[],
  ) {
    const { log, records } = RecordLog.open(file);
    this.#log = log;
    this.recovered = this.#replay(records as JournalRecord[]);
    this.isNew = records.length === 0;
    if (this.isNew) {
      this.#append({ k: "log" });
      this.#log.flush();
    }
  }

  queued(event: AcceptedEvent, subscriptionId: string): void {
    if (this.#closed) return;
    let pending = this.#events.get(event);
    if (!pending) {
      pending = { number: ++this.#lastNumber, event, targets: new Map(), isWritten: false };
      this.#events.set(event, pending);
    }
    const target = pending.targets.get(subscriptionId);
    if (target) target.count++;
    else {
      pending.targets.set(subscriptionId, { count: 1, isWritten: false, progress: undefined });
      this.#unwritten.add(pending);
    }
  }

  retrying(
    events: readonly AcceptedEvent[],
    subscriptionId: string,
    progress: DeliveryProgress,
  ): void {
    if (this.#closed) return;
    for (const event of events) {
      const pending = this.#events.get(event);
      const target = pending?.targets.get(subscriptionId);
      if (!pending || !target) continue;
      target.progress = progress;
      this.#append({ k: "retry", n: pending.number, s: subscriptionId, p: progress });
    }
    this.#flushSoon();
  }

  settled(events: readonly AcceptedEvent[], subscriptionId: string): void {
    if (this.#closed) return;
    const numbers = events.flatMap((event) => {
      const pending = this.#events.get(event);
      const target = pending?.targets.get(subscriptionId);
      if (!pending || !target || --target.count > 0) return [];
      this.#remove(pending, subscriptionId);
      return target.isWritten ? [pending.number] : [];
    });
    if (numbers.length === 0) return;
    this.#append({ k: "settled", n: numbers, s: subscriptionId });
    this.#flushSoon();
  }

  cleared(subscriptionId: string): void {
    if (this.#closed) return;
    for (const pending of [...this.#events.values()]) this.#remove(pending, subscriptionId);
    this.#append({ k: "cleared", s: subscriptionId });
    this.#flushSoon();
  }

  deadLettered(deadLetter: DeadLetter): void {
    if (this.#closed) return;
    this.#append({ k: "deadLetter", d: deadLetter });
    this.#flushSoon();
  }

  deadLettersCleared(): void {
    if (this.#closed) return;
    this.#append({ k: "deadLettersCleared" });
    this.#flushSoon();
  }

  /** @throws ServiceError 503 if the log cannot be written. The next call tries again. */
  flush(): void {
    if (this.#closed) return;
    for (const pending of this.#unwritten) this.#writeTargets(pending);
    this.#unwritten.clear();
    try {
      this.#log.flush();
      this.#isFailing = false;
    } catch (cause) {
      this.#isFailing = true;
      throw notStored(cause);
    }
    if (this.#log.size > this.#compactAbove && this.#log.size > 4 * this.#liveBytes) {
      this.#compact();
    }
  }

  /**
   * Repeats a write that failed, before more events need room.
   *
   * @throws ServiceError 503 if it fails again
   */
  retry(): void {
    if (this.#isFailing) this.flush();
  }

  /** Ends the recording. Records that are not flushed are lost. */
  close(): void {
    this.#closed = true;
    this.#log.close();
  }

  /**
   * At the end of this turn of the event loop, so that events which settle together cause one
   * write. Persistence repeats a write that fails, and reports it.
   */
  #flushSoon(): void {
    if (this.#flushScheduled) return;
    this.#flushScheduled = true;
    setImmediate(() => {
      this.#flushScheduled = false;
      try {
        this.flush();
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
      }
    });
  }

  #append(record: JournalRecord): void {
    this.#log.append(record);
  }

  #writeTargets(pending: PendingEvent): void {
    const { number: n, event, targets } = pending;
    const fresh = [...targets].filter(([, { isWritten }]) => !isWritten);
    const s = fresh.map(([id]) => id);
    for (const [, target] of fresh) target.isWritten = true;
    if (s.length === 0) return;
    if (pending.isWritten) this.#append({ k: "targets", n, s });
    else this.#append({ k: "event", n, e: event, s });
    if (!pending.isWritten) this.#liveBytes += event.sizeInBytes;
    pending.isWritten = true;
  }

  #remove(pending: PendingEvent, subscriptionId: string): void {
    pending.targets.delete(subscriptionId);
    if (pending.targets.size > 0) return;
    this.#events.delete(pending.event);
    this.#unwritten.delete(pending);
    if (pending.isWritten) this.#liveBytes -= pending.event.sizeInBytes;
  }

  #compact(): void {
    const events = [...this.#events.values()].flatMap(({ number: n, event, targets }) => [
      { k: "event", n, e: event, s: [...targets.keys()] },
      ...[...targets].flatMap(([id, { progress }]) =>
        progress ? [{ k: "retry", n, s: id, p: progress }] : [],
      ),
    ]);
    const deadLetters = this.deadLetters().map((d) => ({ k: "deadLetter", d }));
    try {
      this.#log.replace([{ k: "log" }, ...events, ...deadLetters]);
      this.#liveBytes = this.#log.size;
      this.#compactAbove = COMPACT_ABOVE_BYTES;
    } catch {
      // A full disk has no room for a second log; the first one remains complete.
      this.#compactAbove = this.#log.size + COMPACT_ABOVE_BYTES;
    }
  }

  #replay(records: readonly JournalRecord[]): Recovered {
    const byNumber = new Map<number, PendingEvent>();
    let deadLetters: DeadLetter[] = [];
    const addTargets = (pending: PendingEvent, targets: readonly string[]) => {
      for (const s of targets) {
        pending.targets.set(s, { count: 1, isWritten: true, progress: undefined });
      }
    };
    const remove = (pending: PendingEvent | undefined, s: string) => {
      if (!pending) return;
      this.#remove(pending, s);
      if (pending.targets.size === 0) byNumber.delete(pending.number);
    };
    for (const record of records) {
      switch (record.k) {
        case "event": {
          const { n: number, e: event } = record;
          const pending = { number, event, targets: new Map(), isWritten: true };
          addTargets(pending, record.s);
          byNumber.set(number, pending);
          this.#events.set(event, pending);
          this.#lastNumber = Math.max(this.#lastNumber, number);
          this.#liveBytes += event.sizeInBytes;
          break;
        }
        case "targets": {
          const pending = byNumber.get(record.n);
          if (pending) addTargets(pending, record.s);
          break;
        }
        case "retry": {
          const target = byNumber.get(record.n)?.targets.get(record.s);
          if (target) target.progress = record.p;
          break;
        }
        case "settled":
          for (const n of record.n) remove(byNumber.get(n), record.s);
          break;
        case "cleared":
          for (const pending of [...byNumber.values()]) remove(pending, record.s);
          break;
        case "deadLetter":
          deadLetters.push(record.d);
          break;
        case "deadLettersCleared":
          deadLetters = [];
          break;
      }
    }
    const pending = [...byNumber.values()].flatMap(({ event, targets }) =>
      [...targets].map(([subscriptionId, { progress }]) => ({ event, subscriptionId, progress })),
    );
    return { pending, deadLetters };
  }
}

/** Event Grid accepts no event that would be lost. */
export function notStored(cause: unknown): ServiceError {
  const reason = cause instanceof Error ? cause.message : cause;
  return new ServiceError(
    503,
    "ServiceUnavailable",
    `The local Azure cannot write to its directory: ${reason}. Is the disk full?`,
    { cause },
  );
}
