import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { CloudEvent } from "../events/index.js";
import { type Awaitable, after } from "./promise.js";

/** What a schema found wrong with a payload: one line each, not more than ten. */
export class PayloadProblems {
  readonly lines: readonly string[];

  constructor(issues: readonly StandardSchemaV1.Issue[]) {
    this.lines = issues.slice(0, MAX_LINES).map(lineOf);
  }
}

const MAX_LINES = 10;
const MAX_LINE_LENGTH = 200;

/** Checks an event's payload, and gives the event with what its schema made of it. */
export function withCheckedPayload(
  event: CloudEvent,
  schema: StandardSchemaV1,
): Awaitable<CloudEvent | PayloadProblems> {
  return after(schema["~standard"].validate(event.data), (result) => {
    if (result.issues !== undefined) return new PayloadProblems(result.issues);
    return result.value === event.data ? event : { ...event, data: result.value };
  });
}

function lineOf({ path = [], message }: StandardSchemaV1.Issue): string {
  const where = ["data", ...path.map((part) => String(typeof part === "object" ? part.key : part))];
  return `${where.join(".")}: ${message}`.slice(0, MAX_LINE_LENGTH);
}
