import type { Mutant } from "./mutants.js";

/** A mutant that changes nothing that anybody could notice, with the reason. */
interface Equal extends Pick<Mutant, "file" | "original" | "replacement"> {
  /** The line in which it stands, without its indentation. */
  readonly code: string;
  readonly reason: string;
}

const equal: readonly Equal[] = [];

export function equalReason(mutant: Mutant): string | undefined {
  return equal.find(
    ({ file, code, original, replacement }) =>
      file === mutant.file &&
      code === mutant.code &&
      original === mutant.original &&
      replacement === mutant.replacement,
  )?.reason;
}
