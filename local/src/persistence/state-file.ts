import { existsSync, readFileSync } from "node:fs";
import { LocalCloudError } from "../base/index.js";
import { checksum, replaceFile } from "./record-log.js";

/** A part of the cloud's state that survives a restart. */
export interface StatePart {
  /** Plain JSON. */
  snapshot(): unknown;
  // biome-ignore lint/suspicious/noExplicitAny: each part restores what its own snapshot returned
  restore(snapshot: any): void;
}

/** The state of several parts in one JSON file with a checksum, which is replaced as a whole. */
export class StateFile {
  #written: string | undefined;

  constructor(
    private readonly file: string,
    private readonly parts: Readonly<Record<string, StatePart>>,
  ) {}

  get exists(): boolean {
    return existsSync(this.file);
  }

  /**
   * Restores all parts from the file, if it exists.
   *
   * @throws LocalCloudError `ERR_PERSISTED_STATE` if the file cannot be read
   */
  load(): void {
    if (!this.exists) return;
    try {
      const text = readFileSync(this.file, "utf8");
      const state: Record<string, unknown> = JSON.parse(stateIn(text));
      for (const [name, part] of Object.entries(this.parts)) {
        if (state[name] !== undefined) part.restore(state[name]);
      }
      this.#written = text;
    } catch (cause) {
      throw new LocalCloudError(
        "ERR_PERSISTED_STATE",
        `The state in ${this.file} cannot be restored: ${cause instanceof Error ? cause.message : cause}. Restore a copy of the file, or delete the directory to start anew.`,
        { cause },
      );
    }
  }

  /** Writes the state if it has changed. A crash leaves either the old file or the new one. */
  save(): void {
    const state = Object.entries(this.parts).map(([name, part]) => [name, part.snapshot()]);
    const text = withChecksum(JSON.stringify(Object.fromEntries(state)));
    if (text === this.#written) return;
    replaceFile(this.file, text);
    this.#written = text;
  }
}

function withChecksum(state: string): string {
  return `{"checksum":"${checksum(state)}",\n"state":${state}}\n`;
}

/** @throws Error if the text is not as it was written */
function stateIn(text: string): string {
  const state = String(/^\{"checksum":"[0-9a-f]{8}",\n"state":(.*)\}\n$/s.exec(text)?.[1]);
  if (text === withChecksum(state)) return state;
  throw new Error("its checksum does not match, so it was damaged or changed by hand");
}
