import type { StandardSchemaV1 } from "@standard-schema/spec";
import { payloadProblemsOf } from "../events/schema-issues.js";
import { isPromise } from "../promise.js";
import type { Problem } from "./encode-event.js";

/** What a schema finds wrong with a payload; the payload goes out as it was given all the same. */
export function payloadProblems(
  event: { readonly data?: unknown } | undefined,
  schema: StandardSchemaV1,
): readonly Problem[] | Promise<readonly Problem[]> {
  try {
    const result = schema["~standard"].validate(event?.data);
    return isPromise(result)
      ? Promise.resolve(result)
          .then(problemsOf)
          .catch(() => FAILED)
      : problemsOf(result);
  } catch {
    return FAILED;
  }
}

/** What it throws may hold the payload. */
const FAILED: readonly Problem[] = [{ path: "data", message: "data: its type's schema throws" }];

function problemsOf({ issues = [] }: StandardSchemaV1.Result<unknown>): readonly Problem[] {
  return payloadProblemsOf(issues);
}
