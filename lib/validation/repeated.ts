import { type Problem, problem, showValue } from "cloud-eventgrid-binding-runtime/internal";

/**
 * The problems of values that repeat an earlier one.
 *
 * @param fieldOf names the field of the value at an index
 */
export function repeated(
  values: readonly unknown[],
  fieldOf: (index: number) => string,
): Problem[] {
  const seen = new Set<unknown>();
  return values.flatMap((value, i) => {
    if (value === undefined || !seen.has(value)) {
      seen.add(value);
      return [];
    }
    return [problem(fieldOf(i), "unique", `must be given only once, but is ${showValue(value)}`)];
  });
}
