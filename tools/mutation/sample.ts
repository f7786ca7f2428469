import { createHash } from "node:crypto";
import type { Mutant } from "./mutants.js";

/**
 * Draws mutants at random, the same ones for the same seed, also after the files have changed
 * elsewhere. They keep their order.
 */
export function sampleOf(mutants: readonly Mutant[], size: number, seed: string): Mutant[] {
  const times = new Map<string, number>();
  const lots = mutants.map((mutant) => {
    const { file, code, original, replacement } = mutant;
    const text = [seed, file, code, original, replacement].join("\n");
    // One line may have the same change twice.
    const time = times.get(text) ?? 0;
    times.set(text, time + 1);
    return createHash("sha256").update(`${text}\n${time}`).digest("hex");
  });
  const last = [...lots].sort()[size - 1];
  return mutants.filter((_, index) => last === undefined || (lots[index] ?? "") <= last);
}
