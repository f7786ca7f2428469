import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { CloudEvent } from "../events/index.js";
import { payloadProblemsOf } from "../events/schema-issues.js";
import { type Awaitable, after } from "../promise.js";

/** What a schema found wrong with a payload: one line each, not more than ten. */
export class PayloadProblems {
  readonly lines: readonly string[];

  constructor(issues: readonly StandardSchemaV1.Issue[]) {
    this.lines = payloadProblemsOf(issues).map(({ message }) => message);
  }
}

/** Checks an event's payload, and gives the event with what its schema made of it. */
export function withCheckedPayload(
  event: CloudEvent,
  schema: StandardSchemaV1,
): Awaitable<CloudEvent | PayloadProblems> {
  return after(schema["~standard"].validate(event.data), withResult, event);
}

function withResult(
  result: StandardSchemaV1.Result<unknown>,
  event: CloudEvent,
): CloudEvent | PayloadProblems {
  if (result.issues !== undefined) return new PayloadProblems(result.issues);
  return result.value === event.data ? event : { ...event, data: result.value };
}
