import type { StandardSchemaV1 } from "@standard-schema/spec";

/** What a schema finds wrong at one place of a payload. */
export interface PayloadProblem {
  /** Where: `data.lines.2.price`. */
  readonly path: string;
  /** What, with the place before it, and not longer than a line. */
  readonly message: string;
}

const MAX_PROBLEMS = 10;
const MAX_LENGTH = 200;

/** A schema's issues in words: the first ten of them. */
export function payloadProblemsOf(issues: readonly StandardSchemaV1.Issue[]): PayloadProblem[] {
  return issues.slice(0, MAX_PROBLEMS).map(({ path = [], message }) => {
    const steps = path.map((step) => String(typeof step === "object" ? step.key : step));
    const where = ["data", ...steps].join(".");
    return { path: where, message: `${where}: ${message}`.slice(0, MAX_LENGTH) };
  });
}
