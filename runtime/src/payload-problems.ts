import type { StandardSchemaV1 } from "@standard-schema/spec";

/** A problem of one part of an event. */
export interface PathProblem {
  /** The part, such as `subject` or `data.lines[2].price`. Empty for the whole event. */
  readonly path: string;
  /** A sentence for people. */
  readonly message: string;
}

const MAX_PROBLEMS = 10;
const MAX_PROBLEM_LENGTH = 200;

/** The first ten issues of a schema, each with its path before the message, at most a line long. */
export function describeIssues(issues: readonly StandardSchemaV1.Issue[]): PathProblem[] {
  return issues.slice(0, MAX_PROBLEMS).map(({ path = [], message }) => {
    const steps = path.map((step) => String(typeof step === "object" ? step.key : step));
    const dataPath = ["data", ...steps].join(".");
    return { path: dataPath, message: `${dataPath}: ${message}`.slice(0, MAX_PROBLEM_LENGTH) };
  });
}
