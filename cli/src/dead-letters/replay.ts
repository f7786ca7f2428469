import { setTimeout as sleep } from "node:timers/promises";
import { SECOND_MS } from "cloud-eventgrid-binding-runtime/internal";
import { LEASE_SECONDS } from "./container.js";
import { cloudEventOf, type DeadLetter } from "./dead-letter.js";
import type { SelectedBlob } from "./selection.js";

/** A dead letter that was not sent, or that was not accepted. */
export interface ReplayFailure {
  readonly letter: DeadLetter;
  readonly reason: string;
}

/** The outcome of dead letters that were sent. */
export interface SendOutcome {
  readonly accepted: readonly DeadLetter[];
  readonly failures: readonly ReplayFailure[];
  /** Why every further request would fail too. */
  readonly stopped?: string | undefined;
}

/** Where dead letters are sent: a topic, or a webhook. */
export interface Sender {
  send(letters: readonly DeadLetter[]): Promise<SendOutcome>;
  close(): Promise<void>;
}

export interface ReplayResult {
  readonly accepted: number;
  readonly failures: readonly ReplayFailure[];
  /** Blobs that another replay is sending, or has sent. */
  readonly busy: readonly string[];
  /** Why the replay ended early. */
  readonly stopped?: string | undefined;
}

export interface ReplayOptions {
  /** Called after each blob with the number of accepted events. */
  readonly onProgress?: (accepted: number) => void;
  /** Milliseconds after which the lease of a replay that was killed has ended. @default 16,000 */
  readonly leaseWaitMs?: number;
}

/** Blobs whose events are sent at a time: the most that a kill can cause to be sent again. */
const CONCURRENCY = 8;

/**
 * Sends dead letters again, with their original ids and sources. A record is marked in its blob only
 * after it was accepted, so that a replay that was killed continues where it ended.
 */
export async function replay(
  blobs: AsyncIterable<SelectedBlob>,
  sender: Sender,
  { onProgress, leaseWaitMs = (LEASE_SECONDS + 1) * SECOND_MS }: ReplayOptions,
): Promise<ReplayResult> {
  const failures: ReplayFailure[] = [];
  let busy: SelectedBlob[] = [];
  let accepted = 0;
  let stopped: string | undefined;
  const iterator = blobs[Symbol.asyncIterator]();

  async function send(selected: SelectedBlob): Promise<void> {
    const { blob, letters } = selected;
    const sendable = letters.filter((letter) => unsendable(letter) === undefined);
    if (sendable.length === 0) return;
    const isReserved = await blob.reserve(async (mark) => {
      const outcome = await sender.send(sendable);
      failures.push(...outcome.failures);
      accepted += outcome.accepted.length;
      stopped ??= outcome.stopped;
      try {
        if (outcome.accepted.length > 0) await mark(outcome.accepted.map(({ index }) => index));
      } catch (error) {
        stopped ??= `accepted events could not be marked as replayed: ${(error as Error).message}`;
      }
    });
    if (!isReserved) busy.push(selected);
    onProgress?.(accepted);
  }

  async function work(): Promise<void> {
    while (stopped === undefined) {
      const next = await iterator.next();
      if (next.done) return;
      for (const letter of next.value.letters) {
        const reason = unsendable(letter);
        if (reason !== undefined) failures.push({ letter, reason });
      }
      await send(next.value);
    }
  }

  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  await iterator.return?.(undefined);
  if (busy.length > 0 && stopped === undefined) {
    // A replay that was killed has left its leases behind.
    await sleep(leaseWaitMs);
    const again = busy;
    busy = [];
    for (const selected of again) await send(selected);
  }
  const left = busy.map(({ blob }) => blob.name);
  return { accepted, failures, busy: left, stopped };
}

function unsendable(letter: DeadLetter): string | undefined {
  if (cloudEventOf(letter) === undefined) {
    return "it is not a CloudEvent: resend it with its own schema";
  }
  if (!letter.isExact) return "it contains a number with more digits than JavaScript keeps";
  return undefined;
}
