/**
 * How many cases a random test draws: as many as are worth their time in `npm test`, and with
 * `DRAWS=5`, as `.ci/run --full` sets it, five times as many.
 */
export function draws(count: number): number {
  return Math.ceil(count * Number(process.env.DRAWS ?? 1));
}
