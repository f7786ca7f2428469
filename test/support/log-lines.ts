import { Writable } from "node:stream";

export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly [name: string]: unknown;
}

/** Collects the lines that pino writes. */
export class LogLines extends Writable {
  readonly lines: LogLine[] = [];
  /** Everything that was written, to search for secrets. */
  text = "";

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    const text = chunk.toString();
    this.text += text;
    for (const line of text.split("\n")) if (line !== "") this.lines.push(JSON.parse(line));
    done();
  }

  withMessage(msg: string): LogLine[] {
    return this.lines.filter((line) => line.msg === msg);
  }
}
