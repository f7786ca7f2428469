import { MIB, ServiceError, serviceError } from "../base/index.js";
import type {
  AcceptedEvent,
  DeadLetter,
  DeliveryProgress,
  Journal,
  PendingDelivery,
} from "../eventgrid/index.js";
import { RecordLog } from "./record-log.js";

/** A smaller log is not worth compacting. */
const COMPACT_ABOVE_BYTES = 4 * MIB;

/** An event that some subscriptions have not settled yet. */
interface PendingEvent {
  readonly number: number;
  readonly event: AcceptedEvent;
  /** By the subscription's resource ID. */
  readonly targets: Map<string, Target>;
}

interface Target {
  /** The number of the event's deliveries that the subscription has to settle. */
  count: number;
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

/**
 * Undelivered events and dead letters in an append-only log. What is pending follows from the
 * records alone, those of an earlier process and those that are added.
 */
export class DeliveryJournal implements Journal {
  readonly recovered: Recovered;
  /** Whether the log did not exist, or was empty. */
  readonly isNew: boolean;
  readonly #log: RecordLog;
  readonly #events = new Map<AcceptedEvent, PendingEvent>();
  readonly #byNumber = new Map<number, PendingEvent>();
  #lastNumber = 0;
  #flushScheduled = false;
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
    this.recovered = this.#recover(records as JournalRecord[]);
    this.isNew = records.length === 0;
    if (this.isNew) {
      this.#log.append({ k: "log" } satisfies JournalRecord);
      this.#log.flush();
    }
  }

  queued(event: AcceptedEvent, subscriptionId: string): void {
    const pending = this.#events.get(event);
    const target = pending?.targets.get(subscriptionId);
    if (target) target.count++;
    else if (pending) this.#record({ k: "targets", n: pending.number, s: [subscriptionId] });
    else this.#record({ k: "event", n: this.#lastNumber + 1, e: event, s: [subscriptionId] });
  }

  retrying(
    events: readonly AcceptedEvent[],
    subscriptionId: string,
    progress: DeliveryProgress,
  ): void {
    for (const event of events) {
      const pending = this.#events.get(event);
      if (!pending?.targets.has(subscriptionId)) continue;
      this.#record({ k: "retry", n: pending.number, s: subscriptionId, p: progress });
    }
  }

  settled(events: readonly AcceptedEvent[], subscriptionId: string): void {
    const numbers = events.flatMap((event) => {
      const pending = this.#events.get(event);
      const target = pending?.targets.get(subscriptionId);
      return pending && target && --target.count === 0 ? pending.number : [];
    });
    if (numbers.length > 0) this.#record({ k: "settled", n: numbers, s: subscriptionId });
  }

  cleared(subscriptionId: string): void {
    this.#record({ k: "cleared", s: subscriptionId });
  }

  deadLettered(deadLetter: DeadLetter): void {
    this.#record({ k: "deadLetter", d: deadLetter });
  }

  deadLettersCleared(): void {
    this.#record({ k: "deadLettersCleared" });
  }

  /** @throws ServiceError 503 if the log cannot be written. The next call tries again. */
  flush(): void {
    if (this.#closed) return;
    try {
      this.#log.flush();
      this.#isFailing = false;
    } catch (cause) {
      this.#isFailing = true;
      throw notStored(cause);
    }
    if (this.#log.size > this.#compactAbove) this.#compact();
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
   * Adds a record, which is written at the latest at the end of this turn of the event loop, so that
   * events which settle together cause one write. Persistence repeats a write that fails, and
   * reports it.
   */
  #record(record: JournalRecord): void {
    if (this.#closed) return;
    this.#apply(record);
    this.#log.append(record);
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

  #apply(record: JournalRecord): void {
    switch (record.k) {
      case "event": {
        const pending = { number: record.n, event: record.e, targets: new Map() };
        this.#events.set(record.e, pending);
        this.#byNumber.set(record.n, pending);
        this.#lastNumber = Math.max(this.#lastNumber, record.n);
        this.#addTargets(record);
        break;
      }
      case "targets":
        this.#addTargets(record);
        break;
      case "retry": {
        const target = this.#byNumber.get(record.n)?.targets.get(record.s);
        if (target) target.progress = record.p;
        break;
      }
      case "settled":
        for (const n of record.n) this.#removeTarget(n, record.s);
        break;
      case "cleared":
        for (const n of [...this.#byNumber.keys()]) this.#removeTarget(n, record.s);
        break;
    }
  }

  #addTargets({ n, s }: { readonly n: number; readonly s: readonly string[] }): void {
    const targets = this.#byNumber.get(n)?.targets;
    for (const id of s) targets?.set(id, { count: 1, progress: undefined });
  }

  #removeTarget(number: number, subscriptionId: string): void {
    const pending = this.#byNumber.get(number);
    pending?.targets.delete(subscriptionId);
    if (!pending || pending.targets.size > 0) return;
    this.#events.delete(pending.event);
    this.#byNumber.delete(number);
  }

  /**
   * Replaces the log by one of what is pending, and of the dead letters. This happens again when the
   * log is four times as large.
   */
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
      this.#compactAbove = Math.max(COMPACT_ABOVE_BYTES, 4 * this.#log.size);
    } catch {
      // A full disk has no room for a second log; the first one remains complete.
      this.#compactAbove = this.#log.size + COMPACT_ABOVE_BYTES;
    }
  }

  #recover(records: readonly JournalRecord[]): Recovered {
    let deadLetters: DeadLetter[] = [];
    for (const record of records) {
      this.#apply(record);
      if (record.k === "deadLetter") deadLetters.push(record.d);
      if (record.k === "deadLettersCleared") deadLetters = [];
    }
    const pending = [...this.#events.values()].flatMap(({ event, targets }) =>
      [...targets].map(([subscriptionId, { progress }]) => ({ event, subscriptionId, progress })),
    );
    return { pending, deadLetters };
  }
}

/** Event Grid accepts no event that would be lost. */
export function notStored(cause: unknown): ServiceError {
  const reason = cause instanceof Error ? cause.message : cause;
  return serviceError.ServiceUnavailable(
    `The local Azure cannot write to its directory: ${reason}. Is the disk full?`,
    { cause },
  );
}
