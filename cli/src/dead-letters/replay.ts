import {
  InvalidEventError,
  PublishError,
  type Publisher,
  type ReadyEvent,
} from "cloud-eventgrid-binding-runtime/publisher";
import type { DeadLetter } from "./dead-letter.js";
import type { SelectedBlob } from "./selection.js";

/** A dead letter that was not sent, or that the topic did not accept. */
export interface ReplayFailure {
  readonly letter: DeadLetter;
  readonly reason: string;
}

export interface ReplayResult {
  readonly accepted: number;
  readonly failures: readonly ReplayFailure[];
  /** Why the replay ended early: every further request would fail too. */
  readonly stopped?: string;
}

export interface ReplayOptions {
  /** Called after each blob with the number of accepted events. */
  readonly onProgress?: (accepted: number) => void;
}

/** Blobs whose events are sent at a time: the most that a kill can cause to be sent again. */
const CONCURRENCY = 8;

/** Failures after which every further request would fail too. */
const HOPELESS: readonly string[] = [
  "ERR_PUBLISH_UNAUTHORIZED",
  "ERR_PUBLISH_CREDENTIAL",
  "ERR_PUBLISH_UNAVAILABLE",
  "ERR_PUBLISH_TIMEOUT",
];

/**
 * Sends dead letters to a topic, with their original ids and sources. A record is marked in its blob
 * only after the topic has accepted it, so that a replay that was killed continues where it ended.
 */
export async function replay(
  blobs: AsyncIterable<SelectedBlob>,
  publisher: Publisher,
  { onProgress }: ReplayOptions = {},
): Promise<ReplayResult> {
  const failures: ReplayFailure[] = [];
  let accepted = 0;
  let stopped: string | undefined;
  const iterator = blobs[Symbol.asyncIterator]();

  async function send({ blob, letters }: SelectedBlob): Promise<void> {
    const sendable = letters.filter((letter) => {
      const reason = unsendable(letter);
      if (reason !== undefined) failures.push({ letter, reason });
      return reason === undefined;
    });
    if (sendable.length === 0) return;
    const outcome = await sendLetters(sendable, publisher);
    failures.push(...outcome.failures);
    accepted += outcome.accepted.length;
    stopped ??= outcome.stopped;
    try {
      if (outcome.accepted.length > 0) await blob.mark(outcome.accepted.map(({ index }) => index));
    } catch (error) {
      stopped ??= `accepted events could not be marked as replayed: ${(error as Error).message}`;
    }
    onProgress?.(accepted);
  }

  async function work(): Promise<void> {
    while (stopped === undefined) {
      const next = await iterator.next();
      if (next.done) return;
      await send(next.value);
    }
  }

  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  await iterator.return?.(undefined);
  return { accepted, failures, ...(stopped !== undefined && { stopped }) };
}

interface SendOutcome {
  readonly accepted: readonly DeadLetter[];
  readonly failures: readonly ReplayFailure[];
  readonly stopped?: string;
}

async function sendLetters(
  letters: readonly DeadLetter[],
  publisher: Publisher,
): Promise<SendOutcome> {
  const events = letters.map(({ event }) => event as unknown as ReadyEvent);
  try {
    await publisher.create(events);
    return { accepted: letters, failures: [] };
  } catch (error) {
    if (!(error instanceof PublishError) && !(error instanceof InvalidEventError)) throw error;
    if (error.code === "ERR_PUBLISH_INVALID_EVENT" && letters.length > 1) {
      // Nothing was sent: one malformed event must not keep the others of its blob back.
      return oneByOne(letters, publisher);
    }
    const failed = new Set(error.events.map(({ index }) => index));
    const failures = letters.filter((_, i) => failed.has(i));
    return {
      accepted: letters.filter((_, i) => !failed.has(i)),
      failures: failures.map((letter) => ({ letter, reason: error.message })),
      ...(HOPELESS.includes(error.code) && { stopped: error.message }),
    };
  }
}

async function oneByOne(
  letters: readonly DeadLetter[],
  publisher: Publisher,
): Promise<SendOutcome> {
  const outcomes: SendOutcome[] = [];
  for (const letter of letters) outcomes.push(await sendLetters([letter], publisher));
  const stopped = outcomes.find((outcome) => outcome.stopped !== undefined)?.stopped;
  return {
    accepted: outcomes.flatMap((outcome) => outcome.accepted),
    failures: outcomes.flatMap((outcome) => outcome.failures),
    ...(stopped !== undefined && { stopped }),
  };
}

function unsendable({ event, isExact }: DeadLetter): string | undefined {
  if (event.specversion !== "1.0") return "it is not a CloudEvent: resend it with its own schema";
  if (!isExact) return "it contains a number with more digits than JavaScript keeps";
  return undefined;
}
