import { SECOND_MS } from "cloud-eventgrid-binding-runtime/internal";

/** How long a command works before it says what it does, in milliseconds. */
const DELAY_MS = SECOND_MS;

/** The last line of a terminal, which says what takes longer than a second. */
export class StatusLine {
  #text = "";
  #timer: NodeJS.Timeout | undefined;
  #isShown = false;

  /** @param write writes to the terminal, with control characters */
  constructor(private readonly write: (text: string) => void) {}

  /** Says what the command does now. */
  show(text: string): void {
    this.#text = text;
    if (this.#isShown) this.#print();
    else this.#timer ??= setTimeout(() => this.#print(), DELAY_MS).unref();
  }

  /** Removes the line, before something else is printed or when the work is done. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isShown) this.write(CLEAR);
    this.#isShown = false;
  }

  #print(): void {
    this.#isShown = true;
    this.write(`${CLEAR}${this.#text} …`);
  }
}

/** Returns to the beginning of the line and erases it. */
const CLEAR = "\r\u001b[K";
