import type { StandardSchemaV1 } from "@standard-schema/spec";

/** One place of a payload that does not match its schema. */
export interface PayloadProblem {
  /** The place, such as `data.lines.2.price`. */
  readonly path: string;
  /** The schema's message with the place before it, at most a line long. */
  readonly message: string;
}

const MAX_PROBLEMS = 10;
const MAX_LENGTH = 200;

/** The first ten issues of a schema. */
export function describeIssues(issues: readonly StandardSchemaV1.Issue[]): PayloadProblem[] {
  return issues.slice(0, MAX_PROBLEMS).map(({ path = [], message }) => {
    const steps = path.map((step) => String(typeof step === "object" ? step.key : step));
    const place = ["data", ...steps].join(".");
    return { path: place, message: `${place}: ${message}`.slice(0, MAX_LENGTH) };
  });
}
