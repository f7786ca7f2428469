import * as v from "valibot";
import { LocalCloudError, problemsOf, withProblems } from "../base/index.js";

/**
 * Reads the body of a command.
 *
 * @throws LocalCloudError `ERR_OPTIONS` with every problem of the body
 */
export function read<const T extends v.GenericSchema>(schema: T, body: unknown): v.InferOutput<T> {
  const problems = problemsOf(schema, body);
  if (problems.length > 0) {
    throw new LocalCloudError("ERR_OPTIONS", withProblems("Invalid body", problems));
  }
  return v.parse(schema, body);
}
