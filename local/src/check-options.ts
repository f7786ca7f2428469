import { LocalCloudError, withProblems } from "./errors.js";
import type { Shape } from "./shape.js";

/**
 * Looks at what a function of the cloud is called with: callers without types may give anything.
 *
 * @param complaint what cannot be done with it
 * @throws LocalCloudError with the code, that names every problem
 */
export function checkOptions(
  shape: Shape<unknown>,
  given: unknown,
  complaint: string,
  code = "ERR_OPTIONS",
): void {
  const problems: string[] = [];
  shape(given, "", problems);
  if (problems.length === 0) return;
  throw new LocalCloudError(code, withProblems(complaint, problems));
}
