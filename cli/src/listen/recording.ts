import { appendFileSync, closeSync, openSync } from "node:fs";
import { resolve } from "node:path";
import { notWritten } from "../files.js";
import type { ReceivedEvent } from "./source/index.js";

/** The version of the format, which each line has. */
const FORMAT = "cloud-eventgrid/1";

/** A file of events, one JSON object per line, which `cloud-eventgrid-local replay` reads. */
export class Recording {
  readonly #file: number;

  /**
   * @param scope resource ID of what the events come from
   * @throws {CommandError} when the file cannot be written
   */
  constructor(
    directory: string,
    private readonly name: string,
    private readonly scope: string,
  ) {
    try {
      this.#file = openSync(resolve(directory, name), "a");
    } catch (error) {
      throw notWritten(name, error);
    }
  }

  /**
   * Adds an event with its time of arrival. Its JSON stays as it is, with all digits of numbers.
   *
   * @throws {CommandError} when the file cannot be written, for example because the disk is full
   */
  add({ text, attempt }: ReceivedEvent, time: Date): void {
    const { scope } = this;
    const head = JSON.stringify({
      recorded: FORMAT,
      time: time.toISOString(),
      scope,
      attempt,
    });
    // Line feeds in JSON are white space: those of texts are escaped.
    const event = text.replace(/[\r\n]/g, "");
    try {
      appendFileSync(this.#file, `${head.slice(0, -1)},"event":${event}}\n`);
    } catch (cause) {
      throw notWritten(this.name, cause);
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}
