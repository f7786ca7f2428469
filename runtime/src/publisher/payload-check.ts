import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Problem } from "./encode-event.js";

const MAX_PROBLEMS = 10;
const MAX_LENGTH = 200;

/** What a schema finds wrong with a payload; the payload goes out as it was given all the same. */
export function payloadProblems(
  event: { readonly data?: unknown } | undefined,
  schema: StandardSchemaV1,
): readonly Problem[] | Promise<readonly Problem[]> {
  try {
    const result = schema["~standard"].validate(event?.data);
    return result instanceof Promise
      ? result.then(problemsOf).catch(() => FAILED)
      : problemsOf(result);
  } catch {
    return FAILED;
  }
}

/** What it throws may hold the payload. */
const FAILED: readonly Problem[] = [{ path: "data", message: "data: its type's schema throws" }];

function problemsOf({ issues = [] }: StandardSchemaV1.Result<unknown>): readonly Problem[] {
  return issues.slice(0, MAX_PROBLEMS).map(({ path = [], message }) => {
    const steps = path.map((step) => String(typeof step === "object" ? step.key : step));
    const where = ["data", ...steps].join(".");
    return { path: where, message: `${where}: ${message}`.slice(0, MAX_LENGTH) };
  });
}
