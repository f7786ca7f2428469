import { DAY_MS } from "cloud-eventgrid-binding-runtime/internal";
import type { DeadLetter } from "./dead-letter.js";

/** The times at which the events of a blob were published. */
interface DatedLetters {
  readonly letters: readonly Pick<DeadLetter, "publishTime">[];
}

/** As long as inboxes remember handled events by default. */
const REMEMBERED_MS = 8 * DAY_MS;

/** Notices events that an inbox has forgotten by now, and would handle again. */
export class Ages {
  #isOld = false;

  /** @param whenOld called once */
  constructor(private readonly whenOld: () => void) {}

  async *watch<Blob extends DatedLetters>(blobs: AsyncIterable<Blob>): AsyncIterable<Blob> {
    const limit = Date.now() - REMEMBERED_MS;
    for await (const blob of blobs) {
      const isOld = blob.letters.some(({ publishTime }) => Date.parse(String(publishTime)) < limit);
      if (isOld && !this.#isOld) {
        this.#isOld = true;
        this.whenOld();
      }
      yield blob;
    }
  }
}
