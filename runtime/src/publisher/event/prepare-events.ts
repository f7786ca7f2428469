import type { StandardSchemaV1 } from "@standard-schema/spec";
import { describeIssues, type PathProblem } from "../../payload-problems.js";
import { InvalidEventError } from "../errors.js";
import type { PublisherSettings } from "../settings.js";
import type { TraceAttributes } from "../telemetry.js";
import { encodeEvent, isEncoded } from "./encode-event.js";
import type { EncodedEvent } from "./encoded-events.js";
import type { EventToCreate } from "./event-to-create.js";

/**
 * Encodes the events of a call, all or none.
 *
 * @throws {InvalidEventError} with every problem of every event
 */
export function encodeAll(
  events: readonly EventToCreate[],
  defaults: PublisherSettings["envelope"],
  trace?: TraceAttributes,
): EncodedEvent[] {
  const results = events.map((event) => encodeEvent(event, defaults, trace));
  const encoded = results.filter(isEncoded);
  if (encoded.length === results.length) return encoded;
  const problems = results.map((result) => (isEncoded(result) ? [] : result.problems));
  throw invalidEvents(results, problems);
}

/**
 * Checks the payloads of a call with the schemas of their types. The payload is sent as the caller
 * passed it, not as the schema returns it.
 *
 * @throws {InvalidEventError} with every problem of every event
 */
export async function checkPayloads(
  events: readonly EventToCreate[],
  encoded: readonly EncodedEvent[],
  schemas: ReadonlyMap<string, StandardSchemaV1>,
): Promise<void> {
  const problems = await Promise.all(
    encoded.map(({ type }, index) => payloadProblems(events[index]?.data, schemas.get(type))),
  );
  if (problems.some(({ length }) => length > 0)) throw invalidEvents(encoded, problems);
}

async function payloadProblems(
  data: unknown,
  schema: StandardSchemaV1 | undefined,
): Promise<readonly PathProblem[]> {
  if (schema === undefined) return [];
  try {
    const { issues = [] } = await schema["~standard"].validate(data);
    return describeIssues(issues);
  } catch {
    return SCHEMA_FAILED;
  }
}

/** Without the error's message, which may contain the payload. */
const SCHEMA_FAILED: readonly PathProblem[] = [
  {
    path: "data",
    message: "data could not be checked: the schema of this event type threw an error",
  },
];

/** @param problems those of each event */
function invalidEvents(
  events: readonly { readonly id: string; readonly type: string }[],
  problems: readonly (readonly PathProblem[])[],
): InvalidEventError {
  return new InvalidEventError(
    problems.flatMap((ofEvent, index) => ofEvent.map((problem) => ({ index, ...problem }))),
    events.map(({ id, type }, index) => ({ index, id, type, mayHaveArrived: false })),
  );
}
