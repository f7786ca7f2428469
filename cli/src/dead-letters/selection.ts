import type { BlobSelection, DeadLetterBlob, DeadLetterContainer } from "./container.js";
import { type DeadLetter, timeOf, typeOf } from "./dead-letter.js";

export interface Selection extends BlobSelection {
  readonly until?: Date | undefined;
  readonly reason?: string | undefined;
  readonly type?: string | undefined;
  /** IDs of events; none selects all. */
  readonly ids: readonly string[];
  /** Only records that are marked as replayed, or only those that are not. @default both */
  readonly replayed?: boolean | undefined;
  /** At most this many records. @default all */
  readonly limit?: number | undefined;
  /** Called for each blob that contains something else than dead letters. */
  readonly onProblem?: (blob: string, problem: string) => void;
}

export interface SelectedBlob {
  readonly blob: DeadLetterBlob;
  readonly letters: readonly DeadLetter[];
}

/** The blobs that contain selected dead letters. */
export async function* selectBlobs(
  container: DeadLetterContainer,
  selection: Selection,
): AsyncGenerator<SelectedBlob> {
  let left = selection.limit ?? Number.POSITIVE_INFINITY;
  for await (const blob of container.blobs(selection)) {
    if (blob.problem !== undefined) selection.onProblem?.(blob.name, blob.problem);
    const letters = blob.letters.filter((letter) => isSelected(letter, selection)).slice(0, left);
    left -= letters.length;
    if (letters.length > 0) yield { blob, letters };
    if (left === 0) return;
  }
}

function isSelected(letter: DeadLetter, selection: Selection): boolean {
  const { reason, type, since, until, replayed, ids } = selection;
  const time = Date.parse(timeOf(letter));
  return (
    (reason === undefined || letter.reason.toLowerCase() === reason.toLowerCase()) &&
    (type === undefined || typeOf(letter) === type) &&
    (replayed === undefined || letter.replayed === replayed) &&
    (ids.length === 0 || ids.includes(String(letter.event.id))) &&
    !(since !== undefined && time < since.getTime()) &&
    !(until !== undefined && time >= until.getTime())
  );
}
